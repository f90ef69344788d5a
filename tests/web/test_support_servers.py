"""The servers that tests use: they are real, they stop and start on command, and they leave nothing behind."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.service.asking import wait_until
from tests.support.service.backends import Postgres, Redis, Server, new_folder

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


def test_closing_leaves_no_process_and_no_folder(server: Server) -> None:
    other = type(server).start(new_folder("second"))
    assert other.port != server.port
    assert processes_in(other.folder)
    other.close()
    assert not processes_in(other.folder)
    assert not other.folder.exists()
    assert server.is_ready()


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
    wait_until(lambda: not any(map(processes_in, folders)))
    for folder in folders:
        shutil.rmtree(folder)


def test_the_service_dies_with_a_killed_test_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVE_AND_WAIT, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as tests:
        assert tests.stdout
        service = int(tests.stdout.readline())
        assert is_running(service)
        tests.kill()
    wait_until(lambda: not is_running(service))


def is_running(process: int) -> bool:
    """Return True if there is a process with this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
