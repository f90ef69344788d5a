"""A program that plays: its hello, what it is told and says, and the time that it takes."""

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


class ProgramAnswer(NamedTuple):
    """A program's answer to a question."""

    move: Move
    note: Note | None  # what it said about the move
    seconds: float  # that it took


class Program:
    """A running program that has said hello."""

    def __init__(self, arguments: Sequence[str], settings: ProcessSettings) -> None:
        """Start the program and read its hello. Raise Forfeit or StoppedError if it cannot play."""
        self.arguments = tuple(arguments)
        self._settings = settings
        self._left: float | None = None  # of the time for the match
        self._child = Child(arguments)
        try:
            self.hello = self._read_hello()
        except BaseException:
            self._child.close()
            raise

    def begin(self, game: AnyGame, seed: int) -> None:
        """Announce a match, and wait until the program is ready for it."""
        self._check_game(label(game))
        settings = self._settings
        self._left = settings.match_seconds or None
        self._child.check_silent()
        self.send(game_message(game, seed, settings.seconds, settings.match_seconds))
        seconds = settings.start_seconds
        line = self._line(seconds, f"The program was not ready within {seconds_text(seconds)}.")
        if (kind := type_of(line)) != "ready":
            raise Forfeit(ForfeitKind.ILLEGAL, f"The program wrote a line of type '{kind}' before it was ready.")

    def ask(self, match: ReadOnlyMatch) -> ProgramAnswer:
        """Return the program's move, or raise Forfeit."""
        limit = self._settings.seconds if self._left is None else min(self._settings.seconds, self._left)
        late = self._too_late(limit)
        self._child.check_silent()
        started = time.monotonic()
        self.send(turn_message(match, self._left))
        line = self._line(limit, late)
        note = NOTHING
        while type_of(line) == "info":
            note = read_info(line).after(note)
            line = self._line(started + limit - time.monotonic(), late)
        seconds = time.monotonic() - started
        if seconds > limit:
            raise Forfeit(ForfeitKind.TIMEOUT, late)
        move = read_answer(line, match)
        if self._left is not None:
            self._left = max(0.0, self._left - seconds)
        return ProgramAnswer(move, None if note == NOTHING else note, seconds)

    def end_match(self, match: ReadOnlyMatch, seat: Player, outcome: Outcome, reason: Reason, why: str = "") -> None:
        """Tell the program how the match ended."""
        self.send(result_message(match, seat, outcome, reason, why))

    @property
    def plays_on(self) -> bool:
        """True if the program can play another match in the same process."""
        return self.hello.can_do(MATCHES) and not self.has_ended()

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

    def _read_hello(self) -> Hello:
        seconds = self._settings.start_seconds
        return read_hello(self._line(seconds, f"The program did not say hello within {seconds_text(seconds)}."))

    def _check_game(self, name: str) -> None:
        """Raise StoppedError if the program says that it does not play this game, which is no loss of anybody's."""
        games = self.hello.games
        if games is not None and name not in games:
            who, listed = self.hello.name, ", ".join(games) or "none"
            raise StoppedError(f"The program {who} does not play {name}. The games that it plays: {listed}.")
