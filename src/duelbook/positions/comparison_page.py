"""A comparison of several position evaluations as one HTML page."""

from collections.abc import Sequence
from typing import Any

from duelbook import __version__
from duelbook.arena.report.comparison_page import ABOUT_BETTER, difference_cells, ends, name_of
from duelbook.arena.report.markup import figure, page, table, tag, text
from duelbook.arena.report.parts import Row, notes, paragraph
from duelbook.arena.report.plots import share_plot
from duelbook.positions.report import SCORE, with_interval
from duelbook.text import percentage, plural

RUN_COLUMNS = ("Run", "Agent", "Positions", "Asked", "Seed")
COLUMNS = ("Run", "Agent", "Answers", "Accuracy", "Difference", "Better", "Pairs", "Score")
REGRET_COLUMNS = ("Run", "Agent", "Mean regret", "Score by regret", "Legal answers")
ABOUT = (
    "The difference is that to the accuracy of the same agent in an earlier run, or to that in the first row if no "
    "earlier run has the agent, if both were asked the same positions. It rests on pairs of answers to the same "
    "position. "
)


def position_comparison_page(document: dict[str, Any]) -> str:
    """Return the page."""
    runs, games = document["runs"], document["games"]
    links = [("#all", "All games"), *((f"#game-{at}", part["game"]) for at, part in enumerate(games, 1))]
    parts = [tag("h2", "All games", id="all"), *_section(document["overall"])]
    parts += [paragraph(f"{SCORE} {ABOUT}{ABOUT_BETTER}", "soft")]
    for at, part in enumerate(games, 1):
        parts += [tag("h2", text(part["game"]), id=f"game-{at}"), *_section(part["rows"])]
    return page(
        f"Comparison of {plural(len(runs), 'position evaluation')}",
        paragraph(f"Each row is a run. Duelbook {__version__}."),
        table("Runs", RUN_COLUMNS, map(_run, runs)),
        *notes(document["notes"]),
        tag("nav", *(tag("a", text(name), href=address) for address, name in links)),
        *parts,
    )


def _run(run: Row) -> list[str]:
    asked = "once each" if run["samples"] == 1 else f"{run['samples']} times each"
    return [text(run["run"]), text(run["agent"]), f"{run['count']:,}", asked, f"{run['seed']}"]


def _section(rows: Sequence[Row]) -> list[str]:
    shown = [{"agent": name_of(row, rows), **{name: ends(row[name]) for name in ("accuracy", "legal")}} for row in rows]
    figures = [
        figure("Accuracy with 95% intervals", share_plot("Accuracy", shown, "accuracy")),
        figure("Legal answers with 95% intervals", share_plot("Legal answers", shown, "legal")),
    ]
    return [
        table("Accuracy", COLUMNS, map(_accuracy, rows)),
        tag("div", *figures, class_="pictures"),
        table("Regret and rules", REGRET_COLUMNS, map(_regret, rows)),
    ]


def _accuracy(row: Row) -> list[str]:
    return [
        *(text(row["run"]), text(row["agent"]), f"{row['answers']:,}"),
        *(with_interval(row["accuracy"], percentage), *difference_cells(row["difference"])),
        with_interval(row["accuracy_score"]),
    ]


def _regret(row: Row) -> list[str]:
    return [
        *(text(row["run"]), text(row["agent"])),
        *(with_interval(row[name]) for name in ("regret", "regret_score")),
        with_interval(row["legal"], percentage),
    ]
