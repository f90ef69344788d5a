"""Figures: how they are summed up, printed, and compared with what is wanted."""

from collections.abc import Sequence
from typing import NamedTuple

PARTS = (0.5, 0.95, 0.99, 1.0)


class Spread(NamedTuple):
    """Milliseconds: what is typical, and what the slowest take."""

    p50: float
    p95: float
    p99: float
    most: float

    def __str__(self) -> str:
        return f"p50 {self.p50:7.1f}   p95 {self.p95:7.1f}   p99 {self.p99:7.1f}   max {self.most:7.1f} ms"


def spread(seconds: Sequence[float]) -> Spread:
    """Answer how the times are spread."""
    ordered = sorted(seconds) or [float("nan")]
    last = len(ordered) - 1
    return Spread(*(1000 * ordered[min(int(len(ordered) * part), last)] for part in PARTS))


def at_least(what: str, measured: float, wanted: float, unit: str) -> None:
    """Say whether the figure is as large as it is wanted."""
    _compare(what, f"at least {wanted:,.0f} {unit}", measured, measured >= wanted)


def below(what: str, measured: float, wanted: float, unit: str) -> None:
    """Say whether the figure is as small as it is wanted."""
    _compare(what, f"below {wanted:,.0f} {unit}", measured, measured < wanted)


def none_of(what: str, measured: int) -> None:
    """Say whether there are none, as it is wanted."""
    _compare(what, "none", measured, measured == 0)


def _compare(what: str, wanted: str, measured: float, ok: bool) -> None:
    print(f"    {what:46} target {wanted:22} measured {measured:10,.1f}   {'ok' if ok else 'MISSED'}", flush=True)
