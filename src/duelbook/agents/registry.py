"""The registry of agents: each kind by name, and the functions that make and describe agents from a text."""

import random
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

from duelbook.agents.agent import Agent
from duelbook.agents.greedy import GreedyAgent
from duelbook.agents.level_agent import LevelAgent
from duelbook.agents.levels import LEVELS, OLDER_NAMES, Level
from duelbook.agents.mcts import MctsAgent
from duelbook.agents.perfect import PerfectAgent
from duelbook.agents.random_agent import RandomAgent
from duelbook.agents.search import SearchAgent
from duelbook.errors import RefusedError
from duelbook.text import did_you_mean, sanitize, shorten

MAX_PARAMETER_CHARACTERS = 400  # a record can hold the whole name
NO_LIMITS: Mapping[str, int] = {}


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


AGENTS: dict[str, AgentKind] = {  # in the order in which people see them: the levels, weakest first, then the others
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

OWN_AGENTS = frozenset(built_in for built_in, kind in AGENTS.items() if not kind.external)


def make_agent(text: str, seed: int | str | None = None) -> Agent:
    """Return the agent with this name, such as `greedy` or `search:4`. The same seed gives the same play."""
    return _make(AGENTS, text, seed)


def make_built_in(text: str, seed: int | str | None = None, limits: Mapping[str, int] = NO_LIMITS) -> Agent:
    """Return an agent as `make_agent` does, but refuse those that start a program or call an endpoint.

    `limits` are the largest parameters that are allowed, by the name of the agent.
    """
    if is_external(text):
        names = ", ".join(agent_names(built_in_agents()))
        raise RefusedError(f"Agent '{shorten(text)}' is not available here. Agents: {names}.")
    return _make(built_in_agents(limits), text, seed)


def built_in_agents(limits: Mapping[str, int] = NO_LIMITS) -> dict[str, AgentKind]:
    """Return the agents that neither start a program nor call an endpoint, so anybody may ask for them.

    `limits` are the largest parameters that are allowed, by the name of the agent.
    """
    return {name: _limited(kind, limits.get(name)) for name, kind in AGENTS.items() if not kind.external}


def _limited(kind: AgentKind, limit: int | None) -> AgentKind:
    if limit is None or not isinstance(kind.parameter, NumberParameter):
        return kind
    parameter = kind.parameter
    return kind._replace(
        parameter=parameter._replace(default=min(parameter.default, limit), maximum=min(parameter.maximum, limit))
    )


def current_name(text: str) -> str:
    """Return the name of the agent; a level may have been asked for by an older name."""
    return OLDER_NAMES.get(text, text)


def older_names(name: str) -> list[str]:
    """Return the names that the agent had before."""
    return [older for older, current in OLDER_NAMES.items() if current == name]


def turn_seed(text: str, seed: int | None, ply: int) -> str:
    """Return the seed for an agent that is made anew during a match, for its turn at this ply."""
    kind = _kind(text)
    return str(seed) if kind and kind.keeps_seed else f"{seed} {ply}"


def is_external(text: str) -> bool:
    """Return True if the text names an agent that starts a program or calls an endpoint."""
    kind = _kind(text)
    return kind is not None and kind.external


def is_own(text: str) -> bool:
    """Return True if the text names an agent of Duelbook itself, whose failure is no loss of a player's."""
    return _name(text) in OWN_AGENTS


def is_exact(text: str) -> bool:
    """Return True if the text names an agent that plays by exact values where there are any."""
    kind = _kind(text)
    return kind is not None and kind.exact


def needs_solution(text: str) -> bool:
    """Return True if the text names an agent that cannot play a game that is too large to be solved."""
    kind = _kind(text)
    return kind is not None and kind.exact and not kind.searches


def trust_option(texts: Iterable[str]) -> str:
    """Return ` --trust` if one of these agents is external: a file that names it may then start it."""
    return " --trust" if any(map(is_external, texts)) else ""


def check_reachable(texts: Iterable[str]) -> None:
    """Raise RefusedError if one of these agents needs something that cannot be reached."""
    for check in {AGENTS[_name(text)].check for text in texts}:
        if check:
            check()


def agent_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return the settings that affect how these agents play. Only external agents have any."""
    found: dict[str, Any] = {}
    for name in sorted(AGENTS.keys() & set(map(_name, texts))):
        found |= AGENTS[name].settings()
    return found


def agent_names(kinds: Mapping[str, AgentKind] = AGENTS) -> list[str]:
    """Return the names as a person types them, with the parameter after the colon."""
    return [f"{name}:{kind.parameter.name}" if kind.parameter else name for name, kind in kinds.items()]


def _name(text: str) -> str:
    return current_name(text).partition(":")[0]


def _kind(text: str) -> AgentKind | None:
    return AGENTS.get(_name(text))


def _make(kinds: Mapping[str, AgentKind], text: str, seed: int | str | None) -> Agent:
    name, colon, value = current_name(text).partition(":")
    kind = kinds.get(name)
    if kind is None or (colon and not kind.parameter):
        close = did_you_mean(name, (*kinds, *OLDER_NAMES))
        raise RefusedError(f"Unknown agent '{shorten(text)}'.{close} Agents: {', '.join(agent_names(kinds))}.")
    rng = random.Random(seed)
    if not kind.parameter:
        return kind.make(rng)
    try:
        parameter = kind.parameter.read(value if colon else None)
    except RefusedError as error:
        raise RefusedError(f"Agent '{shorten(text)}': {error}") from error
    return kind.make(rng, parameter)
