"""Plots as SVG, in the colours of the page, so that they follow its light or dark scheme."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from duelbook.arena.report.markup import short_labels, signed, tag, text

WIDTH, ROW_HEIGHT = 400, 26  # in units of the picture
LEFT = 132  # the names are to the left of this
RIGHT = WIDTH - 22
MAX_COLUMNS = 24
PERCENT_TICKS = [(share / 4, f"{25 * share} %") for share in range(5)]


Rows = Sequence[dict[str, Any]]


def rating_plot(rows: Rows) -> str:
    """Return a plot with each agent's rating as a dot, on a line for its interval."""
    ends = [row[name] for row in rows for name in ("low", "rating", "high") if row[name] is not None]
    ticks = round_ticks(min(-10, *ends), max(10, *ends))
    axis = Axis(ticks[0], ticks[-1])
    spans = ["" if row["low"] is None else axis.span(row["low"], row["high"], at) for at, row in enumerate(rows)]
    marks = [span + axis.mark(row["rating"], at, "dot") for at, (span, row) in enumerate(zip(spans, rows, strict=True))]
    return _picture("Ratings", rows, [*axis.grid([(tick, signed(tick)) for tick in ticks], len(rows)), *marks])


def seat_plot(rows: Rows) -> str:
    """Return a plot with two dots per agent: its share of points as first player (filled) and as second (hollow)."""
    axis, marks = Axis(0, 1), []
    for at, row in enumerate(rows):
        first, second = (row[seat]["points"] / row[seat]["matches"] for seat in ("as_first", "as_second"))
        dots = axis.mark(first, at, "dot") + axis.mark(second, at, "ring")
        marks.append(axis.span(second, first, at) + dots)
    return _picture("Scores by seat", rows, [*axis.grid(PERCENT_TICKS, len(rows)), *marks])


def accuracy_plot(rows: Rows) -> str:
    """Return a plot with a bar for each agent's accuracy."""
    axis, marks = Axis(0, 1), []
    for at, row in enumerate(rows):
        marks.append("" if row["accuracy"] is None else axis.bar(row["accuracy"], at))
    return _picture("Accuracy", rows, [*axis.grid(PERCENT_TICKS, len(rows)), *marks])


class Axis(NamedTuple):
    """The horizontal axis, for values from low to high."""

    low: float
    high: float

    def place(self, value: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (value - self.low) / (self.high - self.low), 1)

    def mark(self, value: float, at: int, kind: str) -> str:
        return tag("circle", cx=self.place(value), cy=_middle(at), r=4.5, class_=kind)

    def span(self, start: float, end: float, at: int) -> str:
        return tag("line", x1=self.place(start), x2=self.place(end), y1=_middle(at), y2=_middle(at), class_="span")

    def bar(self, value: float, at: int) -> str:
        width = round(self.place(value) - LEFT, 1)
        return tag("rect", x=LEFT, y=_middle(at) - 6, width=width, height=12, class_="column")

    def grid(self, ticks: Sequence[tuple[float, str]], rows: int) -> list[str]:
        end = rows * ROW_HEIGHT + 6
        places = [(self.place(value), name) for value, name in ticks]
        lines = [tag("line", x1=x, x2=x, y1=2, y2=end, class_="grid") for x, _ in places]
        return lines + [tag("text", text(name), x=x, y=end + 15, class_="tick") for x, name in places]


def share_plot(title: str, rows: Rows, name: str) -> str:
    """Return a plot with a dot for each proportion, on a line for its interval. A field is `(rate, low, high)`."""
    axis, marks = Axis(0, 1), []
    for at, row in enumerate(rows):
        if row[name] is not None:
            rate, low, high = row[name]
            marks.append(("" if low is None else axis.span(low, high, at)) + axis.mark(rate, at, "dot"))
    return _picture(title, rows, [*axis.grid(PERCENT_TICKS, len(rows)), *marks])


def length_plot(lengths: Mapping[int, int]) -> str:
    """Return a histogram of the number of moves in a match."""
    shortest, longest = min(lengths), max(lengths)
    step = max(1, math.ceil((longest - shortest + 1) / MAX_COLUMNS))
    counts = [0] * ((longest - shortest) // step + 1)
    for length, count in lengths.items():
        counts[(length - shortest) // step] += count
    return _columns("Lengths", counts, [_range(shortest + at * step, step) for at in range(len(counts))])


def _range(start: int, step: int) -> str:
    return str(start) if step == 1 else f"{start}–{start + step - 1}"


def _columns(title: str, counts: Sequence[int], names: Sequence[str]) -> str:
    tall, left = 110, 20
    wide = min(40.0, (WIDTH - 2 * left) / len(counts))
    every = math.ceil(len(counts) * max(map(len, names)) * 7.5 / (wide * len(counts)))
    parts = [tag("line", x1=left, x2=WIDTH - left, y1=tall, y2=tall, class_="axis")]
    for at, (count, name) in enumerate(zip(counts, names, strict=True)):
        high, x = round((tall - 16) * count / max(counts), 1), round(left + at * wide, 1)
        hint = tag("title", text(f"{name} moves: {count:,}"))
        parts.append(tag("rect", hint, x=x + 1, y=tall - high, width=round(wide - 2, 1), height=high, class_="column"))
        if at % every == 0:
            parts.append(tag("text", text(name), x=x + wide / 2, y=tall + 15, class_="tick"))
    return _svg(title, tall + 22, parts)


def _picture(title: str, rows: Rows, parts: Sequence[str]) -> str:
    return _svg(title, len(rows) * ROW_HEIGHT + 28, [*parts, *_names(rows)])


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    return tag("svg", *parts, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=title)


def _names(rows: Rows) -> list[str]:
    """Return the short labels of the agents, with their full names as tooltips."""
    agents = [row["agent"] for row in rows]
    labels = short_labels(agents)
    return [
        tag("text", tag("title", text(agent)), text(labels[agent]), x=LEFT - 12, y=_middle(at) + 4, class_="name")
        for at, agent in enumerate(agents)
    ]


def _middle(at: int) -> float:
    return at * ROW_HEIGHT + ROW_HEIGHT / 2 + 2


def round_ticks(low: float, high: float) -> list[float]:
    """Return three to seven round numbers that enclose the range, which must have a width."""
    step = 10.0 ** math.floor(math.log10((high - low) / 2))
    while (high - low) / step > 5:
        step *= 2.5 if f"{step:e}".startswith("2") else 2
    return [round(step * at, 9) for at in range(math.floor(low / step), math.ceil(high / step) + 1)]
