"""Puzzles in the terminal: the dialogue, and the person's progress in their data folder."""

import json
import random
import secrets
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.files import write_atomic
from duelbook.game import IllegalMoveError, Move, move_names, parse_move
from duelbook.games import GAMES, name_of, title
from duelbook.narration import Seating, narration_for
from duelbook.solve import solved as solution_of
from duelbook.study.daily_puzzle import puzzle_of_the_day
from duelbook.study.hints import HintSteps
from duelbook.study.puzzle_kinds import Kind, Puzzle
from duelbook.study.puzzles import find_any_puzzle, find_puzzle, task_text, why_right, why_wrong
from duelbook.terminal import EXIT_FINISHED, EXIT_LEFT
from duelbook.terminal.commands import command_word
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, RESULT, WARNING, Screen
from duelbook.text import plural, shorten

COMMANDS = ("moves", "rules", "hint", "answer", "help", "quit")
HELP = "Type a move, or: moves, rules, hint (again for more), answer (show the solution), quit"


def pose(
    game: str | None, seed: int | None, level: int | None, kind: str | None, of_the_day: bool, screen: Screen
) -> int:
    """Pose a puzzle and return the exit code. Without a game, the puzzle may be in any of them."""
    if of_the_day:
        if game or level or kind or seed is not None:
            raise RefusedError("--daily cannot be combined with GAME, --level, --kind or --seed.")
        today = datetime.now(UTC).date()
        with screen.busy("Looking for a puzzle"):
            found = puzzle_of_the_day(today)
        return PuzzleSession(found, screen, today).run()
    chosen = secrets.randbits(32) if seed is None else seed
    names = random.Random(chosen).sample(list(GAMES), len(GAMES))
    of_kind = _kind(kind)
    with screen.busy("Looking for a puzzle"):
        if game:
            found = find_puzzle(game, str(chosen), level, of_kind)
        else:
            found = find_any_puzzle(names, str(chosen), level, of_kind)
    return PuzzleSession(found, screen, None).run()


def _kind(name: str | None) -> Kind:
    try:
        return Kind(name or Kind.WIN)
    except ValueError:
        raise RefusedError(f"Unknown kind of puzzle '{shorten(name or '')}'. Kinds: {', '.join(Kind)}.") from None


class PuzzleSession:
    """One puzzle. After a wrong move the person sees the reply to it, and may try again."""

    def __init__(self, puzzle: Puzzle, screen: Screen, day: date | None) -> None:
        self._puzzle = puzzle
        self._screen = screen
        self._day = day
        self._narration = narration_for(puzzle.game, Seating())
        self._hints = HintSteps()
        self._first_try = True

    def run(self) -> int:
        """Ask until the person finds the move, gives up or leaves. Return the exit code."""
        puzzle = self._puzzle
        of_the_day = f" of {self._day}" if self._day else ""
        self._screen.say(f"Puzzle{of_the_day}: {title(name_of(puzzle.game))}, level {puzzle.level} of 5\n")
        self._screen.say(f"{self._narration.board(puzzle.state)}\n")
        if puzzle.kind is Kind.WIN:
            self._screen.say(f"One move wins for {self._narration.mover(puzzle.state)}. Which one?")
        else:
            self._screen.say(f"It is the turn of {self._narration.mover(puzzle.state)}. {task_text(puzzle)}")
        try:
            while not self._try(self._screen.ask("Your move: ", candidates=self._candidates)):
                pass
        except EOFError:
            return EXIT_LEFT
        return EXIT_FINISHED

    def _moves(self) -> list[str]:
        return list(move_names(self._puzzle.game, self._puzzle.state))

    def _candidates(self, typed: str) -> list[str]:
        return starting_with(typed, (*self._moves(), *COMMANDS))

    def _try(self, text: str) -> bool:
        """Run a command or judge a move. Return True if the puzzle is over."""
        puzzle, word = self._puzzle, command_word(text, self._moves)
        if word == "quit":
            raise EOFError
        if word == "answer":
            self._finish(solved=False)
            return True
        if word in ("help", ""):
            self._screen.say(HELP)
        elif word == "rules":
            rules_page(puzzle.game, self._screen)
        elif word == "hint":
            self._hint()
        elif word == "moves":
            self._screen.say(self._narration.legal(puzzle.state))
        else:
            return self._judge(text)
        return False

    def _hint(self) -> None:
        step = self._hints.next(self._puzzle.game, self._puzzle.state)
        self._first_try = self._first_try and step.number == 0  # a nudge does not name the move
        self._screen.show_hint(step.text, step.note)

    def _judge(self, text: str) -> bool:
        puzzle = self._puzzle
        try:
            move = parse_move(puzzle.game, puzzle.state, text)
        except IllegalMoveError as error:
            self._screen.say(str(error), WARNING)
            return False
        if move in puzzle.right:
            self._finish(solved=True, move=move)
            return True
        self._first_try = False
        self._screen.say(f"{why_wrong(puzzle, move).text} Try again.", WARNING)
        return False

    def _finish(self, solved: bool, move: Move | None = None) -> None:
        puzzle = self._puzzle
        chosen = puzzle.answer if move is None else move
        name = puzzle.game.move_name(puzzle.state, chosen)
        found = "Right" if solved else "The answer"
        own_moves = solution_of(puzzle.game).own_moves(puzzle.state, chosen) or 0
        does = f"wins in {plural(own_moves, 'move')}" if puzzle.wins() else "does not lose"
        self._screen.say(f"{found}: {name} {does}. {why_right(puzzle, chosen).text}".rstrip(), RESULT)
        progress = load_progress(progress_file())
        progress.count(solved and self._first_try, self._day)
        save_progress(progress, progress_file())
        self._screen.say(progress.text(), NOTE)


class Progress(msgspec.Struct, forbid_unknown_fields=True):
    """Puzzles solved at the first try, puzzles tried, and the days in a row with the daily puzzle solved."""

    solved: int = 0
    tried: int = 0
    streak: int = 0
    last_day: str = ""

    def count(self, solved: bool, day: date | None) -> None:
        """Count a puzzle. `day` is the day of a daily puzzle, which counts once."""
        if day and self.last_day == day.isoformat():
            return
        self.tried += 1
        self.solved += solved
        if day:
            follows = self.last_day == (day - timedelta(days=1)).isoformat()
            self.streak = (self.streak if follows else 0) + 1 if solved else 0
            self.last_day = day.isoformat()

    def text(self) -> str:
        streak = f" Daily streak: {self.streak}." if self.last_day else ""
        return f"Solved at the first try: {self.solved} of {self.tried}.{streak}"


def progress_file() -> Path:
    return user_data_path("duelbook") / "puzzles.json"


def load_progress(path: Path) -> Progress:
    """Return the progress in the file; fresh progress if the file is missing or damaged."""
    with suppress(OSError, RefusedError):
        return read(path.read_bytes(), Progress)
    return Progress()


def save_progress(progress: Progress, path: Path) -> None:
    """Write the file atomically. A folder that cannot be written to is no reason to stop."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, (json.dumps(msgspec.structs.asdict(progress), indent=2) + "\n").encode())
