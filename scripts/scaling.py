"""What many players need: computed from a few measurements. The tables of docs/scaling.md print it (`make docs`)."""

from dataclasses import dataclass, fields
from math import ceil

from duelbook.web.db.database import READERS

PLAYERS = (10_000, 100_000, 1_000_000)  # at once
SECONDS_PER_MOVE = 10  # of one player
BUSY = 0.6  # the share of a core that is planned for: the rest is for bursts
WORKERS_PER_MACHINE = 8
POSTGRES_CORES = 16  # of one PostgreSQL server
WORKER_CONNECTIONS = 2 + 2 * READERS  # of one worker to PostgreSQL: to write, for the uptime, and two pools to read
SOCKETS_PER_WORKER = 10_000  # the default of DUELBOOK_CONNECTION_LIMIT
DAY_SECONDS = 86_400
MOVES_PER_MATCH = 6


@dataclass(frozen=True)
class Measured:
    """What one move, match and socket cost. These are the only figures to replace after a new measurement."""

    worker_ms: float = 0.38
    two_ms: float = 0.58
    four_ms: float = 0.66
    postgres_ms: float = 0.08
    redis_ms: float = 0.01
    wal_bytes: int = 619
    stored_match_bytes: int = 766
    stored_move_bytes: int = 145
    socket_kb: float = 20
    match_kb: float = 6.5
    worker_mb: float = 81


MEANINGS = {
    "worker_ms": ("processor time of a worker for a move, both players of a match on the same worker", "ms"),
    "two_ms": ("the same, players on either of two workers", "ms"),
    "four_ms": ("the same, players on any of four workers", "ms"),
    "postgres_ms": ("processor time of PostgreSQL for a move", "ms"),
    "redis_ms": ("processor time of Redis for a move", "ms"),
    "wal_bytes": ("what PostgreSQL writes to its log for a move", "bytes"),
    "stored_match_bytes": ("a match in PostgreSQL without its moves, with its seats and all indexes", "bytes"),
    "stored_move_bytes": ("a move in PostgreSQL", "bytes"),
    "socket_kb": ("memory of an open socket", "kB"),
    "match_kb": ("memory of a match of six moves that is being played", "kB"),
    "worker_mb": ("memory of a worker without players", "MB"),
}
MEASURED = Measured()


@dataclass(frozen=True)
class Needs:
    """What that many players at once need."""

    players: int
    measured: Measured = MEASURED

    @property
    def moves(self) -> float:
        """Moves a second."""
        return self.players / SECONDS_PER_MOVE

    @property
    def workers(self) -> int:
        """Workers if both players of a match are on the same one, by processor time and by sockets."""
        return max(self._cores(self.measured.worker_ms), ceil(self.players / SOCKETS_PER_WORKER))

    @property
    def spread_workers(self) -> int:
        """Workers if a player may be on any; at least, since a move then costs more with every further worker."""
        return max(self._cores(self.measured.four_ms), self.workers)

    @property
    def machines(self) -> int:
        return ceil(self.workers / WORKERS_PER_MACHINE)

    @property
    def memory_gb(self) -> float:
        player_kb = self.measured.socket_kb + self.measured.match_kb / 2
        return (self.players * player_kb / 1000 + self.workers * self.measured.worker_mb) / 1000

    @property
    def postgres_cores(self) -> int:
        return self._cores(self.measured.postgres_ms)

    @property
    def postgres_servers(self) -> int:
        return ceil(self.postgres_cores / POSTGRES_CORES)

    @property
    def connections(self) -> int:
        return self.workers * WORKER_CONNECTIONS

    @property
    def log_mb(self) -> float:
        """What PostgreSQL writes to its log each second."""
        return self.moves * self.measured.wal_bytes / 1e6

    @property
    def stored_gb(self) -> float:
        """What a day adds to the store."""
        move = self.measured.stored_move_bytes + self.measured.stored_match_bytes / MOVES_PER_MATCH
        return self.moves * DAY_SECONDS * move / 1e9

    @property
    def deliveries(self) -> float:
        """Messages that Redis delivers each second if every worker hears of every move."""
        return self.moves * self.workers

    def _cores(self, milliseconds: float) -> int:
        return ceil(self.moves * milliseconds / 1000 / BUSY)


ROWS = {
    "moves a second": "moves",
    "workers (a core each), both players of a match on the same": "workers",
    "workers, players on any of them, at least": "spread_workers",
    f"machines, {WORKERS_PER_MACHINE} workers each": "machines",
    "memory of all workers, GB": "memory_gb",
    "cores of PostgreSQL": "postgres_cores",
    f"PostgreSQL servers, {POSTGRES_CORES} cores each": "postgres_servers",
    "connections to PostgreSQL without a pooler": "connections",
    "log of PostgreSQL, MB a second": "log_mb",
    "growth of the store, GB a day": "stored_gb",
    "messages that Redis delivers a second, one channel": "deliveries",
}


def measured_rows() -> list[tuple[str, str]]:
    """Return what was measured, in words and as a figure."""
    values = {field.name: getattr(MEASURED, field.name) for field in fields(Measured)}
    return [(text, f"{values[name]:,} {unit}") for name, (text, unit) in MEANINGS.items()]


def needed_rows() -> list[tuple[str, ...]]:
    """Return what each number of players needs."""
    return [(text, *(_figure(getattr(Needs(count), name)) for count in PLAYERS)) for text, name in ROWS.items()]


def _figure(value: float) -> str:
    return f"{value:.1f}" if value < 10 and value % 1 else f"{value:,.0f}"
