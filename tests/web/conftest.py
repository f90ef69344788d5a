"""Fixtures: the servers, one of a kind for the whole run; a test that needs one which is not there is skipped."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from duelbook.cli import main
from duelbook.web.db.schema import upgrade
from tests.support.service.backends import Missing, Postgres, Redis, Server, new_folder
from tests.support.service.harness import RunningServer
from tests.support.service.raw import Log
from tests.support.service.stock import Run, Stock, multiplied

Kind = TypeVar("Kind", bound=Server)
Start = Callable[..., RunningServer]


def running(kind: type[Kind]) -> Iterator[Kind]:
    """Answer a server that runs until the tests have ended."""
    folder = new_folder(kind.__name__.lower())
    try:
        server = kind.start(folder)
    except Missing as reason:
        shutil.rmtree(folder)
        pytest.skip(str(reason))
    yield server
    server.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Answer a PostgreSQL server."""
    yield from running(Postgres)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """Answer a Redis server."""
    yield from running(Redis)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> str:
    """Answer what a server works with: SQLite and one process, or PostgreSQL, Redis and two."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def servers() -> Iterator[dict[str, RunningServer]]:
    """Answer the servers that all tests of a back end share; they run on while other back ends have their turn."""
    running: dict[str, RunningServer] = {}
    yield running
    for server in running.values():
        server.kill()  # the databases may have gone before them


@pytest.fixture(scope="session")
def server(
    backend: str,
    servers: dict[str, RunningServer],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> RunningServer:
    """Answer a running server that nobody stops."""
    if backend not in servers:
        folder = tmp_path_factory.mktemp("server")
        servers[backend] = RunningServer(folder, new_settings(backend, folder, request)).start()
    return servers[backend]


@pytest.fixture(scope="session")
def own_server(
    backend: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """Answer a server that a test may stop or kill, if it then starts it again; it logs whatever there is to log."""
    folder = tmp_path_factory.mktemp("own")
    serving = RunningServer(folder, {**new_settings(backend, folder, request), "log_level": "debug"}).start()
    yield serving
    serving.kill()


def new_settings(backend: str, folder: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Answer settings with an empty database."""
    if backend == "sqlite":
        return {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    postgres: Postgres = request.getfixturevalue("postgres")
    redis: Redis = request.getfixturevalue("redis_server")
    url = postgres.new_database()
    upgrade(url)
    return {"database_url": url, "redis_url": redis.url, "workers": 2}


@pytest.fixture
def calm(server: RunningServer) -> Iterator[None]:
    """See that nothing went wrong inside while a test ran, and that the service still serves."""
    log = Log(server)
    yield
    assert server.http.get("/readyz").status_code == 200
    log.check()


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Stock:
    """Answer a store that nobody changes."""
    return Stock(tmp_path_factory.mktemp("stock"))


@pytest.fixture(scope="session")
def large(stock: Stock, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Answer a store that takes a while to copy."""
    file = tmp_path_factory.mktemp("large") / "large.sqlite"
    shutil.copy(stock.file, file)
    multiplied(file, 600)  # more than the cache of SQLite, which writes nothing before it is full
    return f"sqlite:///{file}"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Answer what runs `duelbook db` in this process: its exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["duelbook", "db", *map(str, words)])
        code = main()
        return code, *capsys.readouterr()

    return run


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Answer the URL of a database that is not there yet, or has nothing in it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.sqlite'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


@pytest.fixture
def url(empty: str) -> str:
    """Answer the URL of a database at the newest schema."""
    upgrade(empty)
    return empty


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Answer a way to start servers, with something broken if so asked; all of them end with the test."""
    servers: list[RunningServer] = []

    def run(broken: str | None = None, **settings: Any) -> RunningServer:
        folder = tmp_path / f"server {len(servers)}"
        folder.mkdir()
        program = ("tests.support.service.broken", broken, "serve") if broken else ("duelbook", "serve")
        where = {"database_url": f"sqlite:///{tmp_path / 'matches.sqlite'}"}
        servers.append(RunningServer(folder, where | settings, program))
        return servers[-1].start()

    yield run
    for server in servers:
        server.kill()
