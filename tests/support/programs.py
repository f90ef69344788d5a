"""Programs as players in tests: shell scripts."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from duelbook.agents.process.agent import ProcessAgent

ANSWER = r"""sed -u -n 's/.*"legal": \["\([^"]*\)".*/{"move": "\1"}/p'"""  # the first legal move


def shell(script: str) -> str:
    quoted = script.replace("'", "'\\''")
    return f"sh -c '{quoted}'"


@contextmanager
def program(script: str) -> Iterator[ProcessAgent]:
    agent = ProcessAgent(random.Random(1), shell(script))
    try:
        yield agent
    finally:
        agent.close()
