"""What the lab has measured about a game's rules is told to players, and nothing else is."""

from pathlib import Path

import pytest

from duelbook import make
from duelbook.game_errors import BrokenGameError
from duelbook.games import GAMES
from duelbook.measurements import COLUMNS, Measurement, _table, measurement_of, sentences
from duelbook.presets import presets_of
from duelbook.solve import solved
from scripts.variants import measured_games

HEAD = f"stones,{','.join(COLUMNS)}\n"


@pytest.mark.parametrize("name", measured_games())
def test_every_preset_of_a_measured_game_was_measured(name: str) -> None:
    for preset in presets_of(GAMES[name]):
        assert measurement_of(make(name, preset=preset))


def test_nothing_is_told_about_rules_that_were_not_measured() -> None:
    assert measurement_of(make("charge", goal=21))
    assert measurement_of(make("charge", goal=22)) is None
    assert measurement_of(make("charge", biggest_charge=4)) is None  # which was not varied
    assert measurement_of(make("alpha-chase", word_list="all")) is None


def test_what_is_drawn_for_a_match_does_not_count() -> None:
    assert measurement_of(make("alpha-chase", words="QUICK,BRAVE")) == measurement_of(make("alpha-chase"))


@pytest.mark.parametrize("name", ["charge", "flag-chase", "crystal-capture"])
def test_what_is_told_about_best_play_is_what_the_solver_finds(name: str) -> None:
    game = make(name)
    found = measurement_of(game)
    assert found
    solution, start = solved(game), game.initial()
    assert (found.states, found.plies) == (solution.states(), solution.remoteness(start))
    assert found.winner == "first"
    assert solution.value(start).name == "WIN"


FAIR = Measurement(1, 1200, "first", 11.0, 0.52, 0.45, 0.58, 12.2)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (FAIR, "Between equal players, both seats win about as often."),
        (FAIR._replace(first_score=0.6, low=0.55), "Between equal players, the first player scores 60%."),
        (FAIR._replace(first_score=0.3, high=0.4), "Between equal players, the second player scores 70%."),
        (FAIR, "A game lasts about 6 moves for each player."),
        (FAIR._replace(moves=1.04), "A game is over after about 1 move."),
        (FAIR, "With best play, the first player wins in 6 moves."),
        (FAIR._replace(winner="second", plies=12.0), "With best play, the second player wins in 6 moves."),
        (FAIR._replace(winner="nobody"), "With best play, the game is a draw."),
        (FAIR._replace(winner="nobody", plies=None), "With best play, nobody ever wins."),
        (FAIR._replace(winner="mixed", starts=5), "With best play, who wins depends on the start."),
        (FAIR._replace(starts=5), "With best play, the first player wins (checked from 5 starts)."),
    ],
)
def test_what_was_measured_is_told_in_words(found: Measurement, told: str) -> None:
    assert told in sentences(found)


def test_a_game_from_outside_has_nothing_or_its_own(heap: Path) -> None:
    assert measurement_of(make("last-stone")) is None
    _table.cache_clear()
    (heap / "measurements.csv").write_text(f"{HEAD}3,1,7,first,3,0.5,0.4,0.6,3\n4,,,,,,,,\n")
    assert measurement_of(make("last-stone", stones=3)) == Measurement(1, 7, "first", 3.0, 0.5, 0.4, 0.6, 3.0)
    assert measurement_of(make("last-stone", stones=4)) is None  # which was too large


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("stones,moves\n3,1\n", "The column exact_starts is missing"),
        (f"{HEAD}3,1,7,third,3,0.5,0.4,0.6,3\n", "exact_winner cannot be 'third'"),
        (f"{HEAD}3,1,seven,first,3,0.5,0.4,0.6,3\n", "seven"),
    ],
)
def test_a_file_that_cannot_be_read_is_the_fault_of_the_game(heap: Path, text: str, why: str) -> None:
    (heap / "measurements.csv").write_text(text)
    with pytest.raises(BrokenGameError, match=f"LastStone is broken: .*measurements.csv: .*{why}"):
        measurement_of(make("last-stone"))
