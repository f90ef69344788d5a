"""The plan of a run: how long and how much is measured."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    seconds: float = 20.0  # for which moves are measured
    warm_up: float = 3.0
    duels: int = 100  # matches that are played at once
    log_levels: Sequence[str] = ("info", "warning")
