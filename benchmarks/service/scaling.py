"""Scaling: what a move, a match and a socket cost, with 1, 2 and 4 processes on PostgreSQL and Redis, and on SQLite."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from sqlalchemy import make_url

from benchmarks.service.clients import wait_until_prepared
from benchmarks.service.figures import below, print_table
from benchmarks.service.latency import ScheduledPair
from benchmarks.service.load import PlayingPair, Seats, Style, Tally, open_matches, running_tasks, wait
from benchmarks.service.moves import GAMES
from benchmarks.service.plan import Plan
from benchmarks.service.server import Backends, Server, running_backends, running_server
from benchmarks.service.usage import processor_seconds, resident, written_bytes
from duelbook.web.db.tables import metadata

WORKERS = (1, 2, 4)
WORKER_RATE = 500  # moves a second offered to each process: four must not fill the cores, where each move takes longer
MAX_GROWTH = 1.25  # of the processor time of a move, from one process to four
MATCHES, MOVES = 2000, 6  # that are counted for bytes; a book's match has about six moves
SOCKETS = 2000
STYLE = Style(options=GAMES["long matches"])


async def run(plan: Plan) -> None:
    with running_backends() as backends:
        await report_workers(backends, plan)
        await report_writes(backends, plan)
        await report_bytes(backends)
    await report_memory()


# Processor time of a move


async def report_workers(backends: Backends, plan: Plan) -> None:
    print(f"scaling: {plan.pairs} pairs for each process, on PostgreSQL and Redis, {plan.short_seconds:g} s")
    rows = []
    for rate, together in product((None, WORKER_RATE), (True, False)):
        costs: list[float] = []
        for workers in WORKERS[1 - together :]:
            with running_servers(backends, workers, together=together) as servers:
                cost = await measure_moves(
                    servers, plan.pairs * workers, plan, backends, rate=workers * rate if rate else None
                )
            costs.append(cost.service)
            load = f"{rate} moves/s each" if rate else "without a pause"
            figures = [f"{1000 * one:.2f}" for one in (cost.service, cost.postgres, cost.redis)]
            rows.append([load, str(workers), "one process" if together else "any", *figures, f"{cost.moves:,.0f}"])
        if together and rate:
            below("processor time of a move with four processes", costs[-1] / costs[0], MAX_GROWTH, "× one")
    print_table(
        ("load", "processes", "players of a match on", "service ms", "PostgreSQL ms", "Redis ms", "moves/s"), rows
    )


@contextmanager
def running_servers(backends: Backends, workers: int, *, together: bool) -> Iterator[Sequence[Server]]:
    """Yield servers with that many processes in all.

    A proxy that chooses the process by the id of the match keeps players together; so do servers of one process each,
    if both players of a match use the same. The processes of one server take connections as they come.
    """
    settings = backends.settings()
    with ExitStack() as stack:
        if together:
            yield [stack.enter_context(running_server("warning", **settings)) for _ in range(workers)]
        else:
            yield [stack.enter_context(running_server("warning", **settings, workers=workers))]


@dataclass(frozen=True)
class MoveCost:
    """What a move with its share of a new match costs."""

    moves: float  # a second
    service: float  # processor seconds, as are the next two
    postgres: float
    redis: float
    written: float  # bytes
    transactions: float


async def measure_moves(
    servers: Sequence[Server], pairs: int, plan: Plan, backends: Backends | None = None, *, rate: int | None = None
) -> MoveCost:
    """Let the pairs play at that rate in all, by default without a pause, and return what a move costs."""
    for server in servers:
        await wait_until_prepared(server)
    tally = Tally()
    playing: list[PlayingPair] = []
    for seed in range(pairs):
        port = servers[seed % len(servers)].port
        if rate:
            playing.append(ScheduledPair(port, STYLE, tally, seed, pairs / rate))
        else:
            playing.append(PlayingPair(port, STYLE, tally, seed))
    async with running_tasks(pair.run() for pair in playing) as tasks:
        await wait(tasks, plan.warm_up)
        start, before = time.perf_counter(), usage_counts(servers, backends)
        await wait(tasks, plan.short_seconds)
        end, after = time.perf_counter(), usage_counts(servers, backends)
    moves = max(1, len(tally.between(start, end).moves))
    return MoveCost(moves / (end - start), **{name: (after[name] - before[name]) / moves for name in before})


def usage_counts(servers: Sequence[Server], backends: Backends | None) -> dict[str, float]:
    """Return what was used so far: processor seconds, bytes and transactions."""
    counts = dict.fromkeys(("postgres", "redis", "transactions"), 0.0)
    counts["service"] = sum(processor_seconds(server.pid) for server in servers)
    if backends is None:
        return {**counts, "written": sum(written_bytes(server.pid) for server in servers)}
    database = make_url(servers[0].settings["database_url"]).database
    with closing(backends.postgres.connect()) as connection:
        query = "SELECT pg_current_wal_insert_lsn() - '0/0', xact_commit FROM pg_stat_database WHERE datname = %s"
        written, transactions = connection.execute(query, [database]).fetchone() or (0, 0)
    processes = {"postgres": backends.postgres.process, "redis": backends.redis.process}
    seconds = {name: processor_seconds(process.pid) for name, process in processes.items() if process}
    return {**counts, **seconds, "written": float(written), "transactions": float(transactions)}


# Writes


async def report_writes(backends: Backends, plan: Plan) -> None:
    print("scaling: what a move writes: bytes to the disk on SQLite, of the write-ahead log on PostgreSQL")
    rows = []
    for pairs in (1, plan.pairs):
        with running_server("warning") as server:
            cost = await measure_moves([server], pairs, plan)
        rows.append(["SQLite", str(pairs), f"{cost.written:,.0f}", "", f"{cost.moves:,.0f}"])
        with running_server("warning", **backends.settings()) as server:
            cost = await measure_moves([server], pairs, plan, backends)
        rows.append(
            ["PostgreSQL", str(pairs), f"{cost.written:,.0f}", f"{cost.transactions:.2f}", f"{cost.moves:,.0f}"]
        )
    print_table(("store", "pairs", "bytes a move", "transactions a move", "moves/s"), rows)


# Bytes of a match in the store


async def report_bytes(backends: Backends) -> None:
    print(f"scaling: bytes in the store, with indexes; {MATCHES:,} matches of {MOVES} moves")
    with running_server("warning") as server:
        await open_matches(server.port, MATCHES, moves=MOVES)
        server.kill()
        found = {"SQLite": sqlite_bytes(server.database)}
    settings = backends.settings()
    with running_server("warning", **settings) as server:
        await open_matches(server.port, MATCHES, moves=MOVES)
    found["PostgreSQL"] = postgres_bytes(settings["database_url"])
    names = ("matches", "seats", "moves")
    rows = []
    for store, tables in found.items():
        sizes = [*(tables[name] for name in names), sum(tables.values()), tables["moves"] / MOVES]
        rows.append([store, *(f"{size / MATCHES:,.0f}" for size in sizes)])
    print_table(("store", *(f"{name} a match" for name in names), "a match in all", "a move"), rows)


def sqlite_bytes(file: Path) -> dict[str, int]:
    """Return the bytes of each table with its indexes."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT m.tbl_name, sum(pgsize) FROM dbstat s JOIN sqlite_master m ON s.name = m.name GROUP BY 1"
        try:
            return {str(name): int(size) for name, size in connection.execute(query) if name in metadata.tables}
        except sqlite3.OperationalError:  # this SQLite was built without dbstat
            return {"matches": file.stat().st_size, "seats": 0, "moves": 0}


