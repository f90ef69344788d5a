"""The greedy agent: it looks at its own move and the opponent's reply."""

import random
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from duelbook.agents.agent import evenly
from duelbook.game import AnyGame, Move, offered_moves, won_by
from duelbook.match import ReadOnlyMatch


class GreedyAgent:
    """Wins at once if it can, avoids moves that lose at once, and otherwise plays any legal move."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, match: ReadOnlyMatch) -> Move:
        moves = offered_moves(match.game, match.state)
        self._rng.shuffle(moves)
        return next(chain(*_preferences(match, moves)))

    def probabilities(self, match: ReadOnlyMatch) -> dict[Move, float]:
        preferences = _preferences(match, offered_moves(match.game, match.state))
        return evenly(next(moves for some in preferences if (moves := list(some))))

    def close(self) -> None:
        pass


def _preferences(match: ReadOnlyMatch, moves: list[Move]) -> Iterator[Iterable[Move]]:
    """Return the moves that win at once, those that do not lose at once, and all."""
    game, state, mover = match.game, match.state, match.mover
    yield (move for move in moves if game.outcome(game.play(state, move)) == won_by(mover))
    yield (move for move in moves if not loses_at_once(game, game.play(state, move), mover))
    yield moves


def loses_at_once(game: AnyGame, state: Any, player: int) -> bool:
    """Return True if the player has lost in this state, or the opponent can win from it with one move."""
    lost = won_by(1 - player)
    if game.outcome(state) == lost:
        return True
    if game.mover(state) == player:
        return False
    return any(game.outcome(game.play(state, move)) == lost for move in game.legal_moves(state))
