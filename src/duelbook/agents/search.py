"""The searching agent: it looks a number of plies ahead and knows nothing beyond."""

import random
from typing import Any

from duelbook.game import AnyGame, Move, Outcome, canonical_form, offered_moves
from duelbook.match import MatchView

SURE = 1000  # the score of a win at once; each ply later is one less


class Search:
    """Plays a move that is best as far as it sees, and any of them alike."""

    def __init__(self, rng: random.Random, depth: int) -> None:
        self._rng = rng
        self._depth = depth

    def choose(self, match: MatchView) -> Move:
        game, state = match.game, match.state
        looking = Lookahead(game)
        scores = {move: looking.after(state, move, self._depth) for move in offered_moves(game, state)}
        best = max(scores.values())
        return self._rng.choice([move for move, score in scores.items() if score == best])

    def close(self) -> None:
        pass


class Lookahead:
    """Scores of states, each searched once for a depth."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._canonical = canonical_form(game)
        self._known: dict[tuple[Any, int], int] = {}

    def after(self, state: Any, move: Move, depth: int) -> int:
        """Answer what a move is worth to the mover, looking so many plies ahead with it."""
        following = self._game.play(state, move)
        score = self._score(following, depth - 1)
        return score if self._game.mover(following) == self._game.mover(state) else -score

    def _score(self, state: Any, depth: int) -> int:
        key = (self._canonical(state) if self._canonical else state), depth
        if key not in self._known:
            self._known[key] = self._search(state, depth)
        return self._known[key]

    def _search(self, state: Any, depth: int) -> int:
        outcome = self._game.outcome(state)
        if outcome != Outcome.UNDECIDED:
            return 0 if outcome == Outcome.DRAW else SURE if outcome == self._game.mover(state) else -SURE
        if depth <= 0:
            return 0
        best = max(self.after(state, move, depth) for move in self._game.legal_moves(state))
        return best - (best > 0) + (best < 0)  # a win later is less, a loss later less bad
