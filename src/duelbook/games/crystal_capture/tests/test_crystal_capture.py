"""Crystal Capture: its rulings, by their ids, and what its rule book shows. `oracle.py` proves the other rules."""

import pytest

from duelbook import IllegalMoveError, Outcome, RefusedError, make
from duelbook.games.crystal_capture.rules import CrystalCapture, Deadlock
from duelbook.web.match.previews import previews_of
from tests.support.playing import legal_names, played

SCENARIO = ("8", "7", "6", "4", "1")
DEADLOCK = ("1", "5", "6", "9", "7")


def test_a_player_who_cannot_capture_passes() -> None:
    """CC-1: `pass` is legal only then, and only while the opponent can still capture."""
    assert legal_names(CrystalCapture(), "9", "1", "5", "2") == ["pass"]
    assert CrystalCapture().outcome(played(CrystalCapture(), "9", "1", "5", "2")) is Outcome.UNDECIDED
    after = played(CrystalCapture(), "9", "1", "5", "2", "pass")
    assert (after.mover, after.mine, after.theirs) == (1, 3, 14)


def test_the_scenario_ends_as_in_the_book() -> None:
    game = CrystalCapture()
    for tried in ("9", "8"):  # over 15, and already captured
        with pytest.raises(IllegalMoveError):
            played(game, *SCENARIO[:3], tried)
    for plies in range(len(SCENARIO)):
        assert game.outcome(played(game, *SCENARIO[:plies])) is Outcome.UNDECIDED
    assert game.outcome(played(game, *SCENARIO)) is Outcome.FIRST_WINS


def test_totals_can_be_tied_in_a_deadlock_and_the_second_player_wins() -> None:
    """CC-2: after 1 5 6 9 7 both hold 14, although the book rules out a tie."""
    game = CrystalCapture()
    state = played(game, *DEADLOCK)
    assert (state.mine, state.theirs) == (14, 14)
    assert game.outcome(state) is Outcome.SECOND_WINS


@pytest.mark.parametrize(
    ("line", "totals", "outcome"),
    [
        ("1 2 3 4 8 5", (12, 11), Outcome.FIRST_WINS),
        ("1 2 3 4 5 6", (9, 12), Outcome.SECOND_WINS),
        ("1 2 3 9 4 pass 5", (13, 11), Outcome.FIRST_WINS),
    ],
)
def test_in_a_deadlock_the_higher_total_wins(line: str, totals: tuple[int, int], outcome: Outcome) -> None:
    """CC-2."""
    game = CrystalCapture()
    state = played(game, *line.split())
    points = (state.mine, state.theirs)
    assert (points if state.mover == 0 else points[::-1]) == totals
    assert game.outcome(state) is outcome


def test_a_deadlock_may_be_a_draw_instead() -> None:
    """CC-2, deadlock=draw, whether the totals are tied or not."""
    game = CrystalCapture(deadlock=Deadlock.DRAW)
    assert game.outcome(played(game, *DEADLOCK)) is Outcome.DRAW
    assert game.outcome(played(game, *"123485")) is Outcome.DRAW
    assert legal_names(game, *DEADLOCK) == []


def test_the_goal_is_at_most_the_sum_of_all_crystals() -> None:
    assert make("crystal-capture", crystals=3, goal=6)
    with pytest.raises(RefusedError, match="goal must be from 1 to 6, not 7"):
        make("crystal-capture", crystals=3, goal=7)
    with pytest.raises(RefusedError, match="crystals must be from 1 to 30, not 31"):
        make("crystal-capture", crystals=31)


def test_a_preview_says_what_a_capture_would_do() -> None:
    preview = previews_of(CrystalCapture(), ["5", "6"], "8").moves["8"]
    assert (preview.words, preview.result, preview.warning) == ("You would have 13 of 15.", "", False)
