"""Classes of positions that are alike, so that no position of a test can be learned from one like it elsewhere.

The class of a position is a hash of what can happen: the values and the remoteness that the position, its moves, the
replies and the answers to these can have, without their names and numbers. Positions that are symmetric in any way (by
seats, by letters, by the words that were drawn) therefore have the same class, and nobody has to declare the symmetry.
The solver's own classes of states (`canonical`) are finer: states of one of them are in one class here, too.
"""

from hashlib import sha256
from typing import Any

from duelbook.game import canonical_or_same
from duelbook.positions.position import Split
from duelbook.solve import Solution

DEPTH = 3  # plies: a move, a reply and the answer to it
TRAIN_TENTHS, TEST_TENTHS = 3, 5  # of all classes; the others are kept for held-out splits


class Classes:
    """The classes of the positions of a game."""

    def __init__(self, solution: Solution) -> None:
        self._solution, self._game = solution, solution.game
        self._canonical = canonical_or_same(solution.game)
        self._known: dict[tuple[int, Any], str] = {}

    def of(self, state: Any) -> str:
        """Return the class of the position."""
        return self._digest(state, DEPTH)

    def _digest(self, state: Any, depth: int) -> str:
        key = depth, self._canonical(state)
        if key not in self._known:
            parts = [f"{self._solution.value(state):d} {self._solution.remoteness(state)}"]
            if depth:
                game, mover = self._game, self._game.mover(state)
                after = (game.play(state, move) for move in game.legal_moves(state))
                parts += sorted({f"{game.mover(one) == mover:d} {self._digest(one, depth - 1)}" for one in after})
            self._known[key] = sha256("\n".join(parts).encode()).hexdigest()[:16]
        return self._known[key]


def split_of(group: str) -> Split:
    """Return the split of a class: always the same one, whatever the seed and the games of a dataset are."""
    tenth = int(group, 16) % 10
    if tenth < TRAIN_TENTHS:
        return "train"
    return "test" if tenth < TRAIN_TENTHS + TEST_TENTHS else "held-out"


def quota(split: Split, per_cell: int) -> int:
    """Return how many positions of a cell go into the split, at least one."""
    tenths = {"train": TRAIN_TENTHS, "test": TEST_TENTHS, "held-out": 10 - TRAIN_TENTHS - TEST_TENTHS}[split]
    return max(1, per_cell * tenths // 10)
