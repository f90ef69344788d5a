"""The connection of a screen to a match of a service: its news, requests that are sent again, and who is present."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from duelbook.game import Player
from duelbook.online.client import ServiceClient, pauses
from duelbook.online.errors import ProblemError, UnreachableError
from duelbook.online.live import LiveMatch
from duelbook.online.views import RemoteMatch
from duelbook.play.events import CONNECTION_BACK, Kind, Say, TryAgainError

LOOK_SECONDS = 1.0  # between two looks whether the opponent has been away for long
AWAY_SECONDS = 6.0  # a player who reloads a page, or comes back after a restart of the service, was not away
RECONNECT_SECONDS = 3.0  # to wait for the live connection when the service answers again

T = TypeVar("T")


class MatchConnection:
    """The newest view of a match, and what is to be told about the connection and the opponent: each thing once."""

    def __init__(self, client: ServiceClient, view: RemoteMatch, token: str = "") -> None:
        self.client, self.token = client, token
        self.live = LiveMatch(client, view, token)
        self._known = -1  # the news that are told
        self.is_lost = False  # it was told that the service cannot be reached, and not yet that it can be again
        self.is_opponent_away = False  # as it was told
        self._opponent: Player | None = None
        self._place = self.live  # the match at which the opponent is looked for
        self._since = 0.0  # when the opponent began to be looked for
        self._closed = threading.Event()

    @property
    def view(self) -> RemoteMatch:
        """The newest view of the match."""
        return self.live.view

    @property
    def link(self) -> str:
        """The link to the match."""
        return self.client.server.link(self.view.id)

    def watch_opponent(self, seat: Player, elsewhere: "MatchConnection | None" = None) -> None:
        """Tell from now on when the person on this seat leaves: this match, or another one where they are now."""
        self._opponent, self._place = seat, elsewhere.live if elsewhere else self.live
        self.is_opponent_away, self._since = False, time.monotonic()

    # News

    def has_news(self) -> bool:
        """Return True if there is something that was not told yet."""
        return self.live.news != self._known or self._is_away() != self.is_opponent_away

    def wait(self) -> None:
        """Wait until there is news, or the connection is closed."""
        while not self.has_news() and not self._closed.is_set():
            self.live.wait(self._known, LOOK_SECONDS)

    def news(self) -> list[Say]:
        """Return what is new about the connection and the opponent. Raise OnlineError if the match cannot go on."""
        live = self.live
        self._known = live.news
        if live.error:
            raise live.error
        told = self.lost() if live.was_lost else self._back()
        if self._is_away() != self.is_opponent_away and self._opponent is not None:
            self.is_opponent_away = not self.is_opponent_away
            name = self._place.view.names.of(self._opponent)
            told.append(Say(f"{name} is {'away' if self.is_opponent_away else 'back'}.", Kind.NOTE))
        return told

    def lost(self) -> list[Say]:
        """Return that the service cannot be reached, unless that was told."""
        if self.is_lost:
            return []
        self.is_lost = True
        return [Say("The connection is lost. Trying to connect again …", Kind.WARNING)]

    def _back(self) -> list[Say]:
        if not self.is_lost or not self.live.connected:
            return []
        self.is_lost = False
        return [Say(CONNECTION_BACK, Kind.NOTE)]

    def _is_away(self) -> bool:
        """Return True if the opponent has been away for a while; as before if that is not clear."""
        if self._opponent is None or not self._place.connected:
            return self.is_opponent_away
        away = self._place.away_seconds(self._opponent)
        if min(away, time.monotonic() - self._since) > AWAY_SECONDS:
            return True
        return self.is_opponent_away and away > 0

    # Requests

    def until_answered(self, ask: Callable[[], T]) -> Callable[[], T]:
        """Return the work of sending a request, which is done again until the service answers.

        The request must be one that the service carries out only once, however often it is sent. The work raises
        ProblemError if the answer is a refusal, and TryAgainError if there is none yet.
        """
        tries, pause = pauses(), 0.0

        def work() -> T:
            nonlocal pause
            self._closed.wait(pause)
            pause = next(tries)
            try:
                answer = ask()
            except UnreachableError as error:
                raise TryAgainError(self.lost()) from error
            except ProblemError as problem:
                if not problem.is_temporary:
                    raise
                pause = max(pause, problem.retry_after)
                raise TryAgainError from problem
            self.live.reconnect()
            if self.is_lost:  # so that the connection is back before what the answer brings is told
                self.live.wait_connected(RECONNECT_SECONDS)
            return answer

        return work

    def acting(self, action: str, own: str, fields: Mapping[str, Any]) -> Callable[[], RemoteMatch]:
        """Return the work of sending what the player on their own seat does; its answer is the view after it.

        Only a move has a key, by which the service knows it again. If the answer to another action gets lost, the
        match is looked at first: the action may have been done.
        """
        client, match, token, version = self.client, self.view.id, self.token, self.view.version
        is_sent = False

        def ask() -> RemoteMatch:
            nonlocal is_sent
            if is_sent and action != "play":
                view = client.view(match)
                if view.version > version and view.last and (view.last.action, view.last.by) == (action, own):
                    return view
            is_sent = True
            return client.act(match, token, action, **fields)

        return self.until_answered(ask)

    def close(self) -> None:
        """End the connection."""
        self._closed.set()
        self.live.close()
