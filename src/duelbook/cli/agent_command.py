"""The class of commands that take agents. Their help lists all agents, which are looked for only then."""

from textwrap import fill
from typing import Any

from typer.core import TyperCommand

WIDTH = 78  # of a help page, without its margin


class AgentCommand(TyperCommand):
    """A command whose help has the list of agents in front of its examples."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(f"\b\nAgents:\n{agent_lines()}")
        super().format_epilog(ctx, formatter)


def agent_lines() -> str:
    """Return a line about each agent, and a sentence about each from outside that cannot be used."""
    from duelbook.agents import AGENTS, agent_names  # which a game of two people does not need
    from duelbook.registry import BUILT_IN

    names = agent_names()
    width = max(map(len, names)) + 2
    entries = []
    for name, (key, kind) in zip(names, AGENTS.items(), strict=True):
        origin = AGENTS.origin(key)
        about = kind.about if origin == BUILT_IN else f"{kind.about} ({origin})".strip()
        entries.append(_filled(f"{name.ljust(width)}{about}", width + 2))
    return "\n".join([*entries, *(_filled(problem, 2) for problem in AGENTS.problems())])


def _filled(text: str, indent: int) -> str:
    return fill(text, WIDTH, initial_indent="  ", subsequent_indent=" " * indent, break_on_hyphens=False)
