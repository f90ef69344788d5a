"""The plan of a run: how long and how much is measured."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    seconds: float = 20.0  # for which moves are measured
    warm_up: float = 3.0
    duels: int = 100  # matches that are played at once
    creations: int = 500  # matches that are made, to see how long that takes
    replies: int = 300  # of the perfect agent, in each game
    hold: float = 60.0  # seconds for which idle sockets are held
    kills: int = 200
    seed: int = 1
    log_levels: Sequence[str] = ("info",)


SHORT = Plan(seconds=5.0, warm_up=2.0, creations=100, replies=60, hold=10.0, kills=5)
