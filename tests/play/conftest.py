"""What a person keeps is kept in a folder of each test. The service runs for all tests of a file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.remote import Person, joined
from tests.support.service.harness import Player, RunningServer

Sit = Callable[..., tuple[Person, Player]]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder, which is empty."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "duelbook"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service. A test that kills it starts it again."""
    folder = tmp_path_factory.mktemp("server")
    serving = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}", "claim_seconds": 1})
    yield serving.start()
    serving.kill()


@pytest.fixture
def sit(server: RunningServer) -> Iterator[Sit]:
    """A function that lets Ann make a match and Bob join it over HTTP. All connections end with the test."""
    started: list[Person] = []

    def start(url: str = "", **arguments: Any) -> tuple[Person, Player]:
        ann = Person(url or server.url, **{"game": "charge", "names": ("Ann", None), **arguments})
        started.append(ann)
        bob = joined(server, ann.match, name="Bob")
        assert ann.session
        return ann, bob

    yield start
    for person in started:
        person.close()
