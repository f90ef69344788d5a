"""The page for operators: its commands and files do what it says."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from duelbook.web.db.admin.check import check
from duelbook.web.db.schema import upgrade
from duelbook.web.server import STOP_SECONDS
from tests.support.service.backends import Postgres, Redis
from tests.support.service.faults import Ledger, Playing, audit, check_restarts, more_moves
from tests.support.service.harness import RunningServer
from tests.support.service.proxy import Nginx
from tests.support.service.sockets import hear_until, next_view
from tests.web.conftest import Start

PAGE = (Path(__file__).parents[2] / "docs/operate.md").read_text()
SEED = 20261116
STORE = "matches.sqlite"


# Backup and restore


def commands(name: str) -> list[str]:
    found = re.search(rf"<!-- drill: {name} -->\n```sh\n(.*?)```", PAGE, re.DOTALL)
    assert found, name
    return found[1].splitlines()


def run_drill(name: str, server: RunningServer, places: Mapping[str, str], **environment: str) -> None:
    """Run the lines in a shell, with the places of the page replaced; systemctl is done to the test's server."""
    programs = Path(sys.executable).parent  # where `duelbook` is
    path = os.pathsep.join([str(programs), environment.pop("PATH", ""), os.environ["PATH"]])
    for line in commands(name):
        for shown, here in places.items():
            line = line.replace(shown, here)
        if line == "systemctl stop duelbook":
            server.kill()  # it may be in any state
        elif line == "systemctl start duelbook":
            server.start()
        else:
            variables = os.environ | environment | {"PATH": path}
            done = subprocess.run(line, shell=True, env=variables, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"


def play_and_back_up(name: str, server: RunningServer, places: Mapping[str, str], **environment: str) -> Ledger:
    """Back up during play; return the moves that were acknowledged before that."""
    with Playing([server], SEED, players=3) as playing:
        more_moves(playing, 20)
        before = Ledger(moves=playing.moves.copy())
        run_drill(name, server, places, **environment)
        more_moves(playing, len(playing.moves) + 5)
    assert not playing.wrong, playing.wrong
    return before


def check_restored(before: Ledger, server: RunningServer, url: str) -> None:
    """Check that every move from before the backup is there, and that play continues."""
    audit(before, server)
    with Playing([server], SEED, players=1) as playing:
        more_moves(playing, 5)
    assert not playing.wrong, playing.wrong
    assert not check(url).findings


def test_the_backup_of_sqlite_is_made_during_play_and_restored_with_every_move(start: Start, tmp_path: Path) -> None:
    data, backups = tmp_path / "data", tmp_path / "backups"
    data.mkdir()
    backups.mkdir()
    places = {"/var/lib/duelbook": str(data), "/var/backups/duelbook": str(backups)}
    url = f"sqlite:///{data / STORE}"
    server = start(database_url=url)
    before = play_and_back_up("sqlite backup", server, places, DUELBOOK_DATABASE_URL=url)
    (data / STORE).write_bytes(b"\xa5" * 100_000)
    run_drill("sqlite restore", server, places)
    check_restored(before, server, url)


def test_the_backup_of_postgresql_is_made_during_play_and_restored_with_every_move(
    start: Start, tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.new_database()
    upgrade(url)
    name = url.rpartition("/")[2]
    address = postgres.address(name).removesuffix(f"/{name}")
    restored = f"{address}/{name}_restored"
    settings = tmp_path / "duelbook.env"
    settings.write_text(f"DUELBOOK_ALLOWED_HOSTS=play.example\nDUELBOOK_DATABASE_URL={address}/{name}\n")
    places = {
        "postgresql://duelbook@db.example/restored": restored,
        "DATABASE restored": f"DATABASE {name}_restored",
        "postgresql://duelbook@db.example/duelbook": f"{address}/{name}",
        "postgresql://duelbook@db.example": address,
        "/var/backups/duelbook": str(tmp_path),
        "/etc/duelbook.env": str(settings),
    }
    programs = str(postgres.program.parent)
    server = start(database_url=url)
    before = play_and_back_up("postgresql backup", server, places, PATH=programs)
    with postgres.connect() as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
    server.settings["database_url"] = restored  # what the service reads from the file
    run_drill("postgresql restore", server, places, PATH=programs)
    assert settings.read_text().splitlines()[1] == f"DUELBOOK_DATABASE_URL={restored}"
    check_restored(before, server, restored)


# Restarts


def test_two_services_are_restarted_one_after_the_other_while_players_play_on(
    start: Start, postgres: Postgres, redis_server: Redis
) -> None:
    url = postgres.new_database()
    upgrade(url)
    services = [start(database_url=url, redis_url=redis_server.url) for _ in range(2)]

    def restart_each() -> None:
        for service in services:
            assert service.stop() == 0
            assert client_of_the_other(service).get("/readyz").status_code == 200
            service.start()

    def client_of_the_other(service: RunningServer) -> httpx.Client:
        return services[1 - services.index(service)].http

    ledger = check_restarts(services, restart_each, SEED, times=1)
    assert not ledger.refused


# The proxy


@pytest.fixture(scope="module")
def behind(serve: Start) -> RunningServer:
    """A service that expects a proxy."""
    return serve(allowed_hosts="play.example", trusted_proxies="127.0.0.1", create_limit=3)


@pytest.fixture(scope="module")
def nginx(behind: RunningServer) -> Iterator[Nginx]:
    with Nginx.running(block("nginx"), {"127.0.0.1:8000": behind.port}) as proxy:
        yield proxy


def block(language: str, number: int = 0) -> str:
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found[number]


def test_a_match_is_played_through_nginx_with_tls_by_requests_and_sockets(nginx: Nginx) -> None:
    with nginx.client() as browser:
        made = browser.post("/api/matches", json={"game": "crystal-capture", "opponent": "random", "seat": "first"})
        assert made.status_code == 201, made.text
        assert "Secure" in made.headers["set-cookie"]  # the service knows that TLS ends at the proxy
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.load_verify_locations(nginx.folder / "cert.pem")
    with connect(
        f"wss://play.example/api/matches/{made.json()['id']}/live",
        sock=socket.create_connection(("127.0.0.1", nginx.port)),
        ssl=trust,
        origin=Origin("https://play.example"),
        additional_headers={"Authorization": f"Bearer {made.json()['token']}"},
    ) as live:
        assert next_view(live)["ply"] == 0
        live.send(json.dumps({"type": "action", "action": "play", "ply": 0, "move": "5"}))
        hear_until(live, lambda heard: any(message["ply"] == 2 for message in heard))


def test_nginx_keeps_the_pages_for_operators_inside_and_turns_http_into_https(
    nginx: Nginx, behind: RunningServer
) -> None:
    with nginx.client() as browser:
        for path in ("/metrics", "/healthz", "/readyz"):
            assert browser.get(path).status_code == 404
            assert behind.http.get(path).status_code == 200
        assert browser.get("/").status_code == 200
        plain = httpx.get(f"http://127.0.0.1:{nginx.plain.number}/lobby", headers={"Host": "play.example"})
        assert (plain.status_code, plain.headers["location"]) == (301, "https://play.example/lobby")


def test_behind_nginx_addresses_are_told_apart_and_cannot_be_invented(nginx: Nginx) -> None:
    def create(browser: httpx.Client, number: int) -> int:
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        wish = {"game": "charge", "opponent": "friend"}
        return browser.post("/api/matches", json=wish, headers=headers).status_code

    with nginx.client("127.0.0.2") as one, nginx.client("127.0.0.3") as other:
        assert [create(one, number) for number in range(4)] == [201, 201, 201, 429]
        assert create(other, 9) == 201


# Files and names


def test_the_unit_of_systemd_is_valid_and_waits_for_the_service_to_stop(tmp_path: Path) -> None:
    text = block("ini", 1)
    unit = ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(text)
    assert unit["Service"]["ExecStart"] == "/opt/duelbook/bin/duelbook serve"
    assert int(unit["Service"]["TimeoutStopSec"]) > STOP_SECONDS
    assert unit["Service"]["EnvironmentFile"] == "/etc/duelbook.env"
    file = tmp_path / "duelbook.service"
    file.write_text(text.replace("/opt/duelbook/bin/duelbook", sys.executable).replace("User=duelbook\n", ""))
    if shutil.which("systemd-analyze"):
        done = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, check=False)
        assert "duelbook.service" not in done.stderr, done.stderr
