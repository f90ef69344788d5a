"""The settings of the service: environment variables and flags of `duelbook serve`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from platformdirs import user_data_path

from duelbook.errors import RefusedError
from duelbook.games import GAMES
from duelbook.settings import read_settings, setting
from duelbook.text import shorten

PREFIX = "DUELBOOK_"
MAX_VALUES = {"port": 65_535, "claim_seconds": 604_800}
LOG_LEVELS = ("debug", "info", "warning", "error")
HOST = r"([a-z0-9_.-]+|\[[0-9a-f:.]+])"
LIST_SETTINGS: dict[str, tuple[Callable[[str], object], str]] = {  # how to check each entry of a list, and an example
    "allowed_origins": (re.compile(f"https?://{HOST}(:[0-9]{{1,5}})?").fullmatch, "https://example.com"),
    "allowed_hosts": (re.compile(HOST).fullmatch, "example.com"),
    "trusted_proxies": (ip_network, "192.0.2.7 or 192.0.2.0/24"),
}


@dataclass(frozen=True)
class Settings:
    """The service's settings. Each is also an environment variable: `DUELBOOK_` and its name in capitals."""

    database_url: str = setting("", "the database for matches (default: an SQLite file in your data folder)")
    redis_url: str = setting("", "the Redis server through which several processes share live updates and limits")
    host: str = setting("127.0.0.1", "the address to listen on; 0.0.0.0 is every address of this machine")
    port: int = setting(8000, "the port to listen on; 0 picks a free one", 0)
    workers: int = setting(1, "the number of server processes; more than one needs Redis", 1)
    allowed_origins: str = setting("", "other sites whose pages may use this service, separated by commas")
    allowed_hosts: str = setting("", "host names of this service besides localhost, separated by commas")
    trusted_proxies: str = setting("", "addresses of proxies whose X-Forwarded headers are trusted, with commas")
    move_limit: int = setting(20, "messages a second from one seat", 1)
    address_limit: int = setting(100, "requests a second from one address", 1)
    create_limit: int = setting(60, "new matches and joins a minute from one address", 1)
    challenge_limit: int = setting(10, "open challenges a minute from one address", 1)
    study_limit: int = setting(240, "solutions, reviews and puzzles a minute from one address", 1)
    picture_limit: int = setting(60, "new pictures for shared links a minute from one address", 1)
    socket_limit: int = setting(200, "open sockets from one address in a process", 1)
    connection_limit: int = setting(10_000, "open connections in a process; the last tenth is for players", 1)
    address_connection_limit: int = setting(1_000, "open connections from one address in a process", 1)
    claim_seconds: float = setting(300.0, "time for an absent player to come back before the win can be claimed", 1)
    think_seconds: float = setting(10.0, "time for one move of an agent; an agent that needs more loses", 0.1)
    rollout_limit: int = setting(5000, "ROLLOUTS that an opponent mcts:ROLLOUTS may have", 1)
    depth_limit: int = setting(8, "DEPTH that an opponent search:DEPTH may have", 1)
    study_seconds: float = setting(30.0, "time for one solution, review or puzzle", 0.1)
    solve_megabytes: int = setting(500, "memory for solving one game; a game that needs more is played by search", 1)
    idle_days: float = setting(30.0, "days of uptime after which an idle unfinished match is removed; 0 keeps all", 0)
    finished_days: float = setting(0.0, "days of uptime after which a finished match is removed; 0 keeps all", 0)
    sqlite_megabytes: int = setting(0, "maximum size of the SQLite file; 0 is no limit", 0)
    daily_games: str = setting("", "games with the daily puzzle, separated by commas (default: those of Duelbook)")
    metrics: str = setting("off", "/metrics: on, off, or HOST:PORT for an address of its own")
    reference: str = setting("off", "/api/docs and /api/openapi.json: on, off, or HOST:PORT of their own")
    log_level: str = setting("info", "how much to log: debug, info, warning or error")

    def environment(self) -> dict[str, str]:
        """Return the settings as environment variables, for child processes."""
        return {variable(name): str(value) for name, value in asdict(self).items()}

    @property
    def database(self) -> str:
        """The URL of the database, with the default filled in."""
        return self.database_url or f"sqlite:///{user_data_path('duelbook') / 'matches.sqlite'}"

    @property
    def agent_limits(self) -> dict[str, int]:
        """The largest parameter of each agent that has one."""
        return {"mcts": self.rollout_limit, "search": self.depth_limit}

    @property
    def sqlite_file(self) -> Path | None:
        kind, _, path = self.database.partition(":///")
        return Path(path.partition("?")[0]) if kind.startswith("sqlite") and path else None


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def read(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Return the settings, or raise RefusedError. Flags override environment variables, which override defaults."""
    settings = read_settings(Settings, PREFIX, environment, MAX_VALUES, **flags)
    for name, (check, example) in LIST_SETTINGS.items():
        for entry in split_list(getattr(settings, name)):
            _check_entry(name.replace("_", " "), entry, check, example)
    if settings.workers > 1 and not settings.redis_url:
        raise RefusedError("Several workers need Redis to share moves: set --redis-url.")
    _check_redis(settings.redis_url)
    for name in split_list(settings.daily_games):
        if name not in GAMES:
            raise RefusedError(f"daily games cannot hold '{shorten(name)}'. Games: {', '.join(GAMES)}.")
    if not settings.host.strip():
        raise RefusedError("host cannot be empty; 0.0.0.0 is every address of this machine.")
    if settings.log_level not in LOG_LEVELS:
        raise RefusedError(f"log level cannot be '{shorten(settings.log_level)}'; valid: {', '.join(LOG_LEVELS)}.")
    for name in ("metrics", "reference"):
        _check_switch(name, getattr(settings, name))
    _check_database(settings)
    return settings


def split_list(text: str) -> list[str]:
    """Return the entries of a setting that is a list with commas, in lower case."""
    return [entry.strip() for entry in text.lower().split(",") if entry.strip()]


def _check_entry(name: str, entry: str, check: Callable[[str], object], example: str) -> None:
    try:
        if check(entry):
            return
    except ValueError:
        pass
    raise RefusedError(f"{name} cannot hold '{shorten(entry)}'. Example of an entry: {example}.")


def split_address(address: str) -> tuple[str, int]:
    """Return the host and the port of HOST:PORT."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def _check_switch(name: str, value: str) -> None:
    found = re.fullmatch(f"{HOST}:([0-9]{{1,5}})", value)
    if value not in ("on", "off") and not (found and int(found[2]) <= MAX_VALUES["port"]):
        raise RefusedError(f"{name} cannot be '{shorten(value)}'; valid: on, off, or HOST:PORT as in 127.0.0.1:9000.")


def _check_redis(url: str) -> None:
    try:
        parts = urlsplit(url)
        if not url or (parts.scheme in ("redis", "rediss") and parts.hostname and parts.port != 0):
            return
    except ValueError:
        pass
    raise RefusedError("redis url must be like redis://HOST:PORT/0.")


def _check_database(settings: Settings) -> None:
    kind = settings.database.partition(":")[0]
    if kind not in ("sqlite", "postgresql", "postgresql+psycopg"):
        raise RefusedError(f"database url cannot start with '{shorten(kind)}'; valid: sqlite:///FILE, postgresql://….")
    if kind.startswith("sqlite") and settings.sqlite_file in (None, Path(":memory:")):
        raise RefusedError("database url must name a file, as in sqlite:///FILE.")
