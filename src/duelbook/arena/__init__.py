"""Measure agents: one match, a series between two, tournaments and evaluations. Nothing here prints.

>>> from duelbook.arena import plan_tournament, run_tournament
>>> plan = plan_tournament(["charge", "flag-chase"], ["greedy", "perfect"], pairs=5)
>>> standings = run_tournament(plan, "results")  # doctest: +SKIP
"""

from duelbook.arena.comparison import compare_runs
from duelbook.arena.decisions import write_decisions
from duelbook.arena.documents import EvaluationReport, SeriesResult, Standings
from duelbook.arena.evaluation import Prices, run_evaluation
from duelbook.arena.manifest import load_manifest
from duelbook.arena.match import MatchForfeit, PlayedMatch, play_match
from duelbook.arena.plan import EvaluationPlan, TournamentPlan, plan_evaluation, plan_tournament
from duelbook.arena.results import open_results
from duelbook.arena.series import play_series
from duelbook.arena.tournament import UnfinishedError, run_tournament

__all__ = [
    "EvaluationPlan",
    "EvaluationReport",
    "MatchForfeit",
    "PlayedMatch",
    "Prices",
    "SeriesResult",
    "Standings",
    "TournamentPlan",
    "UnfinishedError",
    "compare_runs",
    "load_manifest",
    "open_results",
    "plan_evaluation",
    "plan_tournament",
    "play_match",
    "play_series",
    "run_evaluation",
    "run_tournament",
    "write_decisions",
]
