"""Fixtures: servers of every kind, one for the whole run; a test is skipped if the machine has no such server.

The report of a failed test shows what the servers of the service logged during the test.
"""

import shutil
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from duelbook.cli import main
from duelbook.web.db.schema import upgrade
from tests.support.service.backends import Missing, Postgres, Redis, Server, new_folder
from tests.support.service.harness import RunningServer, log_sections, log_sizes
from tests.support.service.raw import Log
from tests.support.service.stock import Run, Stock, multiply_matches

Kind = TypeVar("Kind", bound=Server)
Start = Callable[..., RunningServer]
SERVE = ("duelbook", "serve")
LOG_SIZES = pytest.StashKey[Mapping[Path, int]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    item.stash[LOG_SIZES] = log_sizes()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        report.sections.extend(log_sections(item.stash.get(LOG_SIZES, {})))
    return report


def running(kind: type[Kind]) -> Iterator[Kind]:
    """Yield a server that runs until the tests have ended."""
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
    yield from running(Postgres)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    yield from running(Redis)


both_backends = pytest.mark.parametrize("backend", ["sqlite", "postgresql"], indirect=True, scope="session")


@pytest.fixture(scope="session")
def backend(request: pytest.FixtureRequest) -> str:
    """What a server works with: SQLite and one process, or PostgreSQL, Redis and two processes.

    It is SQLite unless a test asks for `both_backends`, as a test does of what processes share.
    """
    name: str = getattr(request, "param", "sqlite")
    return name


@pytest.fixture(scope="session")
def servers() -> Iterator[dict[str, RunningServer]]:
    """The servers that all tests of a back end share."""
    running: dict[str, RunningServer] = {}
    yield running
    for server in running.values():
        server.kill()  # its database may be gone already


@pytest.fixture(scope="session")
def server(
    backend: str,
    servers: dict[str, RunningServer],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> RunningServer:
    """A running server that no test stops."""
    if backend not in servers:
        folder = tmp_path_factory.mktemp("server")
        servers[backend] = RunningServer(folder, new_settings(backend, folder, request)).start()
    return servers[backend]


@pytest.fixture(scope="session")
def own_server(
    backend: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """A server with the log level debug that a test may stop or kill, if it starts it again."""
    folder = tmp_path_factory.mktemp("own")
    serving = RunningServer(folder, {**new_settings(backend, folder, request), "log_level": "debug"}).start()
    yield serving
    serving.kill()


def new_settings(backend: str, folder: Path, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return settings with an empty database."""
    if backend == "sqlite":
        return {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    postgres: Postgres = request.getfixturevalue("postgres")
    redis: Redis = request.getfixturevalue("redis_server")
    url = postgres.new_database()
    upgrade(url)
    return {"database_url": url, "redis_url": redis.url, "workers": 2}


@pytest.fixture
def calm(server: RunningServer) -> Iterator[None]:
    """Check that nothing went wrong inside the service while a test ran, and that it still serves."""
    log = Log(server)
    yield
    assert server.http.get("/readyz").status_code == 200
    log.check()


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Stock:
    """A store that no test changes."""
    return Stock(tmp_path_factory.mktemp("stock"))


@pytest.fixture(scope="session")
def large(stock: Stock, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store that takes a while to copy."""
    file = tmp_path_factory.mktemp("large") / "large.sqlite"
    shutil.copy(stock.file, file)
    multiply_matches(file, 300)  # more than fits into the cache of SQLite, which writes nothing until it is full
    return f"sqlite:///{file}"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs `duelbook db` in this process and returns its exit code, output and errors."""

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["duelbook", "db", *map(str, words)])
        code = main()
        return code, *capsys.readouterr()

    return run


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that does not exist yet or is empty."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.sqlite'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


@pytest.fixture
def url(empty: str) -> str:
    """The URL of a database at the newest schema."""
    upgrade(empty)
    return empty


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/matches.sqlite"
    upgrade(url)
    return url


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """A function that starts servers on one database; all of them end with the test."""
    servers: list[RunningServer] = []

    def run(program: tuple[str, ...] = SERVE, **settings: Any) -> RunningServer:
        folder = tmp_path / f"server {len(servers)}"
        folder.mkdir()
        where = {"database_url": f"sqlite:///{tmp_path / 'matches.sqlite'}"}
        if "database_url" not in settings:
            upgrade(where["database_url"])  # a server that does it takes a third longer to start
        servers.append(RunningServer(folder, where | settings, program))
        return servers[-1].start()

    yield run
    for server in servers:
        server.kill()


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """A function that starts servers, each with a database of its own; all of them end with the module."""
    servers: list[RunningServer] = []

    def run(program: tuple[str, ...] = SERVE, games: str = "", **settings: Any) -> RunningServer:
        folder = tmp_path_factory.mktemp("served")
        where = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
        environment = {"DUELBOOK_GAMES": games} if games else {}
        servers.append(RunningServer(folder, where | settings, program, environment=environment))
        return servers[-1].start()

    yield run
    for server in servers:
        server.kill()
