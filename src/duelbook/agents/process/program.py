"""A program that plays: which protocol it speaks, what it says, and the time that it takes."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from duelbook.agents.agent import Forfeit, ForfeitKind, StoppedError
from duelbook.agents.process.child import Child
from duelbook.agents.process.messages import (
    MATCHES,
    Hello,
    as_line,
    game_message,
    read_answer,
    read_hello,
    read_info,
    result_message,
    turn_message,
    type_of,
)
from duelbook.agents.process.settings import ProcessSettings
from duelbook.game import AnyGame, Move, Outcome, Player, Reason
from duelbook.games import label
from duelbook.match import ReadOnlyMatch
from duelbook.records.record import Note
from duelbook.text import seconds_text

NOTHING = Note(0)  # said about a move


class Answer(NamedTuple):
    """A program's answer to a question."""

    move: Move
    note: Note | None  # what it said about the move
    seconds: float  # that it took


class Program:
    """A running program. It speaks protocol 2 if the first line that it writes is a hello, and otherwise protocol 1.

    Only its first question shows which it is. So the first game and the first turn are sent together, as in protocol
    1; a program of protocol 2 finds them in its input after it has said that it is ready.
    """

    def __init__(self, arguments: Sequence[str], settings: ProcessSettings) -> None:
        self.arguments = tuple(arguments)
        self.hello: Hello | None = None
        self._settings = settings
        self._child = Child(arguments)
        self._is_new = True
        self._game: AnyGame | None = None
        self._unannounced = b""  # the game that is announced together with the next turn
        self._left: float | None = None  # of the time for the match

    def begin(self, game: AnyGame, seed: int) -> None:
        """Announce a match. A program of protocol 2 says when it is ready."""
        settings = self._settings
        self._game, self._left = game, settings.match_seconds or None
        protocol = 2 if self.hello else 1
        message = game_message(game, seed, settings.seconds, match_seconds=settings.match_seconds, protocol=protocol)
        if self.hello:
            self._check_game(self.hello)
            self._child.check_silent()
            self._child.send(as_line(message))
            self._wait_until_ready()
        else:
            self._unannounced = as_line(message)

    def ask(self, match: ReadOnlyMatch) -> Answer:
        """Return the program's move, or raise Forfeit."""
        limit = self._settings.seconds if self._left is None else min(self._settings.seconds, self._left)
        late = self._too_late(limit)
        self._child.check_silent()
        self._child.send(self._unannounced + as_line(turn_message(match, self._left)))
        self._unannounced = b""
        started = time.monotonic()
        if self._is_new:
            self._is_new = False
            first = max(limit, self._settings.start_seconds)
            line = self._line(first, f"The program wrote no line within {seconds_text(first)}.")
            if type_of(line) == "hello":
                self.hello = read_hello(line)
                self._check_game(self.hello)
                self._wait_until_ready()
                started = time.monotonic()
                line = self._line(limit, late)
        else:
            line = self._line(limit, late)
        note = NOTHING
        while self.hello and type_of(line) == "info":
            note = read_info(line).after(note)
            line = self._line(started + limit - time.monotonic(), late)
        seconds = time.monotonic() - started
        if seconds > limit:
            raise Forfeit(ForfeitKind.TIMEOUT, late)
        move = read_answer(line, match)
        if self._left is not None:
            self._left = max(0.0, self._left - seconds)
        return Answer(move, None if note == NOTHING else note, seconds)

    def end_match(self, match: ReadOnlyMatch, seat: Player, outcome: Outcome, reason: Reason, why: str = "") -> None:
        """Tell a program of protocol 2 how the match ended."""
        if self.hello:
            self.send(result_message(match, seat, outcome, reason, why))

    @property
    def plays_on(self) -> bool:
        """True if the program can play another match in the same process."""
        return self.hello is not None and self.hello.can_do(MATCHES) and not self.has_ended()

    def has_ended(self) -> bool:
        """Return True if the program has closed its output."""
        return self._child.has_ended()

    def is_silent(self, seconds: float) -> bool:
        """Return True if the program goes on running and writes nothing for this time."""
        return self._child.is_silent(seconds)

    def send(self, message: dict[str, Any]) -> None:
        """Send a message that asks for nothing."""
        self._child.send(as_line(message))

    def close(self) -> bool:
        """End the program. Return True if it ended by itself when its input did."""
        return self._child.close()

    def _line(self, seconds: float, late: str) -> bytes:
        """Return the next line of the program, or raise Forfeit. `late` says what is wrong if there is none in time."""
        try:
            return self._child.line(seconds)
        except TimeoutError:
            raise Forfeit(ForfeitKind.TIMEOUT, late) from None

    def _too_late(self, limit: float) -> str:
        if limit < self._settings.seconds:
            return f"The program used up its {seconds_text(self._settings.match_seconds)} for the match."
        return f"The program did not answer within {seconds_text(limit)}."

    def _wait_until_ready(self) -> None:
        seconds = self._settings.start_seconds
        line = self._line(seconds, f"The program was not ready within {seconds_text(seconds)}.")
        if (kind := type_of(line)) != "ready":
            raise Forfeit(ForfeitKind.ILLEGAL, f"The program wrote a line of type '{kind}' before it was ready.")

    def _check_game(self, hello: Hello) -> None:
        """Raise StoppedError if the program says that it does not play this game, which is no loss of anybody's."""
        assert self._game is not None
        name = label(self._game)
        if hello.games is not None and name not in hello.games:
            listed = ", ".join(hello.games) or "none"
            raise StoppedError(f"The program {hello.name} does not play {name}. The games that it plays: {listed}.")
