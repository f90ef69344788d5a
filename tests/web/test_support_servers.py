"""The servers that tests use: they are real, they stop and start on command, and they leave nothing behind."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest
import redis

from tests.support.service.backends import Missing, Postgres, Redis, Server, new_folder

START_BOTH_AND_WAIT = """
import sys, time
from pathlib import Path
from tests.support.service.backends import Postgres, Redis
for kind, folder in zip((Postgres, Redis), sys.argv[1:]):
    kind.start(Path(folder))
print("ready", flush=True)
time.sleep(600)
"""

SERVE_AND_WAIT = """
import sys, time
from pathlib import Path
from tests.support.service.harness import RunningServer
folder = Path(sys.argv[1])
server = RunningServer(folder, {"database_url": f"sqlite:///{folder}/matches.sqlite"}).start()
print(server.process.pid, flush=True)
time.sleep(600)
"""


def execute(url: str, *statements: str) -> None:
    """Execute the statements in one transaction."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def select_value(url: str, statement: str) -> str:
    """Return the one value that a statement selects."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        row = connection.execute(statement.encode()).fetchone()
    assert row
    return str(row[0])


def pings(server: Redis) -> bool:
    """Return True if a client reaches the server."""
    with redis.Redis.from_url(server.url, retry=None) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False


def processes_in(folder: Path) -> list[str]:
    """Return the running processes whose working folder is in this folder."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            found += [link.parent.name] if os.readlink(link).startswith(str(folder)) else []
        except OSError:  # it ended meanwhile
            continue
    return found


@pytest.fixture(params=["postgres", "redis_server"])
def server(request: pytest.FixtureRequest) -> Server:
    """Each server in turn."""
    answer = request.getfixturevalue(request.param)
    assert isinstance(answer, Server)
    return answer


def test_postgresql_is_15_or_newer(postgres: Postgres) -> None:
    assert int(select_value(postgres.url, "SHOW server_version_num")) >= 150000


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes"])
def test_postgresql_is_durable(postgres: Postgres, setting: str) -> None:
    assert select_value(postgres.url, f"SHOW {setting}") == "on"


def test_a_row_survives_a_restart_of_postgresql(postgres: Postgres) -> None:
    url = postgres.new_database()
    execute(url, "CREATE TABLE moves (name text)", "INSERT INTO moves VALUES ('pass')")
    before = postgres.process
    postgres.restart()
    assert postgres.process is not before
    assert select_value(url, "SELECT name FROM moves") == "pass"


def test_new_databases_are_empty_and_apart(postgres: Postgres) -> None:
    one, other = postgres.new_database(), postgres.new_database()
    execute(one, "CREATE TABLE moves (name text)")
    assert select_value(one, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "1"
    assert select_value(other, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0"


def test_a_stopped_postgresql_is_gone_until_it_is_started_again(postgres: Postgres) -> None:
    postgres.stop()
    with pytest.raises(psycopg.OperationalError, match="refused"):
        select_value(postgres.url, "SELECT 1")
    postgres.start_again()
    assert select_value(postgres.url, "SELECT 1") == "1"


def test_a_stopped_redis_is_gone_until_it_is_started_again(redis_server: Redis) -> None:
    assert pings(redis_server)
    redis_server.stop()
    assert not pings(redis_server)
    redis_server.start_again()
    assert pings(redis_server)


def test_redis_forgets_everything_in_a_restart(redis_server: Redis) -> None:
    with redis.Redis.from_url(redis_server.url) as client:
        client.set("turn", "1")
    redis_server.restart()
    with redis.Redis.from_url(redis_server.url) as client:
        assert client.get("turn") is None


def test_a_server_outlives_the_thread_that_restarts_it(server: Server) -> None:
    thread = threading.Thread(target=server.restart)
    thread.start()
    thread.join()
    time.sleep(0.1)  # for a child to end that would end with the thread
    assert server.is_ready()


def test_closing_leaves_no_process_and_no_folder(server: Server) -> None:
    other = type(server).start(new_folder("second"))
    assert other.port != server.port
    assert processes_in(other.folder)
    other.close()
    assert not processes_in(other.folder)
    assert not other.folder.exists()
    assert server.is_ready()


def test_a_port_that_someone_else_listens_on_is_given_up(redis_server: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_port = Redis.choose_port
    with socket.create_server(("127.0.0.1", 0)) as quicker:
        taken = iter([quicker.getsockname()[1]])

        def choose_the_taken_one_first(self: Redis) -> None:
            choose_port(self)
            self.port = next(taken, self.port)

        monkeypatch.setattr(Redis, "choose_port", choose_the_taken_one_first)
        other = Redis.start(new_folder("second"))
        assert other.port != quicker.getsockname()[1]
        assert pings(other)
        other.close()


def test_a_stopped_server_keeps_its_port_from_others(server: Server) -> None:
    server.stop()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", server.port))
    server.start_again()


def test_the_servers_die_with_a_killed_test_process(postgres: Postgres, redis_server: Redis) -> None:
    folders = [new_folder("killed"), new_folder("killed")]
    command = [sys.executable, "-c", START_BOTH_AND_WAIT, *map(str, folders)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as tests:
        assert tests.stdout
        assert tests.stdout.readline() == "ready\n"
        assert all(map(processes_in, folders))
        tests.kill()
    end = time.monotonic() + 10
    while any(map(processes_in, folders)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(map(processes_in, folders))
    for folder in folders:
        shutil.rmtree(folder)


def test_the_service_dies_with_a_killed_test_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVE_AND_WAIT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as tests:
        assert tests.stdout
        service = int(tests.stdout.readline())
        assert is_running(service)
        tests.kill()
    end = time.monotonic() + 60
    while is_running(service):
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(process: int) -> bool:
    """Return True if there is a process with this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("kind", "wanted"), [(Postgres, "PostgreSQL 15 or newer"), (Redis, "Redis or Valkey")])
def test_a_server_that_is_not_installed_is_missing_by_name(
    kind: type[Server], wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "programs", lambda: iter([tmp_path / "none"]))
    with pytest.raises(Missing, match=f"^No {wanted} was found: .*none does not work"):
        kind.start(tmp_path)


FAILING_TESTS = """
import pytest

def test_that_fails(start):
    start()
    pytest.fail("as it should")

def test_that_passes(start):
    start()
"""


def test_the_report_of_a_failed_test_shows_what_its_server_logged(tmp_path: Path) -> None:
    file = tmp_path / "test_failing.py"
    file.write_text(FAILING_TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "tests.web.conftest", "-p", "no:cacheprovider", str(file)]
    root = Path(__file__).parents[2]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert "1 failed, 1 passed" in ended.stdout
    assert ended.stdout.count("log of the server in") == 1
    assert ended.stdout.count("Application startup complete") == 1
