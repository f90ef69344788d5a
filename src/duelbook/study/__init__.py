"""What exact values are good for: hints, reviews, puzzles, and the audit of a rule book."""

from duelbook.study.audit import Audit, audit_game
from duelbook.study.hints import Hint, hint
from duelbook.study.position import position_report
from duelbook.study.puzzles import Puzzle, find_puzzle, puzzle_of_the_day
from duelbook.study.review import Review, Verdict, review_game

__all__ = [
    "Audit",
    "Hint",
    "Puzzle",
    "Review",
    "Verdict",
    "audit_game",
    "find_puzzle",
    "hint",
    "position_report",
    "puzzle_of_the_day",
    "review_game",
]
