"""What takes time in a match of a service: a rematch that is waited for, the clock, and help that the service finds."""

import threading
from collections.abc import Callable, Iterator

import pytest

from duelbook.game import Reason
from duelbook.play import match_connection
from duelbook.play.events import Hinted, Kind, Moved, TakenBack, Typed, Valued
from duelbook.web.match.help import DELIVERY_SECONDS
from tests.play.conftest import Sit
from tests.support.conversing import texts
from tests.support.remote import Person, work_once
from tests.support.service.asking import get, wait_until
from tests.support.service.harness import RunningServer

SLOW_STONES = "tests.support.games.slow_stones:SlowStones"


def waited(person: Person, text: str) -> list[str]:
    """Return what somebody who waits for a rematch is told, up to this text."""
    said: list[str] = []
    while text not in said:
        assert person.room.work
        said += texts(list(work_once(person.room)))
    return said


def test_who_waits_for_a_rematch_is_told_whether_the_other_player_is_there(
    server: RunningServer, sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after coming back to it."""
    monkeypatch.setattr(match_connection, "AWAY_SECONDS", 0.1)
    monkeypatch.setattr(match_connection, "LOOK_SECONDS", 0.1)
    ann, bob = sit()
    with bob.live():
        bob.act("resign")
        ann.until("Enter to leave: ")
        ann.wants_rematch()
        assert ann.room.work
        assert ann.room.work.text == "Waiting for Bob to play again"
    stays = "The rematch stays open for them. You can wait or leave."
    assert "Bob is away." in waited(ann, stays)
    again = Person(server.url, match=ann.match)
    assert "Bob is away." in waited(again, stays)
    with bob.live():
        waited(again, "Bob is back.")
    bob.post("rematch")
    assert again.session
    assert "You are Ann, against Bob. Bob moves first." in texts(again.shown)
    again.close()


def test_the_first_move_of_the_computer_is_shown_as_a_move(server: RunningServer) -> None:
    for _ in range(2):  # the move may come before or after the match is loaded
        ann = Person(server.url, game="charge", agents=("random", None))
        assert ann.session
        ann.until("Player 2, play a card: ")
        said = texts(ann.shown)
        assert "You are Player 2, against random. random moves first." in said
        assert "Resumed" not in " ".join(said)
        assert sum(isinstance(one, Moved) for one in ann.shown) == 1
        assert not any(isinstance(one, TakenBack) for one in ann.shown)
        ann.close()


def test_the_clock_is_that_of_the_service(sit: Sit) -> None:
    ann, bob = sit(time_limit=0.5)
    assert ann.session.deadline() is not None
    assert "Ann has run out of time." in " ".join(texts(ann.until("has run out of time"), Kind.RESULT))
    assert ann.session.match.reason is Reason.TIME
    assert bob.view()["reason"] == "time"


def test_values_and_hints_of_the_service_are_those_of_this_program(server: RunningServer) -> None:
    shown = []
    for limit in (None, 500.0):
        ann = Person(server.url, game="crystal-capture", agents=(None, "random"), first="1", time_limit=limit)
        assert ann.session
        told = [one for word in ("values", "hint", "hint", "hint") for one in ann.types(word)]
        shown.append([one for one in told if isinstance(one, (Hinted, Valued))])
        ann.close()
    assert shown[0] == shown[1]
    assert len(shown[0]) == 4


@pytest.fixture
def slow(tmp_path_factory: pytest.TempPathFactory, use_games: Callable[[str], None]) -> Iterator[RunningServer]:
    """A service with a game that takes seconds to solve."""
    use_games(SLOW_STONES)
    folder = tmp_path_factory.mktemp("slow")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    server = RunningServer(folder, settings, environment={"DUELBOOK_GAMES": SLOW_STONES})
    yield server.start()
    server.kill()


def test_the_clock_stands_still_while_the_service_looks_for_help(slow: RunningServer) -> None:
    """ALL-6."""
    ann = Person(
        slow.url, game="slow-stones", agents=(None, "random"), first="1", time_limit=600.0, options={"pause": "400"}
    )
    list(ann.session.handle(Typed("hint")))
    shown: list[str] = []
    looking = threading.Thread(target=lambda: shown.extend(map(str, work_once(ann.session))))
    looking.start()
    wait_until(lambda: get(slow, f"/api/matches/{ann.match}")["clocks"]["stopped"] > DELIVERY_SECONDS)
    looking.join()
    assert "Type hint again for the move" in " ".join(shown)
    ann.types("take 1")
    assert ann.session.match.moves
    ann.close()
