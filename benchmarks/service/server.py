"""The measured service: `duelbook serve` with its matches in a file on a disk, or on PostgreSQL and Redis."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.service.process import ServerProcess, new_folder, running
from benchmarks.service.usage import command_line, family
from duelbook.web.db.schema import upgrade
from duelbook.web.settings import Settings, variable
from tests.support.service.backends import Postgres, Redis
from tests.support.service.backends import Server as Backend
from tests.support.service.backends import new_folder as new_backend_folder

NO_LIMITS = {field.name: 1_000_000 for field in fields(Settings) if field.name.endswith("_limit")}
Kind = TypeVar("Kind", bound=Backend)
ENGINE = "duelbook.web.engine.worker"  # every server process starts one when it is ready


class Server(ServerProcess):
    """`duelbook serve` with these settings."""

    ready_path = "/readyz"

    def __init__(self, folder: Path, **settings: Any) -> None:
        super().__init__(folder)
        self.settings = {"database_url": f"sqlite:///{self.database}", **settings}

    @property
    def database(self) -> Path:
        """The file with the matches, unless they are in PostgreSQL."""
        return self.folder / "matches.sqlite"

    def command(self) -> Sequence[str | Path]:
        return [sys.executable, "-m", "duelbook", "serve", "--port", str(self.port)]

    def environment(self) -> Mapping[str, str]:
        settings = {variable(name): str(value) for name, value in self.settings.items()}
        return {**settings, "XDG_CACHE_HOME": str(self.folder / "cache")}  # solutions are not those of an earlier run

    def is_ready(self) -> bool:
        return super().is_ready() and len(self.workers()) >= self.settings.get("workers", 1)

    def workers(self) -> list[int]:
        """Return the processes that serve, each of which has started its engine; the oldest first."""
        return sorted({parent for pid, parent in family(self.pid).items() if ENGINE in command_line(pid)})


@contextmanager
def running_server(log_level: str = "info", **settings: Any) -> Iterator[Server]:
    """Yield a service without matches and, unless they are set, without limits; its files are removed afterwards."""
    with new_folder() as folder, running(Server(folder, **{**NO_LIMITS, "log_level": log_level, **settings})) as server:
        yield server


@dataclass(frozen=True)
class Backends:
    """A PostgreSQL and a Redis that are running."""

    postgres: Postgres
    redis: Redis

    def settings(self, **more: Any) -> dict[str, Any]:
        """Return the settings of a service with an empty database."""
        url = self.postgres.new_database()
        upgrade(url)
        return {"database_url": url, "redis_url": self.redis.url, **more}


@contextmanager
def running_backends() -> Iterator[Backends]:
    """Run PostgreSQL and Redis during the block; raise Missing if the machine has none."""
    with ExitStack() as stack:
        yield Backends(_started(Postgres, stack), _started(Redis, stack))


def _started(kind: type[Kind], stack: ExitStack) -> Kind:
    folder = new_backend_folder(kind.__name__.lower())
    server = kind.start(folder)
    stack.callback(server.close)
    return server
