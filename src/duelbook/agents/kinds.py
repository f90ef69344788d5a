"""The kinds of agents that this package has, and the parameters that may follow their names."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

from duelbook.agents.agent import Agent
from duelbook.agents.greedy import GreedyAgent
from duelbook.agents.level_agent import LevelAgent
from duelbook.agents.levels import LEVELS, Level
from duelbook.agents.mcts import MctsAgent
from duelbook.agents.perfect import PerfectAgent
from duelbook.agents.random_agent import RandomAgent
from duelbook.agents.search import SearchAgent
from duelbook.errors import RefusedError
from duelbook.text import sanitize

MAX_PARAMETER_CHARACTERS = 400  # a record can hold the whole name


class Parameter(Protocol):
    """What may follow the colon in an agent's name, as in `search:4`."""

    @property
    def name(self) -> str: ...

    def read(self, text: str | None) -> Any:
        """Return the value of the text after the colon (None if there is no colon), or raise RefusedError."""
        ...


class NumberParameter(NamedTuple):
    """A whole number from 1 to a maximum. Optional."""

    name: str
    default: int
    maximum: int

    def read(self, text: str | None) -> int:
        if text is None:
            return self.default
        if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= self.maximum):
            raise RefusedError(f"{self.name} must be a whole number from 1 to {self.maximum}.")
        return int(text)


class TextParameter(NamedTuple):
    """One line of text. Required."""

    name: str
    example: str

    def read(self, text: str | None) -> str:
        line = (text or "").strip()
        if not line:
            raise RefusedError(f"{self.name} is missing, as in '{self.example}'.")
        if len(line) > MAX_PARAMETER_CHARACTERS or sanitize(line) != line or "\n" in line:
            raise RefusedError(f"{self.name} must be one line of at most {MAX_PARAMETER_CHARACTERS} characters.")
        return line


class AgentKind(NamedTuple):
    """How agents of one name are made, and one line about how they play."""

    make: Callable[..., Agent]
    about: str
    parameter: Parameter | None = None
    exact: bool = False  # plays by exact values if the game is small enough to be solved
    searches: bool = False  # plays by search in a game that is too large to be solved
    keeps_seed: bool = False  # plays a whole match by one seed, so that it sees the same whenever it looks
    external: bool = False  # starts a program or calls an endpoint; only the person at the command line may ask for it
    check: Callable[[], None] | None = None  # raises RefusedError if something the agent needs cannot be reached
    settings: Callable[[], dict[str, Any]] = dict  # the settings that affect play, by environment variable


def _make_model(rng: random.Random, model: str) -> Agent:
    from duelbook.agents.llm import LlmAgent  # loads httpx, which few users need

    return LlmAgent(rng, model)


def _check_endpoint() -> None:
    from duelbook.agents.llm import shared_client

    shared_client().check()


def _model_settings() -> dict[str, Any]:
    from duelbook.agents.llm import read_llm_settings

    return read_llm_settings().play_settings()


def _make_program(rng: random.Random, command: str) -> Agent:
    from duelbook.agents.process import ProcessAgent  # loads msgspec

    return ProcessAgent(rng, command)


def _program_settings() -> dict[str, Any]:
    from duelbook.agents.process import read_process_settings

    return read_process_settings().play_settings()


def _level(level: Level) -> AgentKind:
    make = partial(LevelAgent, level=level)
    return AgentKind(make, level.about, exact=True, searches=True, keeps_seed=True)


KINDS: dict[str, AgentKind] = {  # in the order in which people see them: the levels, weakest first, then the others
    **{name: _level(level) for name, level in LEVELS.items()},
    "perfect": AgentKind(
        PerfectAgent,
        "never makes a mistake and takes the quickest win; in a lost position it makes winning as hard as it can",
        exact=True,
    ),
    "random": AgentKind(RandomAgent, "plays any legal move"),
    "greedy": AgentKind(GreedyAgent, "wins at once if it can, avoids losing at once, otherwise plays any move"),
    "search": AgentKind(SearchAgent, "searches a fixed number of moves ahead", NumberParameter("DEPTH", 3, 12)),
    "mcts": AgentKind(
        MctsAgent,
        "plays random games from the position and prefers the moves that score well",
        NumberParameter("ROLLOUTS", 500, 1_000_000),
    ),
    "llm": AgentKind(
        _make_model,
        "a language model behind an endpoint",
        TextParameter("MODEL", "llm:small-model"),
        external=True,
        check=_check_endpoint,
        settings=_model_settings,
    ),
    "process": AgentKind(
        _make_program,
        "a program of your own",
        TextParameter("COMMAND", "process:./player.sh"),
        external=True,
        settings=_program_settings,
    ),
}
