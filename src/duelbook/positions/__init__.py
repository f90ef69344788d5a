"""The position benchmark: decisions that matter as a dataset, and agents measured on it. Nothing here prints.

>>> from duelbook.positions import load_positions, make_dataset
>>> description = make_dataset(["charge", "crystal-capture"], "positions", per_cell=20, seed=1)  # doctest: +SKIP
>>> positions = load_positions("positions", "test")  # doctest: +SKIP
"""

from duelbook.positions.dataset import HeldOut, load_positions, make_dataset
from duelbook.positions.position import LegalMove, Position

__all__ = ["HeldOut", "LegalMove", "Position", "load_positions", "make_dataset"]
