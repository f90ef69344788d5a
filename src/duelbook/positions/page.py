"""The scores of an agent on positions as one HTML page."""

from typing import Any

from duelbook import __version__
from duelbook.arena.report.comparison_page import ends
from duelbook.arena.report.markup import figure, page, table, tag, text
from duelbook.arena.report.parts import Row, paragraph
from duelbook.arena.report.plots import share_plot
from duelbook.positions.report import HEADINGS, LABELS, SCORE, about_lines, cells, result_lines, spent_lines

PLOTTED = ("game", "distance")


def position_page(report: dict[str, Any]) -> str:
    """Return the page."""
    first, *about = about_lines(report)
    parts = [paragraph(f"{'. '.join(about)}. Duelbook {__version__}.")]
    if report["overall"]["answers"]:
        parts += [_table("All positions", "", [{"": "all", **report["overall"]}])]
        parts += [tag("ul", *(tag("li", text(line)) for line in result_lines(report)))]
        figures = [_plot(name, report["parts"][name]) for name in PLOTTED]
        parts += [tag("div", *figures, class_="pictures")]
        parts += [_table(f"By {LABELS.get(name, name)}", name, rows) for name, rows in report["parts"].items()]
        parts += [paragraph(SCORE, "soft")]
    return page(first, *parts, *map(paragraph, spent_lines(report)))


def _plot(name: str, rows: list[Row]) -> str:
    shown = [{"agent": str(row[name]), "accuracy": ends(row["accuracy"])} for row in rows]
    title = f"Accuracy by {LABELS.get(name, name)}"
    return figure(f"{title}, with 95% intervals", share_plot(title, shown, "accuracy"))


def _table(title: str, name: str, rows: list[Row]) -> str:
    headings = (LABELS.get(name, name).capitalize(), *(heading.capitalize() for heading in HEADINGS))
    return table(title, headings, ([text(cell) for cell in cells(str(row[name]), row)] for row in rows))
