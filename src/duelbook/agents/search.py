"""The search agent: it searches to a fixed depth and knows nothing beyond it."""

import random
from typing import Any

from duelbook.agents.agent import evenly
from duelbook.game import AnyGame, Move, Outcome, canonical_form, offered_moves
from duelbook.match import ReadOnlyMatch

WIN_SCORE = 1000  # the score of an immediate win; each ply of delay costs 1


class SearchAgent:
    """Plays one of the moves with the best score."""

    def __init__(self, rng: random.Random, depth: int) -> None:
        self._rng = rng
        self._depth = depth

    def choose(self, match: ReadOnlyMatch) -> Move:
        return self._rng.choice(self._best(match))

    def probabilities(self, match: ReadOnlyMatch) -> dict[Move, float]:
        return evenly(self._best(match))

    def close(self) -> None:
        pass

    def _best(self, match: ReadOnlyMatch) -> list[Move]:
        game, state = match.game, match.state
        search = DepthSearch(game)
        scores = {move: search.score_move(state, move, self._depth) for move in offered_moves(game, state)}
        best = max(scores.values())
        return [move for move, score in scores.items() if score == best]


class DepthSearch:
    """Negamax to a fixed depth. Every state is searched once per depth."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._canonical = canonical_form(game)
        self._scores: dict[tuple[Any, int], int] = {}

    def score_move(self, state: Any, move: Move, depth: int) -> int:
        """Return the score of a move for the mover, searching `depth` plies including the move."""
        following = self._game.play(state, move)
        score = self._score(following, depth - 1)
        return score if self._game.mover(following) == self._game.mover(state) else -score

    def _score(self, state: Any, depth: int) -> int:
        key = (self._canonical(state) if self._canonical else state), depth
        if key not in self._scores:
            self._scores[key] = self._search(state, depth)
        return self._scores[key]

    def _search(self, state: Any, depth: int) -> int:
        outcome = self._game.outcome(state)
        if outcome != Outcome.UNDECIDED:
            return 0 if outcome == Outcome.DRAW else WIN_SCORE if outcome == self._game.mover(state) else -WIN_SCORE
        if depth <= 0:
            return 0
        best = max(self.score_move(state, move, depth) for move in self._game.legal_moves(state))
        return best - (best > 0) + (best < 0)  # a later win scores less, a later loss is less bad
