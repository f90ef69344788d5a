"""A person at a match of a real service, as a conversation without a front end."""

from functools import partial
from typing import Any

from duelbook.online.address import read_server
from duelbook.online.client import ServiceClient
from duelbook.play.arguments import PlayArguments
from duelbook.play.conversation import Conversation
from duelbook.play.events import Done, Output, Shown, Tick
from duelbook.play.joining import find_place
from duelbook.play.remote_table import RemoteTable
from duelbook.play.session import Session
from duelbook.play.waiting_room import WaitingRoom, rematch_of
from tests.support.conversing import begun, told
from tests.support.service.harness import Player, RunningServer

LOOKS, LOOK_SECONDS = 1200, 0.05  # for a text that is waited for


class Person:
    """Somebody with a data folder of their own: from their request for a place to the matches that they play."""

    def __init__(self, url: str, *, match: str = "", choice: str = "", **arguments: Any) -> None:
        """`choice` is the number of what they choose before the start, such as a word."""
        self.arguments = PlayArguments(**{"server": url, "join": match or None, **arguments})
        match = match or self.arguments.watch or ""
        self.client = ServiceClient(read_server(url))
        request = find_place(self.arguments, self.client, match)
        self.note, self.chosen = request.note, ""
        if request.choices:
            self.chosen = request.choices.choices()[int(choice) - 1]
        self.room = WaitingRoom(self.arguments, self.client, request.doing, partial(request.send, self.chosen))
        self.shown: list[Shown] = [*self.room.start(), *work_once(self.room)]  # up to where they wait
        self._session: Session | None = None

    @property
    def match(self) -> str:
        """The match in which they have a place."""
        assert self.room._place
        return self.room._place.view.id

    @property
    def table(self) -> RemoteTable:
        assert self.room.table
        return self.room.table

    @property
    def session(self) -> Session:
        """The match, once both seats are taken."""
        if self._session is None:
            while self.room.ended is None:
                self.shown += work_once(self.room)
            self._session = Session(self.table, introduces=True)
            self.shown += begun(self._session)
        return self._session

    @property
    def question(self) -> str:
        """What they are asked."""
        return self.session.asked.text if self.session.asked else ""

    def types(self, *lines: str) -> list[Shown]:
        """Type lines, and return what is shown after the last one."""
        shown = told(self.session, *lines)
        self.shown += shown
        return shown

    def until(self, text: str) -> list[Shown]:
        """Wait for news until the text is shown or asked, and return all that is shown."""
        shown: list[Shown] = []
        for _ in range(LOOKS):
            if any(text in str(one) for one in shown) or text in self.question:
                return shown
            shown += self.look()
        raise AssertionError(f"{text!r} is not among {shown}")

    def look(self) -> list[Shown]:
        """Wait a moment for news, and return what is shown."""
        live = self.table.connection.live
        live.wait(live.news, LOOK_SECONDS)
        shown = told(self.session, Tick()) if self.session.has_news and self.session.has_news() else []
        self.shown += shown
        return shown

    def until_version(self, version: int) -> None:
        """Wait until this version of the match is followed."""
        while self.table.connection.view.version < version:
            self.look()

    def until_connected(self) -> None:
        """Wait until there is a live connection."""
        while not self.table.connection.live.connected:
            self.look()

    def wants_rematch(self) -> None:
        """Go on to the rematch."""
        self.types("rematch")
        self.room, self._session = rematch_of(self.table), None
        self.shown = [*self.room.start(), *work_once(self.room)]

    def close(self) -> None:
        self.room.close()
        if self.room.table:
            self.room.table.close()
        self.client.close()


def work_once(conversation: Conversation) -> Output:
    """Do the work that goes on once, and yield what follows."""
    work = conversation.work
    assert work
    try:
        done = Done(work, work.run())
    except Exception as error:
        done = Done(work, error=error)
    yield from conversation.handle(done)


def joined(server: RunningServer, match: str, **request: str) -> Player:
    """Take the free seat of the match over HTTP."""
    answer = server.http.post(f"/api/matches/{match}/join", json=request)
    assert answer.status_code == 200, answer.text
    return Player(server, match, answer.json()["seat"], answer.json()["token"])
