"""The registry of agents: those of this package and those from outside, made and described from a text."""

import random
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from duelbook.agents.agent import Agent, close_agent
from duelbook.agents.kinds import KINDS, AgentKind, NumberParameter, TextParameter
from duelbook.errors import RefusedError
from duelbook.records.record import HUMAN
from duelbook.registry import Registry, UnknownNameError, reason
from duelbook.text import did_you_mean, sanitize, shorten

METHODS = ("choose", "close")
NO_LIMITS: Mapping[str, int] = {}
OWN_AGENTS = frozenset(name for name, kind in KINDS.items() if not kind.external)


class AgentRegistry(Registry[AgentKind]):
    """Every agent by name: those of this package, then those from outside, by name.

    An agent from outside is a class. The first line of its docstring says how it plays, and its attribute `parameter`,
    if it has one, describes what may follow its name after a colon.
    """

    kind = "agent"
    entry_points = "duelbook.agents"
    variable = "DUELBOOK_AGENTS"
    reserved_names = (HUMAN,)

    def built_in_names(self) -> Collection[str]:
        return KINDS

    def built_in(self, name: str) -> AgentKind:
        return KINDS[name]

    def checked(self, found: Any) -> AgentKind:
        if not isinstance(found, type):
            raise RefusedError(f"{shorten(repr(found))} is not a class.")
        missing = [name for name in METHODS if not callable(getattr(found, name, None))]
        if missing:
            raise RefusedError(f"The class {found.__name__} is not an agent: it has no {', '.join(missing)}.")
        parameter = getattr(found, "parameter", None)
        if not isinstance(parameter, NumberParameter | TextParameter | None):
            kinds = "a NumberParameter or a TextParameter"
            raise RefusedError(f"{found.__name__}.parameter must be {kinds}, not {shorten(repr(parameter))}.")
        about = sanitize((found.__doc__ or "").strip().partition("\n")[0]).removesuffix(".")
        return AgentKind(found, about, parameter)


AGENTS = AgentRegistry()


def make_agent(text: str, seed: int | str | None = None) -> Agent:
    """Return the agent with this name, such as `greedy` or `search:4`. The same seed gives the same play."""
    return _make(AGENTS, text, seed)


def check_agent(text: str) -> None:
    """Raise RefusedError if there is no agent with this name, or if it cannot be made."""
    close_agent(make_agent(text))


def check_agent_name(text: str) -> None:
    """Raise RefusedError unless the text names an agent. The agent is not made."""
    _read(AGENTS, text)


def is_agent(text: str) -> bool:
    """Return True if the text names an agent. The agent is not made."""
    try:
        check_agent_name(text)
    except RefusedError:
        return False
    return True


def agent_text(agent: object) -> str:
    """Return the name of an agent as it was given, or raise RefusedError if it is no text."""
    if isinstance(agent, str):
        return agent
    name = (agent if isinstance(agent, type) else type(agent)).__name__
    raise RefusedError(
        f"An agent is given by its name, such as 'greedy', not by an object ({name}). To give your own a name: "
        f"duelbook.agents.AGENTS.add('mine', {name}). See: docs/agents.md"
    )


def make_built_in(text: str, seed: int | str | None = None, limits: Mapping[str, int] = NO_LIMITS) -> Agent:
    """Return an agent as `make_agent` does, but only one of Duelbook's own, which runs no code from outside.

    `limits` are the largest parameters that are allowed, by the name of the agent.
    """
    if is_external(text):
        names = ", ".join(agent_names(built_in_agents()))
        raise RefusedError(f"Agent '{shorten(text)}' is not available here. Agents: {names}.")
    return _make(built_in_agents(limits), text, seed)


def built_in_agents(limits: Mapping[str, int] = NO_LIMITS) -> dict[str, AgentKind]:
    """Return Duelbook's own agents, which neither start a program nor call an endpoint, so anybody may ask for them.

    `limits` are the largest parameters that are allowed, by the name of the agent.
    """
    return {name: _limited(kind, limits.get(name)) for name, kind in KINDS.items() if not kind.external}


def _limited(kind: AgentKind, limit: int | None) -> AgentKind:
    if limit is None or not isinstance(kind.parameter, NumberParameter):
        return kind
    parameter = kind.parameter
    return kind._replace(
        parameter=parameter._replace(default=min(parameter.default, limit), maximum=min(parameter.maximum, limit))
    )


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


def is_model(text: str) -> bool:
    """Return True if the text names a language model."""
    return text.startswith("llm:")


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
    for check in {kind.check for text in texts if (kind := _kind(text))}:
        if check:
            check()


def agent_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return the settings that affect how these agents play. Only external agents have any."""
    found: dict[str, Any] = {}
    for name in sorted(KINDS.keys() & set(map(_name, texts))):
        found |= KINDS[name].settings()
    return found


def agent_names(kinds: Mapping[str, AgentKind] = AGENTS) -> list[str]:
    """Return the names as a person types them, with the parameter after the colon."""
    return [f"{name}:{kind.parameter.name}" if kind.parameter else name for name, kind in kinds.items()]


def _name(text: str) -> str:
    return text.partition(":")[0]


def _kind(text: str) -> AgentKind | None:
    """Return the kind of agent of this package that the text names. Agents from outside have no special properties."""
    return KINDS.get(_name(text))


def _make(kinds: Mapping[str, AgentKind], text: str, seed: int | str | None) -> Agent:
    kind, parameter = _read(kinds, text)
    rng = random.Random(seed)
    try:
        return kind.make(rng, parameter) if kind.parameter else kind.make(rng)
    except (Exception, SystemExit) as error:
        if _name(text) in KINDS or isinstance(error, RefusedError):
            raise
        raise RefusedError(f"Agent '{shorten(text)}' cannot be made. {reason(error)}.") from error


def _read(kinds: Mapping[str, AgentKind], text: str) -> tuple[AgentKind, Any]:
    """Return the kind that the text names and the value of its parameter, if it has one. Raise RefusedError if none."""
    name, colon, value = agent_text(text).partition(":")
    kind = kinds.get(name)
    if kind is None or (colon and not kind.parameter):
        raise _unknown(kinds, text)
    if not kind.parameter:
        return kind, None
    try:
        return kind, kind.parameter.read(value if colon else None)
    except RefusedError as error:
        raise RefusedError(f"Agent '{shorten(text)}': {error}") from error


def _unknown(kinds: Mapping[str, AgentKind], text: str) -> RefusedError:
    """Return the error about an agent that is not among these kinds."""
    name = _name(text)
    if kinds is AGENTS and (problem := AGENTS.problem(name)):
        return RefusedError(problem)
    close = did_you_mean(name, kinds)
    message = f"Unknown agent '{shorten(text)}'.{close} Agents: {', '.join(agent_names(kinds))}."
    unnamed = AGENTS.unnamed_problems() if kinds is AGENTS else ()
    return UnknownNameError(AGENTS, name, " ".join([message, *unnamed]))
