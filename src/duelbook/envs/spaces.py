"""The spaces of Gymnasium that moves and vectors are in."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from duelbook.envs.observer import Mask, Observer


def box_of(observer: Observer) -> Box[np.float32]:
    """Answer the space that the vectors are in."""
    return Box(observer.low, observer.high, dtype=np.float32)


class LegalMoves(Discrete[np.int64]):
    """All moves of a game; asked for any of them it answers one that is legal now."""

    def __init__(self, num_moves: int) -> None:
        super().__init__(num_moves)
        self.legal: Mask = np.zeros(num_moves, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Answer any move as Gymnasium does; without a mask, any legal one."""
        if mask is None and probability is None and self.legal.any():
            mask = self.legal
        return super().sample(mask, probability)
