"""Studies that use exact values: hints, reviews, puzzles, the regret of policies, and the audit of a rule book."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from duelbook.extras import require_extra

if TYPE_CHECKING:
    from duelbook.study.audit import Audit, audit_game
    from duelbook.study.daily_puzzle import puzzle_of_the_day
    from duelbook.study.documents import PositionReport, position_report
    from duelbook.study.hints import Hint, hint
    from duelbook.study.policy_report import PolicyReport, regret
    from duelbook.study.puzzle_kinds import Puzzle
    from duelbook.study.puzzles import find_puzzle
    from duelbook.study.review import Review, Verdict, review_game

__all__ = [
    "Audit",
    "Hint",
    "PolicyReport",
    "PositionReport",
    "Puzzle",
    "Review",
    "Verdict",
    "audit_game",
    "find_puzzle",
    "hint",
    "position_report",
    "puzzle_of_the_day",
    "regret",
    "review_game",
]

MODULES = {  # imported when a name is first used: a player needs the hints only
    "Audit": "audit",
    "Hint": "hints",
    "PolicyReport": "policy_report",
    "PositionReport": "documents",
    "Puzzle": "puzzle_kinds",
    "Review": "review",
    "Verdict": "review",
    "audit_game": "audit",
    "find_puzzle": "puzzles",
    "hint": "hints",
    "position_report": "documents",
    "puzzle_of_the_day": "daily_puzzle",
    "regret": "policy_report",
    "review_game": "review",
}

NEED_NUMPY = ("PolicyReport", "regret")

if not TYPE_CHECKING:  # or type checkers would accept any name

    def __getattr__(name: str) -> Any:
        if name not in MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name in NEED_NUMPY:
            require_extra("arena")
        return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
