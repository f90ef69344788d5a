"""The perfect agent: it knows the exact value of every position."""

import random
from typing import Any

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
        solution = solved(match.game)
        offered = set(offered_moves(match.game, match.state))
        scored = [move for move in solution.moves(match.state) if move.move in offered]
        best = [move for move in scored if move.value == scored[0].value]
        if scored[0].value is Value.LOSS:
            return self._trap(solution, match.state, best)
        return self._any([move for move in best if move.remoteness == best[0].remoteness])

    def close(self) -> None:
        pass

    def _trap(self, solution: Solution, state: Any, moves: list[ScoredMove]) -> Move:
        """Return the move that sets the hardest trap; of these, the one that lasts longest."""
        game, player = solution.game, solution.game.mover(state)

        def difficulty(scored: ScoredMove) -> tuple[float, int]:
            return winning_replies(solution, game.play(state, scored.move), player), -(scored.remoteness or 0)

        difficulties = {scored: difficulty(scored) for scored in moves}
        hardest = min(difficulties.values())
        return self._any([scored for scored in moves if difficulties[scored] == hardest])

    def _any(self, moves: list[ScoredMove]) -> Move:
        return self._rng.choice(moves).move


def winning_replies(solution: Solution, state: Any, player: Player) -> float:
    """Return the share of the opponent's replies that win, after the hardest trap if the player moves again first."""
    game = solution.game
    if not solution.extra_turns or game.mover(state) != player or game.outcome(state) != Outcome.UNDECIDED:
        return solution.winning_share(state)
    return min(winning_replies(solution, game.play(state, move), player) for move in game.legal_moves(state))
