"""Puzzles in the terminal: one after the other, with help in steps."""

from collections.abc import Callable
from typing import NoReturn

from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.games import GAMES
from duelbook.narration import Seating, narration_for
from duelbook.play.progress import load_puzzles, marks_text
from duelbook.play.puzzle_attempt import PuzzleAttempt
from duelbook.play.puzzle_request import NoMorePuzzlesError, PuzzleRequest, other_kinds, other_levels, question_text
from duelbook.study.puzzle_bank import levels_text, puzzle_levels
from duelbook.study.puzzle_kinds import Kind, Puzzle
from duelbook.terminal import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.terminal.move_dialogue import LeaveError, MoveDialogue, ask_word
from duelbook.terminal.screen import NOTE, RESULT, WARNING, Screen

HELP = "Type a move, or: board, moves, rules, hint (again for more), answer (the solution), next (another puzzle), quit"


class NextError(Exception):
    """The person wants another puzzle."""


def levels_page(game: str | None, screen: Screen) -> None:
    """Show the kinds and levels of puzzles that a game has, or all games."""
    names = [game] if game else list(GAMES)
    width = max(map(len, names))
    for name in names:
        try:
            with screen.busy(f"Looking for puzzles of {name}"):
                known = levels_text(puzzle_levels(name)) or "none"
        except RefusedError as error:
            if game:
                raise
            known = f"none. {error}"
        screen.say(f"{name.ljust(width)}  {known}")


def pose(request: PuzzleRequest, screen: Screen) -> int:
    """Pose the puzzle and, at a terminal, others after it. Return the exit code."""
    wanted, puzzle = request, None
    try:
        while True:
            try:
                with screen.busy("Looking for a puzzle"):
                    request, puzzle = wanted.find_new()
                PuzzleSession(puzzle, request, screen).run()
                if not screen.can_answer():
                    return EXIT_FINISHED
                wanted = _ask_next(request, puzzle, screen)
            except NextError:
                assert puzzle
                wanted = request.following(puzzle)
            except NoMorePuzzlesError as error:
                assert puzzle
                screen.say(str(error), NOTE)
                if not screen.can_answer():
                    return EXIT_FINISHED
                wanted = _ask_next(wanted, puzzle, screen, more=False)
            screen.say()
    except (LeaveError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _ask_next(request: PuzzleRequest, puzzle: Puzzle, screen: Screen, *, more: bool = True) -> PuzzleRequest:
    """Ask which puzzle comes next; once there are no more, which level or kind. Raise LeaveError if none does."""
    levels, kinds = other_levels(request, puzzle), [] if more else other_kinds(request)
    offered = [
        *(["Enter for the next puzzle"] if more else []),
        *(word for word, level in levels.items() if level and not request.day),
        *kinds,
        "quit",
    ]
    while True:
        word = ask_word(f"\nWhat now ({', '.join(offered)})? ", ("next", *levels, *kinds, "quit"), screen)
        following = request.following(puzzle)
        if more and word in ("", "next"):
            return following
        if word in kinds:
            return following._replace(kind=Kind(word), level=None)
        if word in levels and not request.day:
            level = levels[word]
            if level:
                return following._replace(level=level)
            screen.say(f"There is no {word} level.", WARNING)
        else:
            screen.say(f"Type one of these: {', '.join(offered)}.", WARNING)


class PuzzleSession:
    """One puzzle. After a wrong move the person sees the reply to it, and may try again."""

    def __init__(self, puzzle: Puzzle, request: PuzzleRequest, screen: Screen) -> None:
        self._puzzle, self._request, self._screen = puzzle, request, screen
        self._narration = narration_for(puzzle.game, Seating())
        self._attempt = PuzzleAttempt(puzzle, request.day)
        commands: dict[str, Callable[[], None]] = {"hint": self._hint, "answer": self._answer, "next": self._next}
        self._dialogue = MoveDialogue(self._narration, puzzle.state, screen, commands, HELP)

    def run(self) -> None:
        """Ask until the person finds the move or gives up. Raise LeaveError, NextError or EOFError if they go."""
        self._show_puzzle()
        try:
            while not self._judge(self._dialogue.ask()):
                pass
        except _ShowAnswerError:
            self._finish(self._puzzle.answer, solved=False)

    def _show_puzzle(self) -> None:
        puzzle, request, screen = self._puzzle, self._request, self._screen
        screen.say(request.title(puzzle))
        screen.say(f"(To see it again: {request.command(puzzle)})\n", NOTE)
        done = load_puzzles().days.get(str(request.day), "")
        if done:
            screen.say(f"You have done this puzzle before: {marks_text(done)} It does not count again.\n", NOTE)
        screen.say(f"{self._narration.board(puzzle.state)}\n")
        screen.say(question_text(puzzle, self._narration.mover(puzzle.state)))

    def _next(self) -> NoReturn:
        raise NextError

    def _answer(self) -> NoReturn:
        raise _ShowAnswerError

    def _hint(self) -> None:
        with self._screen.busy("Looking for a hint"):
            step = self._attempt.hint()
        self._screen.show_hint(step.text, step.note)

    def _judge(self, move: Move) -> bool:
        """Return True if the move is right, after saying why it is or is not."""
        wrong = self._attempt.why_wrong(move)
        if wrong:
            self._screen.say(wrong, WARNING)
        else:
            self._finish(move, solved=True)
        return not wrong

    def _finish(self, move: Move, *, solved: bool) -> None:
        screen = self._screen
        right, standing = self._attempt.finish(move, solved=solved)
        screen.say(right, RESULT)
        screen.say(standing, NOTE)
        if self._request.day:
            screen.say("\nTo share your result:\n", NOTE)
            screen.say(self._attempt.share_text())


class _ShowAnswerError(Exception):
    """The person gives up and wants to see the answer."""
