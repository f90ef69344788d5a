"""Solve a puzzle at the terminal: a wrong answer is shown its refutation, and may be tried again."""

import random
import secrets
from datetime import UTC, date, datetime

from duelbook.dialogue import narration_class
from duelbook.errors import RefusedError
from duelbook.game import IllegalMoveError, Move, parse_move
from duelbook.games import GAMES, make, name_of, title
from duelbook.narration import Table
from duelbook.study.hints import plies_text
from duelbook.study.puzzles import Puzzle, daily, find, refutation
from duelbook.terminal import FINISHED, LEFT
from duelbook.terminal.pages import rules_page
from duelbook.terminal.progress import load_progress, progress_file, save_progress
from duelbook.terminal.screen import NOTE, REFUSAL, RESULT, Screen
from duelbook.text import fold

HELP = "Type a move, or: moves, rules, answer (show it), quit"


def pose(game: str | None, seed: int | None, level: int | None, of_the_day: bool, screen: Screen) -> int:
    """Pose the puzzle that was asked for; without a game, one in any of them."""
    if of_the_day:
        if game or level or seed is not None:
            raise RefusedError("--daily is the same for everybody and goes with nothing else")
        today = datetime.now(UTC).date()
        with screen.busy("Looking for a puzzle"):
            found = daily(today)
        return Puzzling(found, screen, today).run()
    chosen = secrets.randbits(32) if seed is None else seed
    name = game or random.Random(chosen).choice(list(GAMES))
    with screen.busy("Looking for a puzzle"):
        found = find(make(name), str(chosen), level)
    return Puzzling(found, screen, None).run()


class Puzzling:
    def __init__(self, puzzle: Puzzle, screen: Screen, day: date | None) -> None:
        self._puzzle = puzzle
        self._screen = screen
        self._day = day
        self._talk = narration_class(puzzle.game)(puzzle.game, Table())
        self._first_try = True

    def run(self) -> int:
        """Ask until the move is found, given up or left, and answer the exit code."""
        puzzle = self._puzzle
        of_the_day = f" of {self._day}" if self._day else ""
        self._screen.say(f"Puzzle{of_the_day}: {title(name_of(puzzle.game))}, level {puzzle.level} of 5\n")
        self._screen.say(f"{self._talk.board(puzzle.state)}\n")
        self._screen.say(f"One move wins for {self._talk.mover(puzzle.state)}. Which?")
        try:
            while not self._answered(self._screen.ask("Your move: ")):
                pass
        except EOFError:
            return LEFT
        return FINISHED

    def _answered(self, text: str) -> bool:
        """Tell whether the puzzle is over with this answer."""
        puzzle, word = self._puzzle, fold(text)
        if word == "quit":
            raise EOFError
        if word == "answer":
            self._finish(solved=False)
            return True
        if word in ("help", ""):
            self._screen.say(HELP)
        elif word == "rules":
            rules_page(name_of(puzzle.game), self._screen)
        elif word == "moves":
            self._screen.say(self._talk.legal(puzzle.state))
        else:
            return self._judged(text)
        return False

    def _judged(self, text: str) -> bool:
        puzzle = self._puzzle
        try:
            move = parse_move(puzzle.game, puzzle.state, text)
        except IllegalMoveError as error:
            self._screen.say(str(error), REFUSAL)
            return False
        if move == puzzle.answer:
            self._finish(solved=True)
            return True
        self._first_try = False
        self._refute(move)
        return False

    def _refute(self, wrong: Move) -> None:
        name = self._puzzle.game.move_name(self._puzzle.state, wrong)
        line = refutation(self._puzzle, wrong)
        answer = f" The answer to it: {', '.join(line)}." if line else ""
        self._screen.say(f"{name} does not win.{answer} Try again.", REFUSAL)

    def _finish(self, solved: bool) -> None:
        puzzle = self._puzzle
        name = puzzle.game.move_name(puzzle.state, puzzle.answer)
        self._screen.say(f"{'Right' if solved else 'It was'}: {name} wins in {plies_text(puzzle.plies)}.", RESULT)
        progress = load_progress(progress_file())
        progress.count(solved and self._first_try, self._day)
        save_progress(progress, progress_file())
        self._screen.say(progress.text(), NOTE)
