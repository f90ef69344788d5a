"""The agents there are: players that are programs, made by name from one registry."""

import random
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol

from duelbook.agents.chance import Chance
from duelbook.agents.forfeit import Forfeit as Forfeit
from duelbook.agents.greedy import Greedy
from duelbook.agents.levels import SKILL, Level
from duelbook.agents.mcts import MonteCarlo
from duelbook.agents.perfect import Perfect
from duelbook.agents.search import Search
from duelbook.game import Move, RefusedError, shortened
from duelbook.match import MatchView


class Agent(Protocol):
    """A player that is a program."""

    def choose(self, match: MatchView) -> Move:
        """Answer a legal move for the mover, or raise `Forfeit` where there is none to be had."""
        ...

    def close(self) -> None: ...


class Parameter(NamedTuple):
    """The whole number that may follow an agent's name after a colon."""

    name: str
    default: int
    most: int


class Kind(NamedTuple):
    """How agents of one name are made, and one line about how they play."""

    make: Callable[..., Agent]
    about: str
    parameter: Parameter | None = None


AGENTS: dict[str, Kind] = {
    "random": Kind(Chance, "any legal move"),
    "greedy": Kind(Greedy, "wins at once when it can, avoids an immediate loss, else any move"),
    "search": Kind(Search, "looks so many plies ahead", Parameter("DEPTH", 3, 12)),
    "mcts": Kind(
        MonteCarlo, "tries so many games at random and follows what went well", Parameter("ROLLOUTS", 500, 1_000_000)
    ),
    **{
        name: Kind(partial(Level, skill=skill), f"finds the best move {skill:.0%} of the time, else plays any")
        for name, skill in SKILL.items()
    },
    "perfect": Kind(Perfect, "knows the exact value of every position"),
}


def make_agent(text: str, seed: int | str | None = None) -> Agent:
    """Answer the agent of that name, as in `greedy` or `search:4`; the same seed gives the same play."""
    kind, number = _read(text)
    rng = random.Random(seed)
    return kind.make(rng) if number is None else kind.make(rng, number)


def agent_names() -> list[str]:
    """Answer the agents as a person types them, with what may follow a colon."""
    return [f"{name}:{kind.parameter.name}" if kind.parameter else name for name, kind in AGENTS.items()]


def _read(text: str) -> tuple[Kind, int | None]:
    """Answer what the text names, and the number behind its colon; refuse anything else."""
    name, colon, number = text.partition(":")
    kind = AGENTS.get(name)
    if kind is None or (colon and not kind.parameter):
        raise RefusedError(f"unknown agent '{shortened(text)}'; valid: {', '.join(agent_names())}")
    if kind.parameter is None:
        return kind, None
    if not colon:
        return kind, kind.parameter.default
    if not (number.isascii() and number.isdecimal() and len(number) < 9 and 1 <= int(number) <= kind.parameter.most):
        raise RefusedError(f"'{shortened(text)}': {kind.parameter.name} must be from 1 to {kind.parameter.most}")
    return kind, int(number)
