"""Fixtures: the command line without a process of its own, and a tournament that others are compared with."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from duelbook.agents import AGENTS
from duelbook.cli import main
from tests.arena.odd import ODD


class Said(NamedTuple):
    code: int
    out: str
    err: str


Call = Callable[..., Said]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process, where agents that behave badly are known, too."""

    def called(*arguments: object) -> Said:
        return Said(command(monkeypatch, *arguments), *capsys.readouterr())

    return called


def command(patch: pytest.MonkeyPatch, *arguments: object) -> int:
    for name, kind in ODD.items():
        patch.setitem(AGENTS, name, kind)
    patch.setattr(sys, "argv", ["duelbook", *map(str, arguments)])
    return main()


def serial(folder: Path, *arguments: str) -> Path:
    """Play a tournament in this process, and answer its folder."""
    with pytest.MonkeyPatch.context() as patch:
        assert command(patch, "tournament", *arguments, "--backend", "serial", "--out", folder) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Answer the files that are the same wherever a tournament is played."""
    return {name: (folder / name).read_bytes() for name in ("manifest.json", "matches.jsonl", "standings.json")}
