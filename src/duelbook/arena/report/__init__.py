"""Reports: pages for tournaments, evaluations and comparisons of several runs, and plain text for all results."""

from duelbook.arena.report.evaluation_page import evaluation_page
from duelbook.arena.report.tournament_page import tournament_page

__all__ = ["evaluation_page", "tournament_page"]