def postgres_bytes(url: str) -> dict[str, int]:
    """Return the bytes of each table with its indexes, without what updates have left behind."""
    import psycopg

    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute("VACUUM FULL")
        query = "SELECT pg_total_relation_size(%s::regclass)"
        return {name: int((connection.execute(query, [name]).fetchone() or [0])[0]) for name in metadata.tables}


# Memory


async def report_memory() -> None:
    print(f"scaling: memory of one process; {MATCHES:,} matches of {MOVES} moves in memory, then {SOCKETS:,} sockets")
    with running_server("warning") as server:
        await wait_until_prepared(server)
        await open_matches(server.port, 100, moves=MOVES)  # what the first ones load stays
        empty = resident(server.workers())
        pairs = await open_matches(server.port, MATCHES, moves=MOVES)
        warm = resident(server.workers())
        await watch(pairs[: SOCKETS // 2])
        watched = resident(server.workers())
    kilobytes = 1024.0
    rows = [
        ["a process with its engine's pipes and no matches", f"{empty * kilobytes:,.0f}"],
        ["a match in memory", f"{(warm - empty) * kilobytes / MATCHES:.1f}"],
        ["an open socket", f"{(watched - warm) * kilobytes / SOCKETS:.1f}"],
    ]
    print_table(("what", "KB"), rows)


async def watch(pairs: list[Seats]) -> None:
    """Open the live sockets of the players."""
    for pair in pairs:
        await asyncio.gather(*(seat.watch() for seat in pair))
