"""The agent that asks a program for its moves."""

import os
import random
import shlex
import shutil

from duelbook.agents.agent import Forfeit, ForfeitKind, Introduction, TurnReport
from duelbook.agents.process.kept import KEPT
from duelbook.agents.process.program import Program
from duelbook.agents.process.settings import read_process_settings
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Player, Reason, won_by
from duelbook.match import Match, ReadOnlyMatch
from duelbook.text import shorten


class ProcessAgent:
    """Plays the moves that the program sends. A program that sends no legal move in time forfeits."""

    def __init__(self, rng: random.Random, command: str) -> None:
        self._arguments = command_words(command)
        self._settings = read_process_settings()
        self._rng = rng
        self._program: Program | None = None
        self._is_over = False  # whether the program knows that the match is over
        self._game: AnyGame | None = None
        self._seen: list[Move] = []  # moves of the match at the time of the last question
        self._seat: Player = 0
        self.last_turn = TurnReport()
        self.introduction: Introduction | None = None

    def choose(self, match: ReadOnlyMatch) -> Move:
        self._seat, self._is_over = match.mover, False
        try:
            program = self._prepared(match)
            answer = program.ask(match)
        except BaseException as error:  # or its next line would count as the answer to another question
            if isinstance(error, Forfeit) and self._program:
                self._program.end_match(match, self._seat, won_by(1 - self._seat), Reason.FORFEIT, str(error))
            self.close()
            raise
        self.introduction = Introduction(program.hello.name, program.hello.author)
        self.last_turn = TurnReport(answer.seconds, answer.note)
        return answer.move

    def _prepared(self, match: ReadOnlyMatch) -> Program:
        """Return the program, which knows the match. One that ended after its last match is started again."""
        kept = self._program is None and KEPT.take(self._arguments)
        program = self._program = self._program or kept or Program(self._arguments, self._settings)
        if self._continues(match):
            return program
        seed = self._rng.getrandbits(32)
        try:
            program.begin(match.game, seed)
        except Forfeit as error:
            if not kept or error.kind is not ForfeitKind.ERROR:
                raise
            program.close()
            program = self._program = Program(self._arguments, self._settings)
            program.begin(match.game, seed)
        return program

    def end_match(self, match: Match) -> None:
        """Tell the program how the match has ended. It may play the next match of a run."""
        if self._program:
            self._program.end_match(match, self._seat, match.outcome, match.reason)
            self._is_over = True

    def close(self) -> None:
        program, self._program, self._game = self._program, None, None
        if program and self._is_over:
            KEPT.keep(program)
        elif program:
            program.close()

    def _continues(self, match: ReadOnlyMatch) -> bool:
        """Return True if the program knows this match already."""
        continues = match.game == self._game and list(match.moves[: len(self._seen)]) == self._seen
        self._game, self._seen = match.game, list(match.moves)
        return continues


def command_words(command: str) -> list[str]:
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
