"""Schedules: which matches are played and which faults happen, from a seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.simulation.clients import Crowd, Duel, Studies
from tests.simulation.faults import Fault, Kind

FAULT_SECONDS = 15.0  # in which faults begin
MAX_FAULT_SECONDS = 8.0
GAMES: Sequence[tuple[str, dict[str, int]]] = (
    ("charge", {"goal": 10}),
    ("crystal-capture", {"goal": 15}),
    ("flag-chase", {}),
)
WEIGHTS = {
    Kind.CRASH: 4,
    Kind.RESTART: 1,
    Kind.PAUSE: 2,
    Kind.SLOW_STORE: 2,
    Kind.SILENT_STORE: 2,
    Kind.FAILING_STORE: 2,
    Kind.FULL_DISK: 1,
    Kind.CHANNEL_DOWN: 2,
    Kind.LOSSY_CHANNEL: 2,
    Kind.LOSSY_NETWORK: 3,
    Kind.DYING_WORKERS: 1,
    Kind.HANGING_WORKERS: 1,
    Kind.CONFUSED_WORKERS: 1,
    Kind.CLOCK_JUMP: 1,
}
JUMPS = (-86_400.0 * 400, -3600.0, 3600.0, 86_400.0 * 31, 86_400.0 * 400)


Item = Duel | Crowd | Studies | Fault


@dataclass(frozen=True)
class Schedule:
    """All of a run that is not left to the seed of its delays."""

    nodes: int
    items: tuple[Item, ...]

    @property
    def faults(self) -> list[Fault]:
        return [item for item in self.items if isinstance(item, Fault)]

    def __str__(self) -> str:
        lines = [str(item) for item in sorted(self.items, key=lambda item: item.start)]
        return "\n".join([f"{self.nodes} processes", *lines])


def schedule_of(seed: int, nodes: int = 0) -> Schedule:
    rng = random.Random(f"{seed} schedule")
    nodes = nodes or rng.choice((1, 1, 2, 2, 2, 2, 3))
    clients: list[Item] = [_duel(rng, seed) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.15:
        clients.append(Crowd(1.0 + rng.random() * 8, seed, rng.randint(5, 15)))
    if rng.random() < 0.15:
        clients.append(Studies(1.0 + rng.random() * 8, seed, rng.randint(3, 10)))
    possible = rng.sample(list(WEIGHTS), rng.randint(1, 5))  # few kinds at a time meet more often than all of them do
    kinds = rng.choices(possible, [WEIGHTS[kind] for kind in possible], k=rng.randint(0, 6))
    return Schedule(nodes, (*clients, *(_fault(rng, kind, nodes) for kind in kinds)))


def _duel(rng: random.Random, seed: int) -> Duel:
    game, options = rng.choice(GAMES)
    return Duel(
        start=1.0 + rng.random() * 6,
        seed=seed,
        game=game,
        options=options,
        opponent=rng.choice(("friend", "friend", "random", "mcts:20")),
        time_limit=rng.choice((None, None, None, 6.0, 10.0)),
        steps=rng.randint(2, 12),
        spectators=rng.choice((0, 0, 1, 2)),
        sockets=rng.random() < 0.7,
    )


def _fault(rng: random.Random, kind: Kind, nodes: int) -> Fault:
    return Fault(
        kind=kind,
        start=rng.random() * FAULT_SECONDS,
        seconds=0.2 + rng.random() ** 2 * MAX_FAULT_SECONDS,
        node=rng.choice((None, *range(nodes))),
        amount=rng.choice(JUMPS) if kind is Kind.CLOCK_JUMP else 0.0,
    )
