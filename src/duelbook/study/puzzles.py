"""Puzzles: positions with exactly one winning move, found with exact values."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from duelbook.agents.greedy import loses_at_once
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome, offered_moves
from duelbook.games import BUILT_IN, GAMES, make, origin
from duelbook.match import ply_limit
from duelbook.narration import Voice
from duelbook.options import draw, drawn_options
from duelbook.solve import ScoredMove, Value, solved
from duelbook.study.facts import Comment, ValueName
from duelbook.study.reason_wording import short_reason
from duelbook.study.reasons import Reasons
from duelbook.study.wording import ending_text, explanation, refutation_text

LEVELS = range(1, 6)
LEVEL_BY_PLIES = {1: 1, 3: 2, 5: 3, 9: 4}  # the level of a win in at most that many plies; a longer win is level 5
EASY_CHOICES = 2  # a puzzle is a level easier if a greedy player would hesitate between at most this many moves
MAX_GAMES_SEARCHED = 3000  # random games that are searched for a puzzle
MAX_DRAWS_SEARCHED = 10  # of a game that starts from a draw
PUZZLE_PROBABILITY = 0.5  # of taking a position that is a puzzle
STRAY_PROBABILITY = 0.4  # of playing any move instead of the best one in those games
MAX_REFUTATION_PLIES = 8
MIN_DAILY_POSITIONS = 100  # of a game that has daily puzzles


class Puzzle(NamedTuple):
    """A position in which one move wins and no other does."""

    game: AnyGame
    moves: tuple[Move, ...]  # that led to the position
    state: Any
    answer: Move
    plies: int  # to the win
    level: int

    def move_names(self) -> list[str]:
        """Return the names of the moves that led to the position."""
        state, names = self.game.initial(), []
        for move in self.moves:
            names.append(self.game.move_name(state, move))
            state = self.game.play(state, move)
        return names

    def own_moves(self) -> int:
        """Return how many moves the player makes to win, beginning with the answer."""
        return solved(self.game).own_moves(self.state, self.answer) or 0


def find_puzzle(game: str | AnyGame, seed: str, level: int | None = None) -> Puzzle:
    """Return a puzzle of the game and level, always the same one for a seed. Raise RefusedError if there is none.

    A start that is drawn is drawn by the seed. A game in hand is taken as it is.
    """
    starts, rng = _starts(game, seed), random.Random(seed)
    for start in starts:
        for puzzle in _candidates(start(), rng, MAX_GAMES_SEARCHED // len(starts)):
            if level in (None, puzzle.level):
                return puzzle
    if level:
        raise RefusedError(f"This game has no puzzle of level {level}. Try another level.")
    raise RefusedError("This game has no puzzle. Try another game.")


def find_any_puzzle(names: Sequence[str], seed: str, level: int | None = None) -> Puzzle:
    """Return a puzzle of the first of these games that has one. Raise RefusedError if none has."""
    for name in names:
        with suppress(RefusedError):  # it is too large to be solved, or has no such puzzle
            return find_puzzle(name, seed, level)
    of_level = f" of level {level}" if level else ""
    raise RefusedError(f"None of these games has a puzzle{of_level}: {', '.join(names)}.")


def puzzle_of_the_day(day: date) -> Puzzle:
    """Return the daily puzzle. It is the same for everybody, and the game changes from day to day."""
    return find_any_puzzle(games_of_the_day(day), day.isoformat())


def games_of_the_day(day: date) -> list[str]:
    """Return the games that may have the daily puzzle, starting with the one whose turn it is."""
    names = [name for name in GAMES if origin(name) == BUILT_IN and has_many_positions(make(name))]
    turn = day.toordinal() % len(names)
    return [*names[turn:], *names[:turn]]


def has_many_positions(game: AnyGame, least: int = MIN_DAILY_POSITIONS) -> bool:
    """Return True if the game has enough positions to ask about another one every day."""
    found, new = {game.initial()}, [game.initial()]
    while new and len(found) < least:
        state = new.pop()
        following = {game.play(state, move) for move in game.legal_moves(state)} - found
        found |= following
        new.extend(following)
    return len(found) >= least


def _starts(game: str | AnyGame, seed: str) -> list[Callable[[], AnyGame]]:
    """Return functions that return the game: as it is, or from one draw after the other."""
    rules = make(game)
    if not isinstance(game, str) or not drawn_options(type(rules)):
        return [lambda: rules]
    return [partial(draw, rules, random.Random(f"draw {number} {seed}")) for number in range(MAX_DRAWS_SEARCHED)]


def why_right(puzzle: Puzzle) -> Comment:
    """Return why the answer wins."""
    facts = Reasons(puzzle.game, solved(puzzle.game)).facts(puzzle.state, puzzle.answer, Voice())
    return Comment(explanation(facts, Voice()), tuple(facts))


def why_wrong(puzzle: Puzzle, wrong: Move) -> Comment:
    """Return why another move does not win."""
    game = puzzle.game
    reasons = Reasons(game, solved(game))
    facts = reasons.refutation(puzzle.state, wrong, Voice())
    name, player = game.move_name(puzzle.state, wrong), SEAT_NAMES[game.mover(puzzle.state)]
    if not facts:
        value: ValueName = "draw" if game.outcome(game.play(puzzle.state, wrong)) == Outcome.DRAW else "loss"
        effect = reasons.effect(puzzle.state, wrong, Voice())
        return Comment(f"{name} does not win: it {ending_text(effect, value)}.", ())
    text = f"{name} does not win: {refutation_text(facts, player, Voice())}."
    reason = short_reason(facts, Voice().turned()) if facts[0].player != player else ""
    return Comment(f"{text} {reason}".rstrip(), tuple(facts))


def refutation(puzzle: Puzzle, wrong: Move) -> list[str]:
    """Return the names of the moves of best play after a wrong answer, starting with the opponent's reply."""
    game, solution = puzzle.game, solved(puzzle.game)
    state = game.play(puzzle.state, wrong)
    line: list[str] = []
    while len(line) < MAX_REFUTATION_PLIES and game.outcome(state) == Outcome.UNDECIDED:
        best = solution.moves(state)[0].move
        line.append(game.move_name(state, best))
        state = game.play(state, best)
    return line


