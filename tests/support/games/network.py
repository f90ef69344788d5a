"""Network: walk along the arrows between a few nodes. A node without arrows is the end.

Any small graph can be given as the options, with cycles, dead ends and moves after which the same player moves again.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from duelbook.game import Move, Outcome, Player, each_bit, won_by

NODES = 12


class State(NamedTuple):
    mover: Player
    node: int


@dataclass(frozen=True)
class Network:
    arrows: tuple[int, ...]  # for each node a mask of the nodes that it leads to
    again: int = 0  # a mask of the nodes on which the same player moves again
    num_moves: int = NODES

    def initial(self) -> State:
        return State(0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit(self.arrows[state.node])

    def play(self, state: State, move: Move) -> State:
        return State(state.mover if self.again >> move & 1 else 1 - state.mover, move)

    def outcome(self, state: State) -> Outcome:
        if self.arrows[state.node]:
            return Outcome.UNDECIDED
        if state.node % 3 == 0:
            return Outcome.DRAW
        return won_by(state.mover if state.node % 3 == 1 else 1 - state.mover)

    def move_name(self, state: State, move: Move) -> str:
        return str(move)

    def render(self, state: State) -> str:
        return f"Node {state.node}"


def random_network(seed: int) -> Network:
    """Return a network with few or many arrows, and with an end that every node leads to in some way."""
    rng = random.Random(seed)
    share = rng.choice((0.05, 0.15, 0.3))
    masks = []
    for node in range(NODES):
        mask = sum(1 << other for other in range(NODES) if rng.random() < share)
        masks.append(mask | 1 << rng.randint(min(node + 1, NODES - 1), NODES - 1) if node < NODES - 3 else 0)
    return Network(tuple(masks), rng.getrandbits(NODES) if rng.random() < 0.3 else 0)
