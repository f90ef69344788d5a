"""Puzzles in the terminal: one after the other, with help in steps."""

import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple, NoReturn

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move
from duelbook.games import GAMES, find_rules, name_of, title
from duelbook.narration import Seating, narration_for
from duelbook.play.puzzle_attempt import PuzzleAttempt, today
from duelbook.play.puzzle_progress import load_progress, marks_text
from duelbook.records.record import MAX_SEED
from duelbook.study.daily_puzzle import FIRST_DAY, puzzle_of_the_day
from duelbook.study.puzzle_bank import levels_text, listed_places, position_after, puzzle_levels, wanted_text
from duelbook.study.puzzle_kinds import LEVELS, Kind, Puzzle
from duelbook.study.puzzles import find_any_puzzle, find_puzzle, listed_puzzle, task_text
from duelbook.terminal import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.terminal.move_dialogue import LeaveError, MoveDialogue, ask_word
from duelbook.terminal.screen import NOTE, RESULT, WARNING, Screen
from duelbook.text import shorten

HELP = "Type a move, or: board, moves, rules, hint (again for more), answer (the solution), next (another puzzle), quit"
TODAY = "today"
MAX_CHOSEN_SEED = 10**6  # of a puzzle that nobody asked for by seed: few digits to type
MAX_TRIES = 5  # seeds that may bring a puzzle which was shown already, before one is taken from the list


class NextError(Exception):
    """The person wants another puzzle."""


class NoMorePuzzlesError(RefusedError):
    """Every puzzle that is wanted has been shown."""


class Request(NamedTuple):
    """Which puzzle is wanted: that of a day, one of a list, or one by its seed. Without a game, in any of them."""

    game: str | None = None
    seed: int = 0
    level: int | None = None
    kind: Kind = Kind.WIN
    day: date | None = None
    listed: tuple[str, int] | None = None  # a game, and the number of the puzzle in its list
    shown: frozenset[tuple[AnyGame, Any]] = frozenset()  # positions that are not wanted again

    def find(self) -> Puzzle:
        if self.day:
            return puzzle_of_the_day(self.day)
        if self.listed:
            return listed_puzzle(*self.listed, self.level, self.kind)
        if self.game:
            return find_puzzle(self.game, str(self.seed), self.level, self.kind)
        return find_any_puzzle(self._games(), str(self.seed), self.level, self.kind)

    def _games(self) -> list[str]:
        return [self.game] if self.game else random.Random(self.seed).sample(list(GAMES), len(GAMES))

    def find_new(self) -> "tuple[Request, Puzzle]":
        """Return a puzzle that was not shown, and the request that finds it again. Raise NoMorePuzzlesError."""
        request = self
        for _ in range(MAX_TRIES):
            puzzle = request.find()
            if (puzzle.game, puzzle.state) not in self.shown:
                return request, puzzle
            request = request.following(puzzle)
        for name in self._games():
            with suppress(RefusedError):  # it is too large to be solved
                for number, (game, moves) in enumerate(listed_places(name, self.level, self.kind), 1):
                    if (game, position_after(game, moves)) not in self.shown:
                        request = self._replace(listed=(name, number))
                        return request, request.find()
        where = f" of {title(self.game)}" if self.game else ""
        raise NoMorePuzzlesError(
            f"You have seen every puzzle{wanted_text(self.level, self.kind)}{where}. Try another level, kind or game."
        )

    def command(self, puzzle: Puzzle) -> str:
        """Return the command that shows the puzzle again."""
        if self.day:
            return f"duelbook puzzle --day {self.day}"
        level = f" --level {self.level}" if self.level else ""
        kind = f" --kind {self.kind}" if self.kind is not Kind.WIN else ""
        which = f"--number {self.listed[1]}" if self.listed else f"--seed {self.seed}"
        return f"duelbook puzzle {name_of(puzzle.game)}{level}{kind} {which}"

    def title(self, puzzle: Puzzle) -> str:
        of_the_day = f" of {self.day}" if self.day else ""
        return f"Puzzle{of_the_day}: {title(name_of(puzzle.game))}, level {puzzle.level} of 5"

    def following(self, puzzle: Puzzle) -> "Request":
        """Return the request for another puzzle like this one, which was shown."""
        shown = self.shown | {(puzzle.game, puzzle.state)}
        if self.day:
            return Request(name_of(puzzle.game), secrets.randbelow(MAX_CHOSEN_SEED), shown=shown)
        return self._replace(seed=(self.seed + 1) % (MAX_SEED + 1), listed=None, shown=shown)


