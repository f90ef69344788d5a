"""What the players of a match may do, from one table for every front end and the service."""

from collections.abc import Collection

import pytest

from duelbook.game import IllegalMoveError, Outcome, Player
from duelbook.games import make
from duelbook.match import Match
from duelbook.play.actions import RULES, ActionName, action_commands, api_text, refusal
from duelbook.play.table import Table


class RemoteKind(Table):
    """A match whose players are at different screens."""

    is_remote = True


def table(
    match: Match,
    people: Collection[Player] = (0, 1),
    time_limit: float | None = None,
    *,
    asking: Player | None = None,
    is_remote: bool = False,
) -> Table:
    made = (RemoteKind if is_remote else Table)(match, people, time_limit)
    made.asking = asking
    return made


def charge(*moves: str) -> Match:
    match = Match(make("charge"))
    for move in moves:
        match.play(move)
    return match


def given_all_time() -> Match:
    match = charge("block")
    for _ in range(4):
        match.give_time()
    return match


@pytest.mark.parametrize(
    ("on", "first", "second"),
    [
        (table(charge()), "play resign", "resign"),
        (table(charge("block")), "undo resign", "play undo resign"),
        (table(charge("block"), asking=0), "decline resign", "play agree decline resign"),
        (table(charge("block"), (0,)), "undo resign", ""),
        (table(charge(), is_remote=True), "play resign", "resign claim"),
        (table(charge("block"), is_remote=True), "undo resign claim", "play resign"),
        (table(charge("block"), (0, 1), 30.0, is_remote=True), "give resign", "play resign"),
        (
            table(charge("block"), asking=0, is_remote=True),
            "decline resign claim",
            "play agree decline resign",
        ),
    ],
)
def test_each_player_may_do_what_is_possible_now(on: Table, first: str, second: str) -> None:
    assert [" ".join(on.actions(seat)) for seat in (0, 1)] == [first, second]


def test_nothing_is_possible_once_the_match_is_over() -> None:
    match = charge()
    match.resign(0)
    assert table(match).actions(0) == table(match).actions(1) == []


@pytest.mark.parametrize(
    ("action", "on", "why"),
    [
        ("play", table(charge("block")), "It is your opponent's turn."),
        ("undo", table(charge()), "You have no move to take back."),
        ("undo", table(charge("block"), (0, 1), 30.0, is_remote=True), "in a match with a time limit."),
        ("undo", table(charge("block"), asking=1, is_remote=True), "Agree or decline first."),
        ("agree", table(charge("block")), "Your opponent does not ask to take a move back."),
        ("claim", table(charge("block")), "Your opponent is at the same screen."),
        ("claim", table(charge("block"), (0, 1), 30.0, is_remote=True), "This match has a clock"),
        ("claim", table(charge("block"), (0,), is_remote=True), "A computer does not stay away."),
        ("claim", table(charge("block"), (0,)), "A computer does not stay away."),
        ("claim", table(charge(), is_remote=True), "It is your turn."),
        ("give", table(charge("block")), "This match has no time limit."),
        ("give", table(charge("block"), (0,), 30.0), "A computer is given no time."),
        ("give", table(charge(), (0, 1), 30.0), "It is your turn."),
        ("give", table(charge("block"), (0, 1), 30.0, is_remote=True), ""),
        ("give", table(given_all_time(), (0, 1), 30.0), "60 seconds were given for this turn already"),
        ("resign", table(charge("block")), ""),
    ],
)
def test_what_is_not_possible_gets_a_sentence(action: ActionName, on: Table, why: str) -> None:
    assert why in refusal(action, on, 0)
    assert bool(refusal(action, on, 0)) == bool(why)


@pytest.mark.parametrize("is_remote", [False, True])
def test_every_action_has_its_effect_and_says_from_which_ply_on(is_remote: bool) -> None:
    on = table(charge("charge 1", "charge 2"), (0, 1), 30.0, is_remote=is_remote)
    assert on.apply("undo", 1) is None  # the other player is asked
    assert (on.asking, len(on.match.moves)) == (1, 2)
    assert on.apply("decline", 0) is None
    assert on.asking is None
    assert on.apply("undo", 1) is None
    assert on.apply("agree", 0) == 1
    assert (on.asking, len(on.match.moves)) == (None, 1)
    assert on.apply("give", 0) is None
    assert on.turn_limit == 45.0
    assert on.apply("undo", 0) is None
    assert on.apply("play", 1, "charge 3") == 1  # which ends the request, and begins another turn
    assert (on.asking, on.turn_limit, len(on.match.moves)) == (None, 30.0, 2)
    assert on.apply("resign", 1) == 2
    assert on.match.outcome is Outcome.FIRST_WINS


def test_against_a_computer_moves_are_taken_back_at_once() -> None:
    on = table(charge("charge 1", "charge 2"), (0,))
    assert on.apply("undo", 0) == 0
    assert (on.asking, on.match.moves) == (None, [])


def test_an_illegal_move_changes_nothing() -> None:
    on = table(charge("block"), asking=0)
    with pytest.raises(IllegalMoveError):
        on.apply("play", 1, "charge 9")
    assert (on.asking, len(on.match.moves)) == (0, 1)


def test_a_match_has_the_commands_of_what_can_be_possible_in_it() -> None:
    at_one_keyboard = action_commands(table(charge()))
    timed = action_commands(table(charge(), (0, 1), 30.0, is_remote=True))
    untimed = action_commands(table(charge(), is_remote=True))
    assert [*at_one_keyboard] == ["undo", "resign"]
    assert [*timed] == ["give", "resign"]
    assert [*untimed] == ["undo", "resign", "claim"]


def test_the_api_says_what_every_action_does() -> None:
    assert all(f"`{action}` " in api_text() for action in RULES)
