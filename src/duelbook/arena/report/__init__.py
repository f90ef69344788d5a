"""Reports: a page for a tournament, and plain text for all results."""

from duelbook.arena.report.page import report_page

__all__ = ["report_page"]
