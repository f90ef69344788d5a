"""Puzzles: positions with exactly one winning move, found from exact values."""

import random
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from duelbook.agents.greedy import loses_at_once
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome, offered_moves, parse_move, state_view
from duelbook.games import GAMES, make, name_of
from duelbook.options import write_options
from duelbook.solve import ScoredMove, Value, solved

LEVELS = range(1, 6)
HARDEST = {1: 1, 3: 2, 5: 3, 9: 4}  # up to so many plies to the win, the level; beyond them it is 5
TRIES = 3000  # random games that are searched for a puzzle
STRAYING = 0.4  # how often the players of those games do not play the best move


class Puzzle(NamedTuple):
    """A position that one move wins and every other gives away."""

    game: AnyGame
    moves: tuple[Move, ...]  # that led to the position
    state: Any
    answer: Move
    plies: int  # to the win
    level: int


def find(game: AnyGame, seed: str, level: int | None = None) -> Puzzle:
    """Answer a puzzle of the game, always the same for a seed, or refuse if there is none of that level."""
    for puzzle in _candidates(game, random.Random(seed)):
        if level in (None, puzzle.level):
            return puzzle
    raise RefusedError(f"no puzzle{f' of level {level}' if level else ''} was found in this game")


def daily(day: date) -> Puzzle:
    """Answer the puzzle of the day: the same for everybody, in another game each day."""
    names = [name for name in GAMES if name != "flag-chase"]  # which has only one position to ask about
    return find(make(names[day.toordinal() % len(names)]), day.isoformat())


def refutation(puzzle: Puzzle, wrong: Move, most: int = 8) -> list[str]:
    """Answer how best play goes on after a wrong answer, by move names."""
    game, solution = puzzle.game, solved(puzzle.game)
    state = game.play(puzzle.state, wrong)
    line: list[str] = []
    while len(line) < most and game.outcome(state) == Outcome.UNDECIDED:
        best = solution.moves(state)[0].move
        line.append(game.move_name(state, best))
        state = game.play(state, best)
    return line


def _candidates(game: AnyGame, rng: random.Random) -> Iterator[Puzzle]:
    """Play games that are good but not perfect, and answer the puzzles on their way."""
    solution = solved(game)
    for _ in range(TRIES):
        state = game.initial()
        moves: list[Move] = []
        while game.outcome(state) == Outcome.UNDECIDED:
            scored = solution.moves(state)
            puzzle = _puzzle(game, tuple(moves), state, scored)
            if puzzle and rng.random() < 0.5:
                yield puzzle
            moves.append(_some_move(scored, rng))
            state = game.play(state, moves[-1])


def _some_move(scored: Sequence[ScoredMove], rng: random.Random) -> Move:
    """Answer a good move, or now and then any: each result is as likely as another, however many moves lead to it."""
    if rng.random() >= STRAYING:
        return scored[0].move
    value, remoteness = rng.choice(sorted({(move.value, move.remoteness or 0) for move in scored}))
    return rng.choice([move.move for move in scored if (move.value, move.remoteness or 0) == (value, remoteness)])


def _puzzle(game: AnyGame, moves: tuple[Move, ...], state: Any, scored: Sequence[ScoredMove]) -> Puzzle | None:
    """Answer the puzzle that the position is, if one move wins and no other, and the computer may ask for it."""
    one_wins = len(scored) > 1 and scored[0].value is Value.WIN != scored[1].value
    if not one_wins or scored[0].move not in offered_moves(game, state):
        return None
    plies = (scored[0].remoteness or 0) + 1
    return Puzzle(game, moves, state, scored[0].move, plies, _level(game, state, plies))


def _level(game: AnyGame, state: Any, plies: int) -> int:
    """Grade by the length of the win; what a greedy player would find as likely as not is a level easier."""
    level = next((level for most, level in HARDEST.items() if plies <= most), 5)
    return max(1, level - (greedy_choices(game, state) <= 2))


def greedy_choices(game: AnyGame, state: Any) -> int:
    """Answer how many moves a greedy player would hesitate between: those that do not lose at once."""
    mover = game.mover(state)
    return sum(not loses_at_once(game, game.play(state, move), mover) for move in game.legal_moves(state))


def puzzle_json(puzzle: Puzzle, attempt: str | None = None) -> dict[str, Any]:
    """Answer the puzzle for tools and, if somebody tried a move, whether it was the right one."""
    game, state = puzzle.game, puzzle.state
    names = _names(game, puzzle.moves)
    posed = {
        "game": name_of(game),
        "options": write_options(game),
        "level": puzzle.level,
        "plies": puzzle.plies,
        "moves": names,
        "mover": SEAT_NAMES[game.mover(state)],
        "legal": [game.move_name(state, move) for move in offered_moves(game, state)],
        "text": game.render(state),
        "view": state_view(game, state),
    }
    return posed if attempt is None else {**posed, **_judged(puzzle, attempt)}


def _judged(puzzle: Puzzle, attempt: str) -> dict[str, Any]:
    move = parse_move(puzzle.game, puzzle.state, attempt)
    return {
        "right": move == puzzle.answer,
        "answer": puzzle.game.move_name(puzzle.state, puzzle.answer),
        "refutation": [] if move == puzzle.answer else refutation(puzzle, move),
    }


def _names(game: AnyGame, moves: Sequence[Move]) -> list[str]:
    state, names = game.initial(), []
    for move in moves:
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    return names
