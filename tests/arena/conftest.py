"""Fixtures: the command line within the test process, and finished tournaments to compare with."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from duelbook.agents import AGENTS
from duelbook.cli import main
from tests.support.keyboard import DUELBOOK
from tests.support.models import duelbook, serve_model
from tests.support.odd_agents import ODD_AGENTS

__all__ = ["duelbook", "serve_model"]

SMALL = (
    *("--games", "crystal-capture", "--agents", "random,greedy,perfect", "--pairs", "20", "--seed", "5"),
    *("--openings", "balanced"),
)
SLEEPY = ("--games", "flag-chase", "--agents", "sleepy,random", "--pairs", "40", "--seed", "3")
TOURNAMENT = [*DUELBOOK, "tournament"]


class Output(NamedTuple):
    code: int
    out: str
    err: str


Call = Callable[..., Output]


@contextmanager
def odd_agents() -> Iterator[pytest.MonkeyPatch]:
    """Let this process and its children know the agents that behave badly."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ODD_AGENTS.items():
            patch.setenv(name, value)
        AGENTS.reload()
        yield patch
    AGENTS.reload()


@pytest.fixture
def with_odd_agents() -> Iterator[pytest.MonkeyPatch]:
    with odd_agents() as patch:
        yield patch


@pytest.fixture
def call(with_odd_agents: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return lambda *arguments: Output(command(with_odd_agents, *arguments), *capsys.readouterr())


def command(patch: pytest.MonkeyPatch, *arguments: object) -> int:
    patch.setattr(sys, "argv", ["duelbook", *map(str, arguments)])
    return main()


def serial(folder: Path, *arguments: str) -> Path:
    with odd_agents() as patch:
        assert command(patch, "tournament", *arguments, "--backend", "serial", "--out", folder) == 0
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Return the files that are the same on every back end."""
    return {name: (folder / name).read_bytes() for name in ("manifest.json", "matches.jsonl", "standings.json")}


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return serial(tmp_path_factory.mktemp("small") / "out", *SMALL)


@pytest.fixture(scope="session")
def sleepy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament that takes long enough to be interrupted."""
    return serial(tmp_path_factory.mktemp("sleepy") / "out", *SLEEPY)
