"""What a player types in a match that is no move: a command of this match, or one that it never has."""

import pytest

from duelbook import GAMES
from duelbook.play.arguments import PlayArguments
from duelbook.play.events import Kind, Typed
from duelbook.play.local_table import LocalTable
from duelbook.play.session import Session
from duelbook.play.setup import new_match
from tests.support.conversing import begun, texts, told
from tests.support.game_folders import brought, short_variants

BAD_ANSWERS = ("", "no such move", "é", "\x1b[31m", "-1")  # in a game that brings none of its own


def session(time_limit: float | None = None, **arguments: object) -> Session:
    new = new_match(PlayArguments("charge", keep=False, time_limit=time_limit, **arguments))  # type: ignore[arg-type]
    match, _ = new.begin({})
    found = Session(LocalTable(match, new.setup))
    begun(found)
    return found


@pytest.mark.parametrize(
    ("typed", "arguments", "why"),
    [
        ("give", {}, "This match has no time limit."),
        ("Give", {"agents": (None, "random"), "time_limit": 30.0}, "A computer is given no time."),
        ("claim", {}, "Your opponent is at the same screen."),
    ],
)
def test_a_command_that_a_match_never_has_is_refused_with_its_reason(
    typed: str, arguments: dict[str, object], why: str
) -> None:
    found = session(**arguments)  # type: ignore[arg-type]
    assert texts(told(found, typed), Kind.REFUSAL) == [why]
    assert typed.lower() not in found.commands


def test_at_one_keyboard_the_player_who_waits_gives_the_mover_time() -> None:
    """ALL-9."""
    found = session(30.0)
    assert texts(told(found, "give"), Kind.NOTE) == ["Player 2 gives Player 1 15 seconds more."]
    assert found.match.given_seconds == 15
    assert "give" in found.commands


def test_what_leaves_the_turn_as_it_is_does_not_stop_the_search_for_a_hint() -> None:
    found = session(30.0)
    [*_] = found.handle(Typed("hint"))
    searching = found.work
    told_while = list(found.handle(Typed("give")))
    assert searching is not None
    assert found.work is searching
    assert texts(told_while, Kind.NOTE)


@pytest.mark.parametrize("game", GAMES)
def test_bad_input_gets_a_sentence_and_the_same_question(game: str) -> None:
    """ALL-2."""
    options = {name: str(value) for name, value in short_variants(game)[0].items()}
    new = new_match(PlayArguments(game, options, first="1", keep=False))
    found = Session(LocalTable(new.begin({})[0], new.setup))
    begun(found)
    question = found.asked
    assert question
    for bad in brought(game, "answers", "BAD") or BAD_ANSWERS:
        [sentence] = texts(told(found, bad), Kind.REFUSAL)
        assert "Legal moves: " in sentence or "not a" in sentence or "Give a letter" in sentence
        assert found.asked == question
        assert found.match.moves == []
