"""A match on the full screen: by keys, by mouse and by typing, of people and computers, from both seats."""

import pytest

from duelbook.game import Outcome, Reason
from duelbook.games import GAMES
from duelbook.history.store import History
from tests.support.full_screen import Person, at_screen


@pytest.mark.parametrize("game", GAMES)
def test_two_people_play_a_whole_match_by_keys(game: str) -> None:
    async def play(person: Person) -> None:
        screen = await person.start(game)
        while not screen.live.match.over:
            await person.press("enter", "enter")  # the first goes to a piece, the second presses it
        assert screen.live.match.reason is Reason.RULES
        assert person.text("result").startswith(screen.live.ending())
        assert [step for step in ("rematch", "review", "menu") if screen.query_one(f"#step-{step}").display]
        record = History().record(1)
        assert record.outcome == screen.live.match.outcome
        assert len(record.moves) == len(screen.live.match.moves)

    at_screen(play)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("first", ["1", "2"])
def test_a_person_plays_a_computer_by_mouse_from_either_seat(game: str, first: str) -> None:
    async def play(person: Person) -> None:
        screen = await person.start(game, two="random", first=first)
        while not screen.live.match.over:
            await person.click(person.choices()[-1])
        assert History().record(1).people[1].agent == "random"
        assert History().record(1).first == int(first) - 1

    at_screen(play, (60, 20))


@pytest.mark.parametrize("game", GAMES)
def test_two_computers_are_watched(game: str) -> None:
    async def watch(person: Person) -> None:
        screen = await person.start(game, one="greedy", two="random")
        assert screen.live.match.outcome is not Outcome.UNDECIDED
        assert person.text("result")

    at_screen(watch, (120, 40))
