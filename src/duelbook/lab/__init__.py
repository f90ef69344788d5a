"""The variant lab: measure every combination of some rule options of a game. Nothing here prints.

>>> from duelbook.lab import lab
>>> variants = lab("flag-chase", ["cells=5..9..2", "stride=1..3"], pairs=5)  # doctest: +SKIP
"""

from duelbook.lab.measure import Variant
from duelbook.lab.measured import MeasuredVariants
from duelbook.lab.plan import LabPlan, plan_lab
from duelbook.lab.run import lab, run_lab

__all__ = ["LabPlan", "MeasuredVariants", "Variant", "lab", "plan_lab", "run_lab"]
