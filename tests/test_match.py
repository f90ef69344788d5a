"""Matches: moves, undo, endings and times."""

import pytest

from duelbook import IllegalMoveError, Outcome, make
from duelbook.game import Reason
from duelbook.match import Clock, Match, ply_limit
from duelbook.records.record import Gift, Note, Person
from tests.support.clock import ManualClock

PEOPLE = (Person("Red"), Person("Blue", "greedy"))


def started(name: str, *moves: str, clock: Clock | None = None) -> Match:
    match = Match(make(name), clock=clock or ManualClock())
    for move in moves:
        match.play(move)
    return match


def test_moves_are_played_by_name_or_number() -> None:
    match = started("charge", "charge 3")
    match.play(5)
    assert match.moves == [2, 5]
    assert match.record(PEOPLE, 0).moves == ("charge 3", "block")


@pytest.mark.parametrize("move", ["charge 6", "", 99, -1])
def test_an_illegal_move_changes_nothing(move: str | int) -> None:
    match = started("charge", "charge 3")
    before = match.state
    with pytest.raises(IllegalMoveError):
        match.play(move)
    assert match.state == before
    assert match.moves == [2]


def test_a_match_ends_by_the_rules() -> None:
    match = started("flag-chase", "2")
    assert (match.outcome, match.reason, match.over) == (Outcome.FIRST_WINS, Reason.RULES, True)
    with pytest.raises(IllegalMoveError, match=r"'1' is not legal here\. The game is over"):
        match.play("1")


def test_undo_takes_back_the_last_move_even_the_deciding_one() -> None:
    match = started("flag-chase", "1", "2")
    match.undo()
    assert (match.moves, match.over, match.mover) == ([0], False, 1)
    match.undo()
    with pytest.raises(IllegalMoveError):
        match.undo()


def test_undo_starts_the_turn_again_and_drops_the_notes_about_what_is_taken_back() -> None:
    clock = ManualClock()
    match = started("charge", clock=clock)
    for seconds in (1.5, 2.0):
        clock.time += seconds
        match.play("charge 1")
        match.add_note(Note(0, text="so far"))
    clock.time += 5.0
    match.undo()
    assert match.turn_seconds() == 0.0
    assert [note.move for note in match.notes] == [1]
    clock.time += 0.25
    match.play("charge 2")
    assert match.seconds == [1.5, 0.25]


def test_either_player_may_resign_on_any_turn() -> None:
    match = started("charge", "charge 1")
    match.resign(0)
    assert (match.outcome, match.reason) == (Outcome.SECOND_WINS, Reason.RESIGNATION)
    with pytest.raises(IllegalMoveError):
        match.resign(1)


def test_running_out_of_time_loses_and_the_turn_is_not_passed_on() -> None:
    """ALL-3."""
    match = started("charge", "charge 1")
    match.run_out_of_time()
    assert (match.outcome, match.reason) == (Outcome.FIRST_WINS, Reason.TIME)


def test_time_that_is_given_counts_for_that_turn_only_and_goes_when_the_turn_is_taken_back() -> None:
    """ALL-9."""
    match = started("charge", "charge 1")
    for _ in range(2):
        match.give_time()
    assert (match.given_seconds, match.given) == (30, [Gift(2, 30)])
    match.play("charge 1")
    assert (match.given_seconds, match.given) == (0, [Gift(2, 30)])
    match.give_time()
    match.undo()
    assert (match.given_seconds, match.given) == (0, [])


def test_each_move_is_timed_by_the_clock_of_the_match() -> None:
    clock = ManualClock()
    match = started("charge", clock=clock)
    for seconds in (1.5, 2.25):
        clock.time += seconds
        match.play("charge 1")
    assert match.seconds == [1.5, 2.25]
    assert match.record(PEOPLE, 0).started == "2026-11-15T09:00:00+00:00"


def test_an_automatic_match_stops_at_the_ply_limit() -> None:
    """ALL-5: nobody wins."""
    match = Match(make("charge"), ply_limit=4)
    for _ in range(4):
        match.play("charge 1")
    assert (match.outcome, match.reason) == (Outcome.UNDECIDED, Reason.PLY_LIMIT)


def test_the_ply_limit_is_200_or_20_times_the_goal() -> None:
    """ALL-5."""
    assert ply_limit(make("flag-chase")) == 200
    assert ply_limit(make("charge")) == 300
    assert ply_limit(make("charge", goal=5)) == 200


def test_a_resumed_match_continues_where_the_record_stops() -> None:
    match = started("crystal-capture", "8", "7")
    resumed = Match.resumed(match.record(PEOPLE, 1))
    assert resumed.state == match.state
    resumed.play("6")
    assert resumed.record(PEOPLE, 1).moves == ("8", "7", "6")
