"""Players that are programs, made by name from one registry: `make_agent("search:4", seed=1)`."""

from duelbook.agents.agent import Agent, Forfeit, ForfeitKind, StoppedError
from duelbook.agents.registry import (
    AGENTS,
    AgentKind,
    NumberParameter,
    TextParameter,
    agent_names,
    agent_settings,
    built_in_agents,
    check_reachable,
    is_exact,
    is_external,
    make_agent,
    make_built_in,
    needs_solution,
    trust_option,
)

__all__ = [
    "AGENTS",
    "Agent",
    "AgentKind",
    "Forfeit",
    "ForfeitKind",
    "NumberParameter",
    "StoppedError",
    "TextParameter",
    "agent_names",
    "agent_settings",
    "built_in_agents",
    "check_reachable",
    "is_exact",
    "is_external",
    "make_agent",
    "make_built_in",
    "needs_solution",
    "trust_option",
]
