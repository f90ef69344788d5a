"""What a person is told about the connection to the service, and about an opponent who leaves or comes back."""

import time
from collections.abc import Callable
from typing import TypeVar

from duelbook.game import Player
from duelbook.online.client import pauses
from duelbook.online.errors import ProblemError, UnreachableError
from duelbook.online.live import LiveMatch
from duelbook.terminal.screen import NOTE, WARNING, Screen

LOOK_SECONDS = 1.0  # between two looks whether the opponent has been away for long
AWAY_SECONDS = 6.0  # a player who reloads a page, or comes back after a restart of the service, was not away
RECONNECT_SECONDS = 3.0  # to wait for the live connection when the service answers again

T = TypeVar("T")


class Notices:
    """Tells each thing once."""

    def __init__(self, live: LiveMatch, screen: Screen) -> None:
        self._live, self._screen = live, screen
        self._known = -1  # the news that are told
        self._lost = self._away = False
        self._opponent: Player | None = None
        self._place = live  # the match at which the opponent is looked for
        self._since = 0.0  # when the opponent began to be looked for

    def watch_opponent(self, seat: Player, place: LiveMatch | None = None) -> None:
        """Tell from now on when the person on this seat leaves: this match, or another one where they are now."""
        self._opponent, self._place = seat, place or self._live
        self._away, self._since = False, time.monotonic()

    @property
    def is_opponent_away(self) -> bool:
        """True if it was told that the opponent is away."""
        return self._away

    def is_due(self) -> bool:
        """Return True if there is something that the dialogue does not know yet."""
        return self._live.news != self._known or self._is_away() != self._away

    def wait(self, text: str) -> None:
        """Wait for news behind a text that moves."""
        with self._screen.busy(text):
            while not self.is_due():
                self._live.wait(self._known, LOOK_SECONDS)

    def tell(self) -> None:
        """Tell what is new. Raise OnlineError if the match cannot go on."""
        live = self._live
        self._known = live.news
        if live.error:
            raise live.error
        if live.was_lost:
            self.tell_lost()
        else:
            self._tell_back()
        if self._is_away() != self._away and self._opponent is not None:
            self._away = not self._away
            name = self._place.view.names.of(self._opponent)
            self._screen.say(f"{name} is {'away' if self._away else 'back'}.", NOTE)

    def until_answered(self, doing: str, ask: Callable[[], T]) -> T:
        """Send a request until it is answered, and return the answer. Raise ProblemError if it is refused.

        The request must be one that the service carries out only once, however often it is sent.
        """
        tries = pauses()
        while True:
            pause = next(tries)
            try:
                with self._screen.busy(doing):
                    answer = ask()
                self._live.reconnect()
                if self._lost:  # before what the answer brings is shown
                    self._live.wait_connected(RECONNECT_SECONDS)
                    self._tell_back()
                return answer
            except UnreachableError:
                self.tell_lost()
            except ProblemError as problem:
                if not problem.is_temporary:
                    raise
                pause = max(pause, problem.retry_after)
            with self._screen.busy(doing):
                time.sleep(pause)

    def tell_lost(self) -> None:
        """Tell that the service cannot be reached, unless that is known."""
        if not self._lost:
            self._lost = True
            self._screen.say("The connection is lost. Trying to connect again …", WARNING)

    def _tell_back(self) -> None:
        if self._live.connected and self._lost:
            self._lost = False
            self._screen.say("The connection is back.", NOTE)

    def _is_away(self) -> bool:
        """Return True if the opponent has been away for a while; as before if that is not clear."""
        if self._opponent is None or not self._place.connected:
            return self._away
        away = self._place.away_seconds(self._opponent)
        if min(away, time.monotonic() - self._since) > AWAY_SECONDS:
            return True
        return self._away and away > 0
