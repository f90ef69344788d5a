"""The pictures of the lab as SVG, in the colours of the report: a scatter plot, and a small plot for each option."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from duelbook.arena.report.markup import percent, tag, text
from duelbook.arena.report.plots import round_ticks
from duelbook.lab.measure import Variant
from duelbook.options import OptionText

MAX_TICK_LABELS = 8
MAX_NUMBERS = 4  # of variants on one dot that its label names; more are counted
MAX_NAMES = 12  # of variants on one dot that are shown when the pointer is over it
DIGIT_WIDTH, LABEL_HEIGHT = 7, 12  # of a label, in units of the picture
DEPTH_RANGE = (0, 100)  # rating points that an axis shows at least


class Point(NamedTuple):
    """A variant in a plot."""

    x: float
    y: float
    name: str  # shown when the pointer is over it
    label: str = ""  # written beside it
    marked: bool = False
    low: float | None = None  # the interval of x
    high: float | None = None


class Scale(NamedTuple):
    """Values from low to high on the places from start to end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return round(self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low), 1)


def scatter(variants: Sequence[Variant], best: Collection[int]) -> str:
    """Return the first seat's score against depth. The front is filled, with numbers and intervals."""
    points = [
        Point(
            one.played.first_score,
            one.played.depth,
            f"{one.number}: {one.label}; first seat {percent(one.played.first_score)}, depth {one.played.depth:.0f}",
            str(one.number) if one.number in best else "",
            one.number in best,
            one.played.low if one.number in best else None,
            one.played.high if one.number in best else None,
        )
        for one in sorted(variants, key=lambda one: one.number in best)  # the front is drawn last
        if one.played
    ]
    wide, tall = 640, 420
    ticks = ticks_around([point.y for point in points], DEPTH_RANGE)
    across, down = Scale(0, 1, 64, wide - 26), Scale(ticks[0], ticks[-1], tall - 44, 14)
    parts = [
        *(_rule(across(share / 4), None, down, across, f"{25 * share} %", share == 2) for share in range(5)),
        *(_rule(None, down(tick), down, across, f"{tick:g}") for tick in ticks),
        tag("text", "score of the first seat between equal levels", x=across(0.5), y=tall - 6, class_="tick"),
        tag("text", "depth in rating points", x=14, y=down.end + (down.start - down.end) / 2, class_="tick side"),
        *_dots(points, across, down),
        *_labels([point for point in points if point.label], across, down),
    ]
    return tag("svg", *parts, viewBox=f"0 0 {wide} {tall}", role="img", aria_label="Fairness against depth")


def small_plot(
    option: str,
    values: Sequence[OptionText],
    what: str,
    points: Iterable[tuple[OptionText, float]],
    shown: tuple[float, float],
) -> str:
    """Return one figure of all variants by the value of an option: a ring for each, and a line through the means.

    The range `shown` is always on the axis.
    """
    placed = [(values.index(value), found) for value, found in points]
    wide, tall = 300, 170
    ticks = ticks_around([found for _, found in placed], shown)
    edge = max(0.5, (len(values) - 1) * 0.06)
    across, down = Scale(-edge, len(values) - 1 + edge, 46, wide - 8), Scale(ticks[0], ticks[-1], tall - 36, 8)
    every = math.ceil(len(values) / MAX_TICK_LABELS)
    means = {place: fmean(found for at, found in placed if at == place) for place in sorted({at for at, _ in placed})}
    line = " ".join(f"{across(place)},{down(mean)}" for place, mean in means.items())
    parts = [
        *(_rule(None, down(tick), down, across, f"{tick:g}") for tick in ticks),
        *(
            tag("text", text(_short(value)), x=across(place), y=down.start + 15, class_="tick")
            for place, value in enumerate(values)
            if place % every == 0
        ),
        tag("text", text(option), x=(across.start + across.end) / 2, y=tall - 4, class_="tick"),
        *(tag("circle", cx=across(place), cy=down(found), r=2.5, class_="faint") for place, found in placed),
        tag("polyline", points=line, class_="trend"),
        *(tag("circle", cx=across(place), cy=down(mean), r=3.5, class_="dot") for place, mean in means.items()),
    ]
    return tag("svg", *parts, viewBox=f"0 0 {wide} {tall}", role="img", aria_label=f"{what} by {option}")


