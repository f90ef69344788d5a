"""Figures: how they are summed up, printed, and compared with what is wanted."""

from collections.abc import Sequence
from typing import NamedTuple


class Spread(NamedTuple):
    """Milliseconds: what is typical, and what the slowest take."""

    p50: float
    p95: float
    p99: float
    most: float

    def __str__(self) -> str:
        return f"p50 {self.p50:7.1f}   p95 {self.p95:7.1f}   p99 {self.p99:7.1f}   max {self.most:7.1f} ms"


def spread(seconds: Sequence[float]) -> Spread:
    """Answer how the times are spread; none at all are spread over nothing."""
    ordered = sorted(seconds) or [float("nan")]
    p50, p95, p99, most = (
        1000 * ordered[min(int(len(ordered) * part), len(ordered) - 1)] for part in (0.5, 0.95, 0.99, 1)
    )
    return Spread(p50, p95, p99, most)


def at_least(what: str, measured: float, wanted: float, unit: str) -> None:
    """Say whether the figure is as large as it is wanted."""
    _compare(what, "at least", measured, wanted, unit, measured >= wanted)


def below(what: str, measured: float, wanted: float, unit: str) -> None:
    """Say whether the figure is as small as it is wanted."""
    _compare(what, "below", measured, wanted, unit, measured < wanted)


def _compare(what: str, how: str, measured: float, wanted: float, unit: str, ok: bool) -> None:
    target = f"target {how} {wanted:,.0f} {unit}"
    print(f"  {what:44} {target:30} measured {measured:10,.1f}   {'ok' if ok else 'MISSED'}", flush=True)
