"""The kinds of puzzles: what is asked in a position, proven by exact values, and how hard it is."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from duelbook.agents.greedy import loses_at_once
from duelbook.game import AnyGame, Move, Outcome, offered_moves
from duelbook.solve import ScoredMove, Solution, Value, solved

LEVELS = range(1, 6)
LEVEL_BY_PLIES = {1: 1, 3: 2, 5: 3, 9: 4}  # the level of what is at most that many plies away; further is level 5
EASY_CHOICES = 2  # a puzzle is a level easier if a greedy player would hesitate between at most this many moves
MIN_DEFENCE_PLIES = 5  # an only move that wins sooner is asked for as a win
MIN_TRAP_PLIES = 3  # to the loss after a trap; a sooner one is seen at once
MAX_TRAP_REPLIES = 1 / 3  # share of the opponent's replies that win against a trap
MIN_REPLIES = 3  # to a trap
MAX_TRAPS_TRIED = 4  # in one position
MAX_RIGHT_SHARE = 1 / 2  # of the moves of a position with a trap


class PuzzleKind(StrEnum):
    """What is asked: the only move that wins, the only one that does not lose, or one that avoids a trap."""

    WIN = "win"
    ONLY_MOVE = "only-move"
    TRAP = "trap"


KIND_TEXTS = {  # for players
    PuzzleKind.WIN: "one move wins",
    PuzzleKind.ONLY_MOVE: "one move does not lose",
    PuzzleKind.TRAP: "a tempting move loses",
}


class Puzzle(NamedTuple):
    """A position with a question about it."""

    game: AnyGame
    moves: tuple[Move, ...]  # that led to the position
    state: Any
    answer: Move  # the best of the right ones
    plies: int  # to look ahead: to the win, or to the loss that the other moves or the trap lead to
    level: int
    kind: PuzzleKind = PuzzleKind.WIN
    right: tuple[Move, ...] = ()  # every right move, the best first
    trap: Move | None = None

    def move_names(self) -> list[str]:
        """Return the names of the moves that led to the position."""
        state, names = self.game.initial(), []
        for move in self.moves:
            names.append(self.game.move_name(state, move))
            state = self.game.play(state, move)
        return names

    def own_moves(self) -> int:
        """Return how many moves the player makes to the end, beginning with the answer; 0 if play is endless."""
        return solved(self.game).own_moves(self.state, self.answer) or 0

    def wins(self) -> bool:
        """Return True if the answer wins; else it draws."""
        return solved(self.game).value(self.state) is Value.WIN


def puzzles_at(game: AnyGame, moves: tuple[Move, ...], state: Any, scored: Sequence[ScoredMove]) -> Iterator[Puzzle]:
    """Yield the puzzles in a position with these moves, best first: at most one of each kind."""
    best = scored[0]
    if len(scored) < 2 or best.value is Value.LOSS or scored[-1].value is best.value:
        return
    offered = offered_moves(game, state)
    if best.move not in offered:
        return
    one_is_best, others_lose = scored[1].value is not best.value, scored[1].value is Value.LOSS
    if one_is_best and best.value is Value.WIN:
        yield _puzzle(game, moves, state, PuzzleKind.WIN, best.plies or 0, (best.move,))
    defends = best.value is Value.DRAW or (best.plies or 0) >= MIN_DEFENCE_PLIES
    if others_lose and defends and len(offered) > EASY_CHOICES:
        yield _puzzle(game, moves, state, PuzzleKind.ONLY_MOVE, scored[1].plies or 0, (best.move,))
    trap = _trap(solved(game), state, scored, offered)
    if trap:
        right = tuple(move.move for move in scored if move.value is best.value)
        yield _puzzle(game, moves, state, PuzzleKind.TRAP, trap.plies or 0, right, trap.move)


def _puzzle(
    game: AnyGame,
    moves: tuple[Move, ...],
    state: Any,
    kind: PuzzleKind,
    plies: int,
    right: tuple[Move, ...],
    trap: Move | None = None,
) -> Puzzle:
    level = next((level for most, level in LEVEL_BY_PLIES.items() if plies <= most), LEVELS[-1])
    level = max(LEVELS[0], level - (greedy_choices(game, state) <= EASY_CHOICES * len(right)))
    return Puzzle(game, moves, state, right[0], plies, level, kind, right, trap)


def _trap(solution: Solution, state: Any, scored: Sequence[ScoredMove], offered: Sequence[Move]) -> ScoredMove | None:
    """Return the losing move that fewest replies win against, if those are few enough to be overlooked."""
    game, mover = solution.game, solution.game.mover(state)
    right = sum(move.value is scored[0].value for move in scored)
    if right > MAX_RIGHT_SHARE * len(scored) or scored[0].plies == 1:
        return None
    found: list[tuple[float, ScoredMove]] = []
    losing = (one for one in scored if one.value is Value.LOSS and one.move in offered)
    for one, _ in zip(losing, range(MAX_TRAPS_TRIED), strict=False):  # those that hold out longest
        after = game.play(state, one.move)
        if (one.plies or 0) < MIN_TRAP_PLIES or game.mover(after) == mover or game.outcome(after) != Outcome.UNDECIDED:
            continue
        share = solution.winning_share(after)
        if share <= MAX_TRAP_REPLIES and sum(1 for _ in game.legal_moves(after)) >= MIN_REPLIES:
            found.append((share, one))
    return min(found)[1] if found else None


def greedy_choices(game: AnyGame, state: Any) -> int:
    """Return the number of moves that a greedy player would consider: those that do not lose at once."""
    mover = game.mover(state)
    return sum(not loses_at_once(game, game.play(state, move), mover) for move in game.legal_moves(state))
