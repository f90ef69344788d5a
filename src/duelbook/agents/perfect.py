"""The perfect agent: it knows the exact value of every position."""

import random
from typing import Any

from duelbook.game import Move, offered_moves
from duelbook.match import MatchView
from duelbook.solve import ScoredMove, Solution, Value, solved


class Perfect:
    """Never gives up value: wins soonest, and in a lost position sets the hardest trap it can."""

    exact = True  # needs a game that can be solved

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, match: MatchView) -> Move:
        solution = solved(match.game)
        scored = solution.moves(match.state)
        keeping = [move for move in scored if move.value == scored[0].value]
        offered = set(offered_moves(match.game, match.state, [move.move for move in keeping]))
        keeping = [move for move in keeping if move.move in offered]
        if scored[0].value is Value.LOSS:
            return self._trap(solution, match.state, keeping)
        return self._any([move for move in keeping if move.remoteness == keeping[0].remoteness])

    def close(self) -> None:
        pass

    def _trap(self, solution: Solution, state: Any, moves: list[ScoredMove]) -> Move:
        """Answer the move that leaves the fewest replies keeping the win; of these the longest resistance."""

        def promise(scored: ScoredMove) -> tuple[float, int]:
            return solution.winning_share(solution.game.play(state, scored.move)), -(scored.remoteness or 0)

        promises = {scored: promise(scored) for scored in moves}
        hardest = min(promises.values())
        return self._any([scored for scored in moves if promises[scored] == hardest])

    def _any(self, moves: list[ScoredMove]) -> Move:
        return self._rng.choice(moves).move
