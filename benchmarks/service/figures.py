"""Figures: percentiles, and comparisons with the targets."""

from collections.abc import Sequence
from typing import NamedTuple

PERCENTILES = (0.5, 0.95, 0.99, 1.0)


class Spread(NamedTuple):
    """Percentiles of times, in milliseconds."""

    p50: float
    p95: float
    p99: float
    maximum: float

    def __str__(self) -> str:
        return f"p50 {self.p50:7.1f}   p95 {self.p95:7.1f}   p99 {self.p99:7.1f}   max {self.maximum:7.1f} ms"


def spread(seconds: Sequence[float]) -> Spread:
    """Return the percentiles of the times."""
    return Spread(*(1000 * quantile(seconds, part) for part in PERCENTILES))


def quantile(values: Sequence[float], part: float) -> float:
    """Return the value that this part of the values does not exceed."""
    ordered = sorted(values) or [float("nan")]
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def at_least(what: str, measured: float, target: float, unit: str) -> None:
    """Print whether the figure reaches the target."""
    _compare(what, f"at least {target:,g} {unit}", measured, measured >= target)


def below(what: str, measured: float, target: float, unit: str) -> None:
    """Print whether the figure is below the target."""
    _compare(what, f"below {target:,g} {unit}", measured, measured < target)


def none_of(what: str, measured: int) -> None:
    """Print whether there are none."""
    _compare(what, "none", measured, measured == 0)


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    for row in (head, ["-" * width for width in widths], *rows):
        print(f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |", flush=True)


def _compare(what: str, target: str, measured: float, ok: bool) -> None:
    print(f"    {what:46} target {target:22} measured {measured:10,.2f}   {'ok' if ok else 'MISSED'}", flush=True)