def _rule(x: float | None, y: float | None, down: Scale, across: Scale, name: str, strong: bool = False) -> str:
    """Return a line of the grid with its label: vertical at x, or horizontal at y."""
    kind = "axis" if strong else "grid"
    if x is not None:
        line = tag("line", x1=x, x2=x, y1=down.end, y2=down.start, class_=kind)
        return line + tag("text", text(name), x=x, y=down.start + 17, class_="tick")
    assert y is not None
    line = tag("line", x1=across.start, x2=across.end, y1=y, y2=y, class_=kind)
    return line + tag("text", text(name), x=across.start - 6, y=round(y + 4, 1), class_="name tick")


def _by_place(points: Iterable[Point], across: Scale, down: Scale) -> dict[tuple[float, float], list[Point]]:
    """Return the points by their dots, of which one may stand for several."""
    places = defaultdict(list)
    for point in points:
        places[across(point.x), down(point.y)].append(point)
    return places


def _dots(points: Sequence[Point], across: Scale, down: Scale) -> list[str]:
    """Return a dot for each point. Each names all points at its place, since only the topmost can be pointed at."""
    places = _by_place(points, across, down)
    dots = []
    for point in points:
        x, y = across(point.x), down(point.y)
        if point.low is not None and point.high is not None:
            dots.append(tag("line", x1=across(point.low), x2=across(point.high), y1=y, y2=y, class_="span thin"))
        title = tag("title", text(_names(places[x, y])))
        dots.append(tag("circle", title, cx=x, cy=y, r=5, class_="dot" if point.marked else "faint"))
    return dots


def _names(points: Sequence[Point]) -> str:
    more = [f"and {len(points) - MAX_NAMES} more"] if len(points) > MAX_NAMES else []
    return "\n".join([*(point.name for point in points[:MAX_NAMES]), *more])


def _labels(points: Sequence[Point], across: Scale, down: Scale) -> list[str]:
    """Return a label beside each dot, above or below it; one that would cover another or the axis is left out."""
    placed: list[tuple[float, float, float]] = []
    labels = []
    for (x, y), alike in sorted(_by_place(points, across, down).items(), key=lambda entry: (entry[0][1], entry[0][0])):
        label = _numbers([point.label for point in alike])
        width = DIGIT_WIDTH * len(label)
        left = x + 8 if x + 8 + width < across.end else x - 8 - width
        for top in (y - 6, y + 6 + LABEL_HEIGHT, y - 7 - LABEL_HEIGHT):
            if top < down.start and all(
                left + width < other or other + its_width < left or abs(top - height) > LABEL_HEIGHT
                for other, height, its_width in placed
            ):
                placed.append((left, top, width))
                labels.append(tag("text", text(label), x=round(left, 1), y=round(top, 1)))
                break
    return labels


def _numbers(names: Sequence[str]) -> str:
    """Return `3, 7, 12`, or `3, 7, 12, 14 +5` if there are many."""
    more = f" +{len(names) - MAX_NUMBERS}" if len(names) > MAX_NUMBERS else ""
    return f"{', '.join(names[:MAX_NUMBERS])}{more}"


def _short(value: OptionText) -> str:
    shown = str(value)
    return shown if len(shown) <= 14 else f"{shown[:13]}…"


def ticks_around(values: Sequence[float], shown: tuple[float, float]) -> list[float]:
    """Return round numbers that enclose the values and the range that is always shown."""
    return round_ticks(min(*values, *shown), max(*values, *shown))
