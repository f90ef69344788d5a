"""The plan of a run: how long and how much to measure."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    seconds: float = 20.0  # of measuring moves
    short_seconds: float = 8.0  # of measuring moves where there are many measurements
    warm_up: float = 3.0
    pairs: int = 100  # that play at the same time
    rate: int = 1000  # moves offered a second
    creations: int = 500  # of matches, one after the other
    replies: int = 300  # of the perfect agent, in each game
    hold: float = 60.0  # seconds to hold idle sockets
    kills: int = 200
    peer_kills: int = 5  # of each peer's server
    calm: float = 6.0  # seconds before an attack; as long as the attack: the slowest of as many
    attack: float = 6.0
    attacks: Sequence[str] = ()  # all by default
    stored: int = 1_000_000  # matches in a large store
    soak_seconds: float = 3600.0
    seed: int = 1
    log_levels: Sequence[str] = ("info",)


SHORT = Plan(
    seconds=5.0,
    short_seconds=4.0,
    warm_up=2.0,
    creations=100,
    replies=60,
    hold=10.0,
    kills=5,
    peer_kills=2,
    calm=4.0,
    attack=4.0,
    stored=100_000,
    soak_seconds=120.0,
)
