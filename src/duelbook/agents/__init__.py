"""The agents there are: players that are programs, made by name from one registry."""

import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

from duelbook.agents.chance import Chance
from duelbook.agents.greedy import Greedy
from duelbook.game import Move, RefusedError
from duelbook.match import MatchView


class Agent(Protocol):
    """A player that is a program."""

    def choose(self, match: MatchView) -> Move:
        """Answer a legal move for the mover."""
        ...

    def close(self) -> None: ...


class Kind(NamedTuple):
    """How agents of one name are made, and one line about how they play."""

    make: Callable[[random.Random], Agent]
    about: str


AGENTS: dict[str, Kind] = {
    "random": Kind(Chance, "any legal move"),
    "greedy": Kind(Greedy, "wins at once when it can, avoids an immediate loss, else any move"),
}


def make_agent(name: str, seed: int | str | None = None) -> Agent:
    """Answer the agent of that name; the same seed gives the same play."""
    if name not in AGENTS:
        raise RefusedError(f"unknown agent '{name}'; valid: {', '.join(AGENTS)}")
    return AGENTS[name].make(random.Random(seed))
