"""The report of a tournament: one page that needs nothing else."""

from duelbook.arena.report.page import report_page

__all__ = ["report_page"]
