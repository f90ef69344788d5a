"""What the players of a match may do, from one table for every front end and the service."""

import pytest

from duelbook.games import make
from duelbook.match import Match
from duelbook.play.actions import RULES, ActionName, Standing, action_commands, api_text, permitted, refusal


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
        (Standing(charge(), (0, 1)), "play resign", "resign"),
        (Standing(charge("block"), (0, 1)), "undo resign", "play undo resign"),
        (Standing(charge("block"), (0, 1), asking=0), "decline resign", "play agree decline resign"),
        (Standing(charge("block"), (0,)), "undo resign", ""),
        (Standing(charge(), (0, 1), is_remote=True), "play resign", "resign claim"),
        (Standing(charge("block"), (0, 1), is_remote=True), "undo resign claim", "play resign"),
        (Standing(charge("block"), (0, 1), 30.0, is_remote=True), "give resign", "play resign"),
        (
            Standing(charge("block"), (0, 1), asking=0, is_remote=True),
            "decline resign claim",
            "play agree decline resign",
        ),
    ],
)
def test_each_player_may_do_what_is_possible_now(on: Standing, first: str, second: str) -> None:
    assert [" ".join(permitted(on, seat)) for seat in (0, 1)] == [first, second]


def test_nothing_is_possible_once_the_match_is_over() -> None:
    match = charge()
    match.resign(0)
    assert permitted(Standing(match, (0, 1)), 0) == permitted(Standing(match, (0, 1)), 1) == []


@pytest.mark.parametrize(
    ("action", "on", "why"),
    [
        ("play", Standing(charge("block"), (0, 1)), "It is your opponent's turn."),
        ("undo", Standing(charge(), (0, 1)), "You have no move to take back."),
        ("undo", Standing(charge("block"), (0, 1), 30.0, is_remote=True), "in a match with a time limit."),
        ("undo", Standing(charge("block"), (0, 1), asking=1, is_remote=True), "Agree or decline first."),
        ("agree", Standing(charge("block"), (0, 1)), "Your opponent does not ask to take a move back."),
        ("claim", Standing(charge("block"), (0, 1)), "Your opponent is at the same screen."),
        ("claim", Standing(charge("block"), (0, 1), 30.0, is_remote=True), "This match has a clock"),
        ("claim", Standing(charge("block"), (0,), is_remote=True), "A computer does not stay away."),
        ("claim", Standing(charge("block"), (0,)), "A computer does not stay away."),
        ("claim", Standing(charge(), (0, 1), is_remote=True), "It is your turn."),
        ("give", Standing(charge("block"), (0, 1)), "This match has no time limit."),
        ("give", Standing(charge("block"), (0,), 30.0), "A computer is given no time."),
        ("give", Standing(charge(), (0, 1), 30.0), "It is your turn."),
        ("give", Standing(charge("block"), (0, 1), 30.0, is_remote=True), ""),
        ("give", Standing(given_all_time(), (0, 1), 30.0), "60 seconds were given for this turn already"),
        ("resign", Standing(charge("block"), (0, 1)), ""),
    ],
)
def test_what_is_not_possible_gets_a_sentence(action: ActionName, on: Standing, why: str) -> None:
    assert why in refusal(action, on, 0)
    assert bool(refusal(action, on, 0)) == bool(why)


def test_a_match_has_the_commands_of_what_can_be_possible_in_it() -> None:
    at_one_keyboard = action_commands(Standing(charge(), (0, 1)))
    timed = action_commands(Standing(charge(), (0, 1), 30.0, is_remote=True))
    untimed = action_commands(Standing(charge(), (0, 1), is_remote=True))
    assert [*at_one_keyboard] == ["undo", "resign"]
    assert [*timed] == ["give", "resign"]
    assert [*untimed] == ["undo", "resign", "claim"]


def test_the_api_says_what_every_action_does() -> None:
    assert all(f"`{action}` " in api_text() for action in RULES)