def greedy_choices(game: AnyGame, state: Any) -> int:
    """Return the number of moves that a greedy player would consider: those that do not lose at once."""
    mover = game.mover(state)
    return sum(not loses_at_once(game, game.play(state, move), mover) for move in game.legal_moves(state))


def _candidates(game: AnyGame, rng: random.Random, games: int) -> Iterator[Puzzle]:
    """Play games that are good but not perfect, and yield the puzzles in them."""
    solution, most = solved(game), ply_limit(game)  # play may be endless
    if not solution.can_end():
        return
    for _ in range(games):
        state = game.initial()
        moves: list[Move] = []
        while game.outcome(state) == Outcome.UNDECIDED and len(moves) < most:
            scored = solution.moves(state)
            puzzle = _as_puzzle(game, tuple(moves), state, scored)
            if puzzle and rng.random() < PUZZLE_PROBABILITY:
                yield puzzle
            moves.append(_good_move(scored, rng))
            state = game.play(state, moves[-1])


def _good_move(scored: Sequence[ScoredMove], rng: random.Random) -> Move:
    """Return the best move, or sometimes any. Each result has the same chance, however many moves lead to it."""
    if rng.random() >= STRAY_PROBABILITY:
        return scored[0].move
    result = rng.choice(sorted({_result(move) for move in scored}))
    return rng.choice([move.move for move in scored if _result(move) == result])


def _result(scored: ScoredMove) -> tuple[Value, int]:
    return scored.value, scored.remoteness or 0


def _as_puzzle(game: AnyGame, moves: tuple[Move, ...], state: Any, scored: Sequence[ScoredMove]) -> Puzzle | None:
    """Return the position as a puzzle, or None unless exactly one move wins and the computer may suggest it."""
    one_wins = len(scored) > 1 and scored[0].value is Value.WIN != scored[1].value
    if not one_wins or scored[0].move not in offered_moves(game, state):
        return None
    plies = scored[0].plies or 0
    level = next((level for most, level in LEVEL_BY_PLIES.items() if plies <= most), LEVELS[-1])
    level = max(LEVELS[0], level - (greedy_choices(game, state) <= EASY_CHOICES))
    return Puzzle(game, moves, state, scored[0].move, plies, level)
