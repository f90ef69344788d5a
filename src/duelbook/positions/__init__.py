"""The position benchmark: decisions that matter as a dataset, and agents measured on it. Nothing here prints.

>>> from duelbook.positions import load_positions, make_dataset, plan_positions, run_positions
>>> description = make_dataset(["charge", "crystal-capture"], "positions", per_cell=20, seed=1)  # doctest: +SKIP
>>> plan = plan_positions("greedy", load_positions("positions", "test"))  # doctest: +SKIP
>>> report = run_positions(plan, "greedy")  # doctest: +SKIP
"""

from duelbook.positions.comparison import compare_positions
from duelbook.positions.dataset import HeldOut, load_positions, make_dataset
from duelbook.positions.document import PositionScores
from duelbook.positions.evaluation import run_positions
from duelbook.positions.plan import PositionPlan, plan_positions
from duelbook.positions.position import DatasetPosition, LegalMove

__all__ = [
    "DatasetPosition",
    "HeldOut",
    "LegalMove",
    "PositionPlan",
    "PositionScores",
    "compare_positions",
    "load_positions",
    "make_dataset",
    "plan_positions",
    "run_positions",
]
