"""The agent that asks a program for its moves."""

import json
import os
import random
import shlex
import shutil
from dataclasses import dataclass
from typing import Any

from duelbook.agents import Forfeit, ForfeitKind
from duelbook.agents.process.child import Child
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, Move, move_names, parse_move, state_view
from duelbook.games import name_of, rules_text
from duelbook.match import MatchView, named_moves
from duelbook.options import write_options
from duelbook.records.record import SEATS
from duelbook.settings import read_settings, setting
from duelbook.text import shorten

PREFIX = "DUELBOOK_PROCESS_"
PROTOCOL = 1  # the version of the conversation that docs/agents.md describes


@dataclass(frozen=True)
class ProcessSettings:
    """What can be set for programs; each is also the environment variable `DUELBOOK_PROCESS_` and its name."""

    seconds: float = setting(10.0, "time for one move, the start of the program included", 0.01)

    def deciding(self) -> dict[str, Any]:
        """Answer the settings that decide how a program plays, by their environment variables."""
        return {f"{PREFIX}SECONDS": self.seconds}


def read_process_settings() -> ProcessSettings:
    return read_settings(ProcessSettings, PREFIX)


class Program:
    """Plays what the program answers; a program that does not answer with a legal move in time forfeits."""

    def __init__(self, rng: random.Random, command: str) -> None:
        self._arguments = _arguments(command)
        self._seconds = read_process_settings().seconds
        self._rng = rng
        self._child: Child | None = None
        self._game: AnyGame | None = None
        self._seen: list[Move] = []  # moves of the match that the program was asked about last

    def choose(self, match: MatchView) -> Move:
        if self._child is None:
            self._child = Child(self._arguments)
        try:
            answer = self._child.ask(self._opening(match) + _line(turn(match)), self._seconds)
            return read_answer(answer, match)
        except Forfeit:
            self.close()  # whatever it says next would be taken for the answer to another question
            raise

    def close(self) -> None:
        if self._child:
            self._child.close()
        self._child, self._game = None, None

    def _opening(self, match: MatchView) -> bytes:
        """Answer what has to be said before the turn: that this is another game, if it is."""
        goes_on = match.game == self._game and list(match.moves[: len(self._seen)]) == self._seen
        self._game, self._seen = match.game, list(match.moves)
        return b"" if goes_on else _line(opening(match.game, self._rng.getrandbits(32), self._seconds))


def opening(game: AnyGame, seed: int, seconds: float) -> dict[str, Any]:
    """Answer the line that says which game is played, by which rules."""
    name = name_of(game)
    return {
        "type": "game",
        "protocol": PROTOCOL,
        "game": name,
        "options": write_options(game),
        "rules": rules_text(name),
        "seed": seed,
        "seconds": seconds,
    }


def turn(match: MatchView) -> dict[str, Any]:
    """Answer the line that asks for a move; what is legal comes last, where simple tools find it."""
    game, state = match.game, match.state
    return {
        "type": "turn",
        "seat": SEATS[match.mover],
        "history": [name for _, name in named_moves(match)],
        "state": state_view(game, state),
        "text": game.render(state),
        "legal": list(move_names(game, state)),
    }


def read_answer(line: bytes, match: MatchView) -> Move:
    """Answer the move in `{"move": NAME}`; anything else is a forfeit."""
    try:
        answer = parse(line)
        if not isinstance(answer, dict) or not isinstance(answer.get("move"), str):
            raise RefusedError('not an object with the text "move"')
        return parse_move(match.game, match.state, answer["move"])
    except IllegalMoveError as error:
        raise Forfeit(ForfeitKind.ILLEGAL, f"the program answered: {error}") from error
    except RefusedError as error:
        said = shorten(line.decode(errors="replace"))
        raise Forfeit(ForfeitKind.ILLEGAL, f"the program answered '{said}', which is no move: {error}") from error


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _arguments(command: str) -> list[str]:
    """Answer the words of the command, or refuse one that cannot be run; no shell reads it."""
    if not hasattr(os, "killpg"):
        raise RefusedError("programs as players need a system with process groups, which this one lacks")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RefusedError(f"the command '{shorten(command)}' cannot be read: {str(error).lower()}") from error
    if not words or not shutil.which(words[0]):
        raise RefusedError(f"'{shorten(words[0] if words else command)}' is no program that can be run")
    return words
