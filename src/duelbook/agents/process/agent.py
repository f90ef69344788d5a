"""The agent that asks a program for its moves."""

import json
import os
import random
import shlex
import shutil
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from duelbook import documents
from duelbook.agents.agent import Forfeit, ForfeitKind
from duelbook.agents.process.child import Child
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, IllegalMoveError, Move, move_names, parse_move, state_view
from duelbook.games import label, rules_text
from duelbook.match import ReadOnlyMatch, named_moves
from duelbook.options import write_options
from duelbook.settings import read_settings, setting
from duelbook.text import shorten

PREFIX = "DUELBOOK_PROCESS_"
PROTOCOL = 1  # the version of the protocol in docs/agents.md


@dataclass(frozen=True)
class ProcessSettings:
    """The settings for programs. Each is also an environment variable: `DUELBOOK_PROCESS_` and its name."""

    seconds: float = setting(10.0, "time for one move, including the start of the program", 0.01)

    def play_settings(self) -> dict[str, Any]:
        """Return the settings that affect how a program plays, by their environment variables."""
        return {f"{PREFIX}SECONDS": self.seconds}


def read_process_settings() -> ProcessSettings:
    return read_settings(ProcessSettings, PREFIX)


class ProcessAgent:
    """Plays the moves that the program sends. A program that sends no legal move in time forfeits."""

    def __init__(self, rng: random.Random, command: str) -> None:
        self._arguments = _arguments(command)
        self._seconds = read_process_settings().seconds
        self._rng = rng
        self._child: Child | None = None
        self._game: AnyGame | None = None
        self._seen: list[Move] = []  # moves of the match at the time of the last question

    def choose(self, match: ReadOnlyMatch) -> Move:
        if self._child is None:
            self._child = Child(self._arguments)
        try:
            answer = self._child.ask(self._opening(match) + _line(turn(match)), self._seconds)
            return read_answer(answer, match)
        except Forfeit:
            self.close()  # or its next line would count as the answer to another question
            raise

    def close(self) -> None:
        if self._child:
            self._child.close()
        self._child, self._game = None, None

    def _opening(self, match: ReadOnlyMatch) -> bytes:
        """Return the line that announces the game, or nothing if the program knows this match already."""
        continues = match.game == self._game and list(match.moves[: len(self._seen)]) == self._seen
        self._game, self._seen = match.game, list(match.moves)
        return b"" if continues else _line(opening(match.game, self._rng.getrandbits(32), self._seconds))


def opening(game: AnyGame, seed: int, seconds: float) -> dict[str, Any]:
    """Return the message that announces the game and its rules."""
    name = label(game)
    return {
        "type": "game",
        "protocol": PROTOCOL,
        "game": name,
        "options": write_options(game),
        "rules": rules_text(game),
        "seed": seed,
        "seconds": seconds,
    }


def turn(match: ReadOnlyMatch) -> dict[str, Any]:
    """Return the message that asks for a move. The legal moves come last, where simple tools find them."""
    game, state = match.game, match.state
    return {
        "type": "turn",
        "seat": SEAT_NAMES[match.mover],
        "history": [name for _, name in named_moves(match)],
        "state": state_view(game, state),
        "text": game.render(state),
        "legal": list(move_names(game, state)),
    }


class _Answer(Struct):
    """A program's answer. It may have further fields."""

    move: str


def read_answer(line: bytes, match: ReadOnlyMatch) -> Move:
    """Return the move in `{"move": NAME}`, or raise Forfeit."""
    try:
        return parse_move(match.game, match.state, documents.read(line, _Answer).move)
    except IllegalMoveError as error:
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's answer is not a legal move: {error}") from error
    except RefusedError as error:
        answer = shorten(line.decode(errors="replace"))
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's answer '{answer}' is not a move. {error}") from error


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _arguments(command: str) -> list[str]:
    """Return the words of the command, or raise RefusedError if it cannot be run. No shell interprets it."""
    if not hasattr(os, "killpg"):
        raise RefusedError("Programs cannot play on this system: it has no process groups.")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RefusedError(f"The command '{shorten(command)}' cannot be read: {str(error).lower()}.") from error
    if not words or not shutil.which(words[0]):
        name = shorten(words[0] if words else command)
        raise RefusedError(f"'{name}' is not an executable program. Give a path or a name on the PATH.")
    return words
