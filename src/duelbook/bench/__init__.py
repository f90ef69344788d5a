"""How fast the rules are, interpreted and compiled, side by side with other libraries in the same run."""

import importlib.util
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from duelbook.bench.peers import PEERS
from duelbook.bench.speed import batched, compiled, interpreted, moves_per_second
from duelbook.game import AnyGame
from duelbook.games import make

GOALS = {  # compiled moves a second on one core of the reference machine
    "charge": 20e6,
    "crystal-capture": 20e6,
    "flag-chase": 20e6,
    "alpha-chase": 10e6,
    "word-clash": 2e6,
}
SCALING_GOAL = 1.7  # times one core, on two


class Figure(NamedTuple):
    """One thing that was measured."""

    name: str
    way: str  # interpreted, compiled, or a peer's own
    cores: int
    speed: float  # moves a second
    goal: float | None = None


def measured(games: list[str], seconds: float, cores: int) -> Iterator[Figure]:
    """Measure the peers that are installed and the games, each for so long, and answer each figure as it is there."""
    for name, peer in PEERS.items():
        if peer.installed:
            yield Figure(name, peer.way, 1, moves_per_second(peer.player(), seconds))
    for name in games:
        game = make(name)
        yield Figure(name, "interpreted", 1, moves_per_second(interpreted(game), seconds))
        if importlib.util.find_spec("numba"):
            yield from _compiled(game, name, seconds, cores)


def _compiled(game: AnyGame, name: str, seconds: float, cores: int) -> Iterator[Figure]:
    alone = moves_per_second(compiled(game, 1), seconds)
    yield Figure(name, "compiled", 1, alone, GOALS.get(name))
    yield Figure(name, "compiled, batched", 1, moves_per_second(batched(game), seconds), GOALS.get(name))
    if cores > 1:
        yield Figure(name, "compiled", cores, moves_per_second(compiled(game, cores), seconds))


def missing() -> list[str]:
    """Answer what could be measured too if it were installed."""
    return [name for name, peer in PEERS.items() if not peer.installed]


def bench_json(figures: list[Figure]) -> dict[str, Any]:
    """Answer the figures for tools, each with its ratios to the peers and to one core."""
    peers = {figure.name: figure.speed for figure in figures if figure.name in PEERS}
    alone = {figure.name: figure.speed for figure in figures if figure.way == "compiled" and figure.cores == 1}
    return {
        "cores": os.cpu_count(),
        "figures": [
            {
                **figure._asdict(),
                "ratios": {peer: figure.speed / speed for peer, speed in peers.items() if peer != figure.name},
                "scaling": figure.speed / alone[figure.name] if figure.cores > 1 else None,
            }
            for figure in figures
        ],
    }
