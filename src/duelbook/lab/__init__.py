"""The variant lab: measure every combination of some rule options of a game. Nothing here prints.

>>> from duelbook.lab import plan_lab, run_lab
>>> plan = plan_lab("flag-chase", ["cells=5..9..2", "stride=1..3"], pairs=5)
>>> rows = run_lab(plan, "lab")  # doctest: +SKIP
"""

from duelbook.lab.measure import Variant
from duelbook.lab.plan import LabPlan, plan_lab
from duelbook.lab.run import run_lab

__all__ = ["LabPlan", "Variant", "plan_lab", "run_lab"]
