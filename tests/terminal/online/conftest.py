"""A running service for all tests of this folder, and terminals of people who have folders of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from tests.support.keyboard import spawn
from tests.support.service.harness import RunningServer

GAME = "tests.support.games.last_stone:LastStone"
Sit = Callable[..., "pexpect.spawn[str]"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that no test stops."""
    serving = new_server(tmp_path_factory.mktemp("server")).start()
    yield serving
    serving.kill()


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server that a test may kill, if it starts it again."""
    serving = new_server(tmp_path_factory.mktemp("own")).start()
    yield serving
    serving.kill()


def new_server(folder: Path) -> RunningServer:
    """Return a server with a game that the terminals do not have."""
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}", "claim_seconds": 1}
    return RunningServer(folder, settings, environment={"DUELBOOK_GAMES": GAME})


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Sit]:
    """A function that starts `duelbook play` at the terminal of a person, by name. All of them end with the test."""
    terminals: list[pexpect.spawn[str]] = []

    def start(person: str, arguments: str, **variables: str) -> "pexpect.spawn[str]":
        terminals.append(spawn(f"play {arguments}", XDG_DATA_HOME=str(tmp_path / person), **variables))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close(force=True)
