"""Which puzzle is wanted: that of a day, one by its seed, or one of a game's list, by level and kind."""

import random
import secrets
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import GAMES, find_rules, name_of, title
from duelbook.records.record import MAX_SEED
from duelbook.study.daily_puzzle import FIRST_DAY, puzzle_of_the_day
from duelbook.study.puzzle_bank import listed_places, position_after, puzzle_levels, wanted_text
from duelbook.study.puzzle_kinds import LEVELS, Puzzle, PuzzleKind
from duelbook.study.puzzles import find_any_puzzle, find_puzzle, listed_puzzle, task_text
from duelbook.text import shorten

TODAY = "today"
MAX_CHOSEN_SEED = 10**6  # of a puzzle that nobody asked for by seed: few digits to type
MAX_TRIES = 5  # seeds that may bring a puzzle which was shown already, before one is taken from the list


def today() -> date:
    """Return the day of the puzzle of the day, which is the same everywhere."""
    return datetime.now(UTC).date()


class NoMorePuzzlesError(RefusedError):
    """Every puzzle that is wanted has been shown."""


class PuzzleRequest(NamedTuple):
    """Which puzzle is wanted: that of a day, one of a list, or one by its seed. Without a game, in any of them."""

    game: str | None = None
    seed: int = 0
    level: int | None = None
    kind: PuzzleKind = PuzzleKind.WIN
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

    def find_new(self) -> "tuple[PuzzleRequest, Puzzle]":
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
        kind = f" --kind {self.kind}" if self.kind is not PuzzleKind.WIN else ""
        which = f"--number {self.listed[1]}" if self.listed else f"--seed {self.seed}"
        return f"duelbook puzzle {name_of(puzzle.game)}{level}{kind} {which}"

    def title(self, puzzle: Puzzle) -> str:
        of_the_day = f" of {self.day}" if self.day else ""
        return f"Puzzle{of_the_day}: {title(name_of(puzzle.game))}, level {puzzle.level} of 5"

    def following(self, puzzle: Puzzle) -> "PuzzleRequest":
        """Return the request for another puzzle like this one, which was shown."""
        shown = self.shown | {(puzzle.game, puzzle.state)}
        if self.day:
            return PuzzleRequest(name_of(puzzle.game), secrets.randbelow(MAX_CHOSEN_SEED), shown=shown)
        return self._replace(seed=(self.seed + 1) % (MAX_SEED + 1), listed=None, shown=shown)


def read_request(
    game: str | None,
    seed: int | None,
    level: int | None,
    kind: str | None,
    day: str | None,
    number: int | None = None,
) -> PuzzleRequest:
    """Return what the arguments of the command ask for. `day` is `today` or a date."""
    if day is not None:
        if game or level or kind or seed is not None or number is not None:
            flag = "--daily" if day == TODAY else "--day"
            raise RefusedError(f"{flag} cannot be combined with GAME, --level, --kind, --seed or --number.")
        return PuzzleRequest(day=_day(day))
    if game:
        find_rules(game)
    if number is not None and (game is None or seed is not None):
        raise RefusedError("--number needs GAME, and cannot be combined with --seed.")
    chosen = secrets.randbelow(MAX_CHOSEN_SEED) if seed is None else seed
    listed = (game, number) if game and number is not None else None
    return PuzzleRequest(game, chosen, level, _kind(kind) if kind else _usual_kind(game, level), listed=listed)


def _usual_kind(game: str | None, level: int | None) -> PuzzleKind:
    """Return the kind of puzzle for somebody who names none: one that has the level, if the usual kind has not."""
    if game is None or level is None:
        return PuzzleKind.WIN
    having = [kind for kind, levels in puzzle_levels(game).items() if level in levels]
    return PuzzleKind.WIN if PuzzleKind.WIN in having or not having else having[0]


def _day(text: str) -> date:
    latest = today()
    try:
        day = latest if text == TODAY else date.fromisoformat(text)
    except ValueError:
        raise RefusedError(f"'{shorten(text)}' is not a day. Write it as {latest}.") from None
    if not FIRST_DAY <= day <= latest:
        raise RefusedError(f"There are puzzles for the days from {FIRST_DAY} to {latest}, not for {day}.")
    return day


def _kind(name: str) -> PuzzleKind:
    try:
        return PuzzleKind(name)
    except ValueError:
        raise RefusedError(f"Unknown kind of puzzle '{shorten(name)}'. Kinds: {', '.join(PuzzleKind)}.") from None


def question_text(puzzle: Puzzle, mover: str) -> str:
    """Return what is asked, to the player with this name."""
    if puzzle.kind is PuzzleKind.WIN:
        return f"One move wins for {mover}. Which one?"
    return f"It is the turn of {mover}. {task_text(puzzle)}"


def other_levels(request: PuzzleRequest, puzzle: Puzzle) -> dict[str, int | None]:
    """Return the level of a harder and of an easier puzzle, or None where there is no such level."""
    known = puzzle_levels(request.game).get(request.kind, []) if request.game else [*LEVELS]
    now = request.level or puzzle.level
    return {
        "harder": min((level for level in known if level > now), default=None),
        "easier": max((level for level in known if level < now), default=None),
    }


def other_kinds(request: PuzzleRequest) -> list[PuzzleKind]:
    """Return the kinds of puzzles that the games have besides the one that is wanted."""
    return [kind for kind in (puzzle_levels(request.game) if request.game else PuzzleKind) if kind is not request.kind]
