"""The puzzle of the day: the same for everybody, easy on Mondays and hard on Sundays, in all games by turns."""

import random
from collections.abc import Sequence
from datetime import date
from functools import cache

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import BUILT_IN, GAMES, make, origin
from duelbook.presets import presets_of
from duelbook.solve import try_solve
from duelbook.study.puzzle_bank import puzzle_levels
from duelbook.study.puzzle_kinds import Puzzle, PuzzleKind
from duelbook.study.puzzles import find_puzzle

FIRST_DAY = date(2026, 1, 1)  # of the calendar
WEEK_LEVELS = (1, 2, 2, 3, 3, 4, 5)  # from Monday to Sunday
MIN_POSITIONS = 100  # of a game that has daily puzzles


def puzzle_of_the_day(day: date, names: Sequence[str] = ()) -> Puzzle:
    """Return the puzzle of a day. Without names, the games of this package take turns."""
    level = WEEK_LEVELS[day.weekday()]
    rng = random.Random(f"kind {day.isoformat()}")
    for near in sorted(range(1, 6), key=lambda other: (abs(other - level), other)):
        for name in games_of_the_day(day, names):
            game = daily_game(name)
            kinds = [kind for kind, levels in _levels(name).items() if near in levels]
            if game is not None and kinds:
                return find_puzzle(game, day.isoformat(), near, rng.choice(kinds))
    raise RefusedError("None of these games has a puzzle.")


def games_of_the_day(day: date, names: Sequence[str] = ()) -> list[str]:
    """Return the games that may have the daily puzzle, starting with the one whose turn it is."""
    wanted = [name for name in names or GAMES if (names or origin(name) == BUILT_IN) and daily_game(name) is not None]
    turn = day.toordinal() % len(wanted) if wanted else 0
    return [*wanted[turn:], *wanted[:turn]]


@cache
def daily_game(name: str) -> AnyGame | None:
    """Return the game with the options of its book, or of its first preset that has enough positions."""
    games = (make(name, **preset.options) for preset in presets_of(GAMES[name]).values())
    return next((game for game in games if has_many_positions(game) and try_solve(game)), None)


def has_many_positions(game: AnyGame, least: int = MIN_POSITIONS) -> bool:
    """Return True if the game has enough positions to ask about another one every day."""
    found, new = {game.initial()}, [game.initial()]
    while new and len(found) < least:
        state = new.pop()
        following = {game.play(state, move) for move in game.legal_moves(state)} - found
        found |= following
        new.extend(following)
    return len(found) >= least


@cache
def _levels(name: str) -> dict[PuzzleKind, list[int]]:
    game = daily_game(name)
    return puzzle_levels(game) if game is not None else {}
