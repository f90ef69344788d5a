"""A comparison of several runs as one HTML page."""

from collections.abc import Sequence
from typing import Any

from duelbook import __version__
from duelbook.arena.report.markup import MINUS, NO_VALUE, figure, page, percent, table, tag, text
from duelbook.arena.report.parts import ABOUT_MOVES, Row, counts, notes, paragraph
from duelbook.arena.report.plots import share_plot
from duelbook.text import duration, plural

COLUMNS = (
    *("Run", "Agent", "Score", "95% interval", "Difference", "Better", "Pairs"),
    *("Won", "Drawn", "Ply limit", "Lost", "by forfeit"),
)
MOVE_COLUMNS = ("Run", "Agent", "Accuracy", "95% interval", "Regret", "Decisions", "Time per move")
ABOUT = (
    "A win is a point and a draw half a point, and so is a match that stopped at the ply limit. The difference is that "
    "to the score of the same agent in an earlier run, or to that in the first row if no earlier run has the agent, if "
    "both met the same opponents in the same games. It rests on pairs of matches with the same opening, seat and "
    "opponent; without a number of pairs the runs had other openings, and the two scores count as independent."
)
ABOUT_BETTER = "Better is the probability that the agent is better than that one, if nothing else is known."


def comparison_page(document: dict[str, Any]) -> str:
    """Return the page."""
    runs = document["runs"]
    games, opponents = ([part for part in document[name] if _is_shared(part)] for name in ("games", "opponents"))
    links = [("#all", "All games"), *((f"#game-{at}", part["game"]) for at, part in enumerate(games, 1))]
    links += [(f"#opponent-{at}", f"against {part['opponent']}") for at, part in enumerate(opponents, 1)]
    parts = [tag("h2", "All games", id="all"), *_section(document["overall"])]
    parts += [paragraph(f"{ABOUT} {ABOUT_BETTER}", "soft"), paragraph(ABOUT_MOVES, "soft")]
    for at, part in enumerate(games, 1):
        parts += [tag("h2", text(part["game"]), id=f"game-{at}"), *_section(part["rows"])]
    for at, part in enumerate(opponents, 1):
        parts += [tag("h2", text(f"Against {part['opponent']}"), id=f"opponent-{at}"), *_section(part["rows"])]
    return page(
        f"Comparison of {plural(len(runs), 'run')}",
        paragraph(f"Each row is an agent of a run. Duelbook {__version__}."),
        table("Runs", ("Run", "Kind", "Agents", "Matches", "Openings", "Pairs", "Seed"), map(_run, runs)),
        *notes(document["notes"]),
        tag("nav", *(tag("a", text(name), href=address) for address, name in links)),
        *parts,
    )


def _is_shared(part: Row) -> bool:
    """Return True if more than one run has the game, or the opponent."""
    return len({row["run"] for row in part["rows"]}) > 1


def _run(run: Row) -> list[str]:
    openings = f"{run['different_openings']:,} ({run['openings']})"
    numbers = [f"{run['matches']:,}", openings, f"{run['pairs']:,}", f"{run['seed']}"]
    return [text(run["run"]), run["kind"], f"{len(run['agents'])}", *numbers]


def _section(rows: Sequence[Row]) -> list[str]:
    shown = [{"agent": name_of(row, rows), **{name: ends(row[name]) for name in ("score", "accuracy")}} for row in rows]
    figures = [figure("Score with 95% intervals", share_plot("Scores", shown, "score"))]
    if any(row["accuracy"] for row in shown):
        figures.append(figure("Accuracy with 95% intervals", share_plot("Accuracy", shown, "accuracy")))
    return [
        table("Results", COLUMNS, map(_result, rows)),
        tag("div", *figures, class_="pictures"),
        table("Moves and time", MOVE_COLUMNS, map(_moves, rows)),
    ]


def name_of(row: Row, rows: Sequence[Row]) -> str:
    """Return a name for a row: the agent if it is in no other row, the run if that is, or both."""
    for name in ("agent", "run"):
        if [other[name] for other in rows].count(row[name]) == 1:
            return str(row[name])
    return f"{row['run']} {row['agent']}"


def ends(share: dict[str, float | None] | None) -> tuple[float | None, ...] | None:
    """Return a share as its plot takes it: the rate and the ends of its interval."""
    return tuple(share.values()) if share else None


def _result(row: Row) -> list[str]:
    score, *counted = counts(row)
    names = [text(row["run"]), text(row["agent"])]
    return [*names, score, _interval(row["score"]), *difference_cells(row["difference"]), *counted]


def _moves(row: Row) -> list[str]:
    accuracy, seconds = row["accuracy"], row["seconds_per_move"]
    return [
        *(text(row["run"]), text(row["agent"])),
        *(percent(accuracy and accuracy["rate"]), _interval(accuracy)),
        NO_VALUE if row["regret"] is None else f"{row['regret']:.3f}",
        f"{row['decisions']:,}",
        NO_VALUE if seconds is None else duration(seconds),
    ]


def _interval(share: dict[str, float | None] | None) -> str:
    if share is None or share["low"] is None:
        return NO_VALUE
    return f"{percent(share['low'])} to {percent(share['high'])}"


def difference_cells(difference: dict[str, Any] | None) -> list[str]:
    """Return a difference in percentage points with its interval, the probability of being better, and the pairs."""
    if difference is None:
        return [NO_VALUE] * 3
    by, *ends = (difference[name] for name in ("rate", "low", "high"))
    shown = _signed(by) if None in ends else f"{_signed(by)} ({' to '.join(map(_signed, ends))})"
    return [shown, percent(difference["better"]), f"{difference['pairs']:,}" if difference["pairs"] else NO_VALUE]


def _signed(share: float) -> str:
    points = round(100 * share, 1)
    return f"{'+' if points > 0 else MINUS if points < 0 else ''}{abs(points):.1f}"
