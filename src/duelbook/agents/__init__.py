"""The agents there are: players that are programs, made by name from one registry."""

import random
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

from duelbook.agents.forfeit import Forfeit as Forfeit
from duelbook.agents.greedy import Greedy
from duelbook.agents.levels import SKILL, Level
from duelbook.agents.mcts import MonteCarlo
from duelbook.agents.parameter import Number, Parameter, Text, read_parameter
from duelbook.agents.perfect import Perfect
from duelbook.agents.random_agent import Chance
from duelbook.agents.search import Search
from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.match import MatchView
from duelbook.text import shorten


class Agent(Protocol):
    """A player that is a program."""

    def choose(self, match: MatchView) -> Move:
        """Answer a legal move for the mover, or raise `Forfeit` where there is none to be had."""
        ...

    def close(self) -> None: ...


class Kind(NamedTuple):
    """How agents of one name are made, and one line about how they play."""

    make: Callable[..., Agent]
    about: str
    parameter: Parameter | None = None
    outside: bool = False  # starts a program or reaches an endpoint, so that only who may do both can ask for it
    check: Callable[[], None] | None = None  # refuses in a sentence what it cannot reach
    settings: Callable[[], dict[str, Any]] = dict  # those that decide how it plays, by their environment variables


def _model(rng: random.Random, model: str) -> Agent:
    from duelbook.agents.llm import Model  # few need it, and it brings a library of its own

    return Model(rng, model)


def _reach_endpoint() -> None:
    from duelbook.agents.llm import shared_desk

    shared_desk().check()


def _model_settings() -> dict[str, Any]:
    from duelbook.agents.llm import read_llm_settings

    return read_llm_settings().deciding()


def _program(rng: random.Random, command: str) -> Agent:
    from duelbook.agents.process import Program

    return Program(rng, command)


def _program_settings() -> dict[str, Any]:
    from duelbook.agents.process import read_process_settings

    return read_process_settings().deciding()


AGENTS: dict[str, Kind] = {
    "random": Kind(Chance, "any legal move"),
    "greedy": Kind(Greedy, "wins at once when it can, avoids an immediate loss, else any move"),
    "search": Kind(Search, "looks so many plies ahead", Number("DEPTH", 3, 12)),
    "mcts": Kind(
        MonteCarlo, "tries so many games at random and follows what went well", Number("ROLLOUTS", 500, 1_000_000)
    ),
    **{
        name: Kind(partial(Level, skill=skill), f"finds the best move {skill:.0%} of the time, else plays any")
        for name, skill in SKILL.items()
    },
    "perfect": Kind(Perfect, "knows the exact value of every position"),
    "llm": Kind(
        _model,
        "a language model behind an endpoint",
        Text("MODEL", "llm:small-model"),
        outside=True,
        check=_reach_endpoint,
        settings=_model_settings,
    ),
    "process": Kind(
        _program,
        "a program of your own",
        Text("COMMAND", "process:./player.sh"),
        outside=True,
        settings=_program_settings,
    ),
}


def make_agent(text: str, seed: int | str | None = None) -> Agent:
    """Answer the agent of that name, as in `greedy` or `search:4`; the same seed gives the same play."""
    return _make(AGENTS, text, seed)


def make_built_in(text: str, seed: int | str | None = None) -> Agent:
    """Answer the agent of that name as `make_agent` does, but none that starts a program or reaches an endpoint."""
    if is_outside(text):
        raise RefusedError(f"agent '{shorten(text)}' is not offered here; valid: {', '.join(agent_names(built_in()))}")
    return _make(built_in(), text, seed)


def built_in() -> dict[str, Kind]:
    """Answer the agents that are all of Duelbook's own making, which anybody may be offered."""
    return {name: kind for name, kind in AGENTS.items() if not kind.outside}


def is_outside(text: str) -> bool:
    """Tell whether the text names an agent that starts a program or reaches an endpoint."""
    kind = AGENTS.get(text.partition(":")[0])
    return kind is not None and kind.outside


def trusting(texts: Iterable[str]) -> str:
    """Answer what a command about a file that names these agents has to say besides, so that they are started."""
    return " --trust" if any(map(is_outside, texts)) else ""


def check_reachable(texts: Iterable[str]) -> None:
    """Refuse agents that need something which cannot be reached, before anything is played."""
    for check in {AGENTS[text.partition(":")[0]].check for text in texts}:
        if check:
            check()


def settings_of(texts: Iterable[str]) -> dict[str, Any]:
    """Answer the settings here that decide how these agents play; only those from outside have any."""
    found: dict[str, Any] = {}
    for name in sorted({text.partition(":")[0] for text in texts}):
        found |= AGENTS[name].settings()
    return found


def agent_names(kinds: Mapping[str, Kind] = AGENTS) -> list[str]:
    """Answer the agents as a person types them, with what may follow a colon."""
    return [f"{name}:{kind.parameter.name}" if kind.parameter else name for name, kind in kinds.items()]


def _make(kinds: Mapping[str, Kind], text: str, seed: int | str | None) -> Agent:
    name, colon, _ = text.partition(":")
    kind = kinds.get(name)
    if kind is None or (colon and not kind.parameter):
        raise RefusedError(f"unknown agent '{shorten(text)}'; valid: {', '.join(agent_names(kinds))}")
    rng = random.Random(seed)
    return kind.make(rng, read_parameter(kind.parameter, text)) if kind.parameter else kind.make(rng)
