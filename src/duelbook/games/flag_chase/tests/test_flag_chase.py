"""Flag Chase: its rulings, by their ids, and what its rule book shows. `oracle.py` proves the other rules."""

import pytest

from duelbook import Outcome, RefusedError, make
from duelbook.games.flag_chase.rules import FlagChase
from duelbook.web.match.previews import previews_of
from tests.support.playing import legal_names, played


def drawn(*names: str) -> str:
    """Return the track after the named moves, without the line of cell numbers."""
    return FlagChase().render(played(FlagChase(), *names)).splitlines()[1]


def test_both_strides_are_always_legal_and_stop_at_the_flag() -> None:
    """FC-1."""
    assert legal_names(FlagChase(), "1", "1") == ["1", "2"]
    assert played(FlagChase(), "1", "1", "1") == played(FlagChase(), "1", "1", "2")


def test_nobody_passes_the_flag_or_the_opponent_with_any_stride() -> None:
    """FC-1."""
    game = FlagChase(cells=9, stride=9)
    assert game.outcome(played(game, "9")) is Outcome.FIRST_WINS
    assert game.render(played(game, "9")).endswith("[ ][ ][ ][ ][P1/F][ ][ ][ ][P2]")


def test_scenario_1_the_first_player_wins_with_2() -> None:
    assert drawn("2") == "[ ][ ][P1/F][ ][P2]"
    assert FlagChase().outcome(played(FlagChase(), "2")) is Outcome.FIRST_WINS
    assert legal_names(FlagChase(), "2") == []


def test_scenario_2_the_second_player_wins_after_1() -> None:
    """FC-2: a move of 2 from cell 5 reaches the flag, unlike in the sample session."""
    assert drawn("1") == "[ ][P1][F][ ][P2]"
    assert drawn("1", "2") == "[ ][P1][P2/F][ ][ ]"
    assert FlagChase().outcome(played(FlagChase(), "1", "2")) is Outcome.SECOND_WINS


def test_scenario_3_a_stride_onto_the_opponent_stops_at_the_flag() -> None:
    """FC-1."""
    assert drawn("1", "1") == "[ ][P1][F][P2][ ]"
    assert drawn("1", "1", "2") == "[ ][ ][P1/F][P2][ ]"
    assert FlagChase().outcome(played(FlagChase(), "1", "1", "2")) is Outcome.FIRST_WINS


def test_both_never_reach_the_flag_on_the_same_turn() -> None:
    """FC-3: a turn moves one token, and reaching the flag ends the game."""
    game = FlagChase()
    for line in (("2",), ("1", "2"), ("1", "1", "1"), ("1", "1", "2")):
        assert "P1/F" in drawn(*line) or "P2/F" in drawn(*line)
        assert drawn(*line).count("F") == 1
        assert legal_names(game, *line) == []


@pytest.mark.parametrize("cells", [4, 2, 1, 100, 101])
def test_the_track_has_an_odd_number_of_cells(cells: int) -> None:
    with pytest.raises(RefusedError, match=f"cells must be {'an odd number ' if cells == 4 else ''}from 3 to 99"):
        make("flag-chase", cells=cells)


@pytest.mark.parametrize(
    ("after", "move", "words", "result"),
    [
        (["1"], "2", "You would reach the flag.", "This wins the game."),
        ([], "1", "You would stand on cell 2, 1 cell from the flag.", ""),
    ],
)
def test_a_preview_says_where_a_stride_would_lead(after: list[str], move: str, words: str, result: str) -> None:
    preview = previews_of(FlagChase(), after, move).moves[move]
    assert (preview.words, preview.result, preview.warning) == (words, result, False)


def test_a_long_track_is_drawn_in_rows_with_cells_of_one_width() -> None:
    game = FlagChase(cells=11)
    assert game.render(game.initial()) == (
        "[ 1][ 2][ 3][ 4][ 5][ 6]\n[P1][  ][  ][  ][  ][ F]\n[ 7][ 8][ 9][10][11]\n[  ][  ][  ][  ][P2]"
    )