def read_request(
    game: str | None,
    seed: int | None,
    level: int | None,
    kind: str | None,
    day: str | None,
    number: int | None = None,
) -> Request:
    """Return what the arguments of the command ask for. `day` is `today` or a date."""
    if day is not None:
        if game or level or kind or seed is not None or number is not None:
            flag = "--daily" if day == TODAY else "--day"
            raise RefusedError(f"{flag} cannot be combined with GAME, --level, --kind, --seed or --number.")
        return Request(day=_day(day))
    if game:
        find_rules(game)
    if number is not None and (game is None or seed is not None):
        raise RefusedError("--number needs GAME, and cannot be combined with --seed.")
    chosen = secrets.randbelow(MAX_CHOSEN_SEED) if seed is None else seed
    listed = (game, number) if game and number is not None else None
    return Request(game, chosen, level, _kind(kind) if kind else _usual_kind(game, level), listed=listed)


def _usual_kind(game: str | None, level: int | None) -> Kind:
    """Return the kind of puzzle for somebody who names none: one that has the level, if the usual kind has not."""
    if game is None or level is None:
        return Kind.WIN
    having = [kind for kind, levels in puzzle_levels(game).items() if level in levels]
    return Kind.WIN if Kind.WIN in having or not having else having[0]


def _day(text: str) -> date:
    latest = today()
    try:
        day = latest if text == TODAY else date.fromisoformat(text)
    except ValueError:
        raise RefusedError(f"'{shorten(text)}' is not a day. Write it as {latest}.") from None
    if not FIRST_DAY <= day <= latest:
        raise RefusedError(f"There are puzzles for the days from {FIRST_DAY} to {latest}, not for {day}.")
    return day


def _kind(name: str | None) -> Kind:
    try:
        return Kind(name or Kind.WIN)
    except ValueError:
        raise RefusedError(f"Unknown kind of puzzle '{shorten(name or '')}'. Kinds: {', '.join(Kind)}.") from None


def question_text(puzzle: Puzzle, mover: str) -> str:
    """Return what is asked, to the player with this name."""
    if puzzle.kind is Kind.WIN:
        return f"One move wins for {mover}. Which one?"
    return f"It is the turn of {mover}. {task_text(puzzle)}"


def other_levels(request: Request, puzzle: Puzzle) -> dict[str, int | None]:
    """Return the level of a harder and of an easier puzzle, or None where there is no such level."""
    known = puzzle_levels(request.game).get(request.kind, []) if request.game else [*LEVELS]
    now = request.level or puzzle.level
    return {
        "harder": min((level for level in known if level > now), default=None),
        "easier": max((level for level in known if level < now), default=None),
    }


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


def pose(request: Request, screen: Screen) -> int:
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


def _ask_next(request: Request, puzzle: Puzzle, screen: Screen, *, more: bool = True) -> Request:
    """Ask which puzzle comes next; once there are no more, which level or kind. Raise LeaveError if none does."""
    levels, kinds = other_levels(request, puzzle), [] if more else _other_kinds(request)
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


def _other_kinds(request: Request) -> list[Kind]:
    return [kind for kind in (puzzle_levels(request.game) if request.game else Kind) if kind is not request.kind]


class PuzzleSession:
    """One puzzle. After a wrong move the person sees the reply to it, and may try again."""

    def __init__(self, puzzle: Puzzle, request: Request, screen: Screen) -> None:
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
        done = load_progress().days.get(str(request.day), "")
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
