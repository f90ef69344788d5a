"""Programs as players in tests: shell scripts."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from duelbook.agents.process.agent import ProcessAgent

FIRST_LEGAL = r"""printf '%s\n' "$line" | sed -n 's/.*"legal": \["\([^"]*\)".*/{"move": "\1"}/p'"""


def hello(more: str = "") -> str:
    return f"""echo '{{"type": "hello", "protocol": 1, "name": "Shell", "author": "Tests"{more}}}'"""


def answering(turn: str) -> str:
    """Return a short script that answers each turn by this command of sed."""
    return f"""{{ {hello()}; sed -u -n 's/.*"type": "game".*/{{"type": "ready"}}/p;{turn}'; }}"""


ANSWER = answering(r's/.*"legal": \["\([^"]*\)".*/{"move": "\1"}/p')  # the first legal move
ALWAYS_1 = answering(r's/.*"type": "turn".*/{"move": "1"}/p')


def player_script(*, start: str = "", can: str = "", ready: str = "", info: str = "", turn: str = FIRST_LEGAL) -> str:
    """Return a script that plays the first legal move. The arguments are shell commands, and `can`."""
    can_do = f', "can": [{can}]'
    return (
        f"{start or ':'}; {hello(can_do)}; while read -r line; do case $line in "
        f"""*'"type": "game"'*) {ready or ":"}; echo '{{"type": "ready"}}';; """
        f"""*'"type": "turn"'*) {info or ":"}; {turn};; *'"type": "result"'*) printf '%s\n' "$line" >&3;; """
        "esac; done 3>>${RESULTS:-/dev/null}"
    )


def shell(script: str) -> str:
    quoted = script.replace("'", "'\\''")
    return f"sh -c '{quoted}'"


def clock_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the thinking time of programs be what they themselves write into the file that is returned."""
    file = folder / "clock"
    file.touch()
    clock = SimpleNamespace(monotonic=lambda: sum(map(float, file.read_text().split())))
    monkeypatch.setattr("duelbook.agents.process.program.time", clock)
    return file


@contextmanager
def program(script: str) -> Iterator[ProcessAgent]:
    agent = ProcessAgent(random.Random(1), shell(script))
    try:
        yield agent
    finally:
        agent.close()
