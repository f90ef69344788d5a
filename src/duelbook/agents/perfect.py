"""The perfect agent: it knows the exact value of every position."""

import random
from typing import Any

from duelbook.agents.agent import evenly
from duelbook.game import Move, Outcome, Player, offered_moves
from duelbook.match import ReadOnlyMatch
from duelbook.solve import ScoredMove, Solution, Value, solved


class PerfectAgent:
    """Never gives value away, unless an offensive word is the only way to keep it (WC-4).

    Takes the quickest win, and in a lost position sets the hardest trap.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, match: ReadOnlyMatch) -> Move:
        return self._rng.choice(self._best(match))

    def probabilities(self, match: ReadOnlyMatch) -> dict[Move, float]:
        return evenly(self._best(match))

    def close(self) -> None:
        pass

    def _best(self, match: ReadOnlyMatch) -> list[Move]:
        """Return the quickest of the moves that keep the value; in a lost position those that set the hardest trap."""
        solution = solved(match.game)
        offered = set(offered_moves(match.game, match.state))
        scored = [move for move in solution.moves(match.state) if move.move in offered]
        best = [move for move in scored if move.value == scored[0].value]
        if scored[0].value is Value.LOSS:
            return _hardest_traps(solution, match.state, best)
        return [move.move for move in best if move.remoteness == best[0].remoteness]


def _hardest_traps(solution: Solution, state: Any, moves: list[ScoredMove]) -> list[Move]:
    """Return the moves that set the hardest trap."""
    game, player = solution.game, solution.game.mover(state)
    ranks = {one.move: trap_rank(solution, game.play(state, one.move), player, one.plies or 0) for one in moves}
    hardest = min(ranks.values())
    return [move for move, rank in ranks.items() if rank == hardest]


def trap_rank(solution: Solution, state: Any, player: Player, turns: int) -> tuple[bool, float, int]:
    """Return the rank as a trap of a losing move to this state, with `turns` left; the lowest is the hardest.

    Nobody overlooks a win in one, however few of the replies win, so moves that allow it come last.
    """
    return (*_winning_replies(solution, state, player), -turns)


def _winning_replies(solution: Solution, state: Any, player: Player) -> tuple[bool, float]:
    """Return whether a reply wins at once, and the share that wins; after the best trap if the player moves again."""
    game = solution.game
    if not solution.extra_turns or game.mover(state) != player or game.outcome(state) != Outcome.UNDECIDED:
        return (solution.remoteness(state) or 0) <= 1, solution.winning_share(state)
    return min(_winning_replies(solution, game.play(state, move), player) for move in game.legal_moves(state))
