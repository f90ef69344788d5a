"""What an operator can set, by environment variables and by flags of `duelbook serve`."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, asdict, dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from duelbook.errors import RefusedError
from duelbook.settings import read_settings, setting
from duelbook.text import shorten

PREFIX = "DUELBOOK_"
HIGHEST = {"port": 65_535}
HOST = r"([a-z0-9_.-]+|\[[0-9a-f:.]+])"
LISTS: dict[str, tuple[Callable[[str], object], str]] = {  # what each part of a list is, and an example
    "allowed_origins": (re.compile(f"https?://{HOST}(:[0-9]{{1,5}})?").fullmatch, "https://example.com"),
    "allowed_hosts": (re.compile(HOST).fullmatch, "example.com"),
    "trusted_proxies": (ip_network, "192.0.2.7 or 192.0.2.0/24"),
}


@dataclass(frozen=True)
class Settings:
    """The service's settings; each is also the environment variable `DUELBOOK_` and its name in capitals."""

    database_url: str = setting("", "where matches are kept; by default an SQLite file in your data folder")
    redis_url: str = setting("", "what several processes share live updates and limits through")
    host: str = setting("127.0.0.1", "the address to listen on; 0.0.0.0 is all of them")
    port: int = setting(8000, "the port to listen on; 0 is any free one", 0)
    workers: int = setting(1, "processes that serve; more than one needs Redis", 1)
    allowed_origins: str = setting("", "other sites whose pages may use this service, with commas between them")
    allowed_hosts: str = setting("", "names this service is reached by besides localhost, with commas between them")
    trusted_proxies: str = setting("", "addresses of proxies whose X-Forwarded headers are believed, with commas")
    move_limit: int = setting(20, "messages a second from one seat", 1)
    address_limit: int = setting(100, "requests a second from one address", 1)
    create_limit: int = setting(60, "new matches and joins a minute from one address", 1)
    study_limit: int = setting(240, "solutions, reviews and puzzles a minute from one address", 1)
    socket_limit: int = setting(200, "open sockets from one address in a process", 1)
    connection_limit: int = setting(10_000, "connections to a process at once; one more is told to come back", 1)
    think_seconds: float = setting(10.0, "time for one move of an agent; an agent that needs more loses", 0.1)
    study_seconds: float = setting(30.0, "time for one solution, review or puzzle", 0.1)
    idle_days: float = setting(30.0, "unfinished matches nobody touched for so long are removed; 0 keeps all", 0)
    sqlite_megabytes: int = setting(0, "largest size of the SQLite file; 0 is no limit", 0)
    log_level: str = setting("info", "debug, info, warning or error")

    def environment(self) -> dict[str, str]:
        """Answer the settings as environment variables, for processes that are started."""
        return {variable(name): str(value) for name, value in asdict(self).items()}

    @property
    def database(self) -> str:
        """The URL of the database, the default one filled in."""
        return self.database_url or f"sqlite:///{user_data_path('duelbook') / 'matches.sqlite'}"

    @property
    def sqlite_file(self) -> Path | None:
        kind, _, path = self.database.partition(":///")
        return Path(path.partition("?")[0]) if kind.startswith("sqlite") and path else None


def variable(name: str) -> str:
    return PREFIX + name.upper()


def known() -> Iterator["Field[Any]"]:
    """Answer every setting, in order."""
    yield from fields(Settings)


def read(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Answer the settings: a flag goes before an environment variable, and that before the default."""
    return _checked(read_settings(Settings, PREFIX, environment, HIGHEST, **flags))


def _check_part(name: str, part: str, is_one: Callable[[str], object], example: str) -> None:
    try:
        if is_one(part):
            return
    except ValueError:
        pass
    raise RefusedError(f"{name} cannot hold '{shorten(part)}'; one is written as {example}")


def _checked(settings: Settings) -> Settings:
    for name, (is_one, example) in LISTS.items():
        for part in listed(getattr(settings, name)):
            _check_part(name.replace("_", " "), part, is_one, example)
    if settings.workers > 1 and not settings.redis_url:
        raise RefusedError("several workers need Redis, through which they tell each other of moves: set --redis-url")
    _check_redis(settings.redis_url)
    if not settings.host.strip():
        raise RefusedError("host cannot be empty; 0.0.0.0 is all addresses")
    if settings.log_level not in ("debug", "info", "warning", "error"):
        raise RefusedError(f"log level cannot be '{shorten(settings.log_level)}'; valid: debug, info, warning, error")
    kind = settings.database.partition(":")[0]
    if kind not in ("sqlite", "postgresql", "postgresql+psycopg"):
        raise RefusedError(f"database url cannot start with '{shorten(kind)}'; valid: sqlite:///FILE, postgresql://…")
    if kind.startswith("sqlite") and settings.sqlite_file in (None, Path(":memory:")):
        raise RefusedError("database url must name a file, as sqlite:///FILE does")
    return settings


def _check_redis(url: str) -> None:
    try:
        parts = urlsplit(url)
        if not url or (parts.scheme in ("redis", "rediss") and parts.hostname and parts.port != 0):
            return
    except ValueError:
        pass
    raise RefusedError("redis url must be like redis://HOST:PORT/0")


def listed(text: str) -> list[str]:
    """Answer the parts of a setting that is a list with commas; it means the same in capitals."""
    return [part.strip() for part in text.lower().split(",") if part.strip()]
