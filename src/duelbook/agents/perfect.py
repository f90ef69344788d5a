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
    """Return the moves that set the hardest trap; of these, those that last longest."""
    game, player = solution.game, solution.game.mover(state)

    def difficulty(scored: ScoredMove) -> tuple[float, int]:
        return winning_replies(solution, game.play(state, scored.move), player), -(scored.remoteness or 0)

    difficulties = {scored.move: difficulty(scored) for scored in moves}
    hardest = min(difficulties.values())
    return [move for move, found in difficulties.items() if found == hardest]


def winning_replies(solution: Solution, state: Any, player: Player) -> float:
    """Return the share of the opponent's replies that win, after the hardest trap if the player moves again first."""
    game = solution.game
    if not solution.extra_turns or game.mover(state) != player or game.outcome(state) != Outcome.UNDECIDED:
        return solution.winning_share(state)
    return min(winning_replies(solution, game.play(state, move), player) for move in game.legal_moves(state))
