"""Volume: a store with a million matches: its size, the start of the service, a move, and the plans of its queries."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, event, text

from benchmarks.service.clients import Client, Seat, parse_view, wait_until_prepared
from benchmarks.service.figures import print_table, spread
from benchmarks.service.load import open_matches
from benchmarks.service.plan import Plan
from benchmarks.service.process import new_folder
from benchmarks.service.server import NO_LIMITS, Server, running_backends
from duelbook.web.db.database import database_url, is_sqlite, open_database, open_databases
from duelbook.web.db.store import Store
from duelbook.web.db.tables import metadata
from tests.support.service.backends import Missing

RUNNING_SHARE = 0.1  # of the matches; the others are over
IDLE_SHARE, TIMED_SHARE, PUBLIC_SHARE = 0.02, 0.01, 0.01  # of all matches; these are running
IDLE_SECONDS = 60 * 86_400
TIME_LIMIT_SECONDS = 86_400.0
MOVES = 6  # of a match
COLD_MOVES = 200  # each in a match that is not in memory
WARM_MOVES = 300
LISTS = 50

Query = tuple[str, Any]  # a statement with its parameters


@dataclass(frozen=True)
class Originals:
    """Two matches of which the store has many copies with other ids and the same players."""

    running: Seat
    ply: int
    move: str
    over: str


async def run(plan: Plan) -> None:
    with new_folder() as folder:
        await report("SQLite", Server(folder, **NO_LIMITS, log_level="warning"), plan.stored)
    with suppress(Missing), running_backends() as backends, new_folder() as folder:
        settings = {**NO_LIMITS, **backends.settings(), "log_level": "warning"}
        await report("PostgreSQL", Server(folder, **settings), plan.stored)


async def report(name: str, server: Server, stored: int) -> None:
    print(f"volume: {stored:,} matches in {name}, {RUNNING_SHARE:.0%} of them running", flush=True)
    url = server.settings["database_url"]
    try:
        start = time.perf_counter()
        server.start()
        empty_seconds = time.perf_counter() - start
        originals = await play_originals(server)
        server.kill()
        start = time.perf_counter()
        with open_database(database_url(url), writing=True) as connection:
            copy_originals(connection, originals, stored)
        fill_seconds = time.perf_counter() - start
        size = vacuum(server)
        ids = some_running(url, COLD_MOVES, originals)
        start = time.perf_counter()
        server.start()
        rows = [
            ["filled with SQL, s", f"{fill_seconds:.0f}"],
            ["size, GB", f"{size / 1e9:.2f}"],
            ["bytes a match", f"{size / stored:,.0f}"],
            ["start of the service, s (without matches)", f"{time.perf_counter() - start:.2f} ({empty_seconds:.2f})"],
        ]
        rows += await time_requests(server, originals, ids)
        print_table(("what", name), rows)
        server.kill()
        await report_queries(url)
    finally:
        server.kill()


async def play_originals(server: Server) -> Originals:
    """Play the two matches."""
    await wait_until_prepared(server)
    [pair] = await open_matches(server.port, 1, moves=MOVES - 1)
    [over] = await open_matches(server.port, 1, moves=MOVES)
    ply, mover, legal = parse_view((await pair[0].client.ask("GET", f"/api/matches/{pair[0].match}")).body)
    return Originals(next(seat for seat in pair if seat.name == mover), ply, legal[0], over[0].match)


def copy_originals(connection: Connection, originals: Originals, number: int) -> None:
    """Copy the rows of both matches, in the order of the new ids."""
    sqlite = connection.dialect.name == "sqlite"
    if sqlite:
        numbers = f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {number})"
        copies = f"{numbers} SELECT n, lower(hex(randomblob(12))) AS id FROM numbers"
    else:
        connection.execute(text("SET session_replication_role = replica"))  # foreign keys are not checked
        copies = f"SELECT n, substr(md5(random()::text), 1, 24) AS id FROM generate_series(1, {number}) AS n"
    connection.execute(text(f"CREATE TEMPORARY TABLE copies AS SELECT * FROM ({copies}) AS made ORDER BY id"))
    original = f"CASE WHEN n <= {RUNNING_SHARE * number} THEN '{originals.running.match}' ELSE '{originals.over}' END"
    for table in metadata.sorted_tables:
        key = "id" if table.name == "matches" else "match"
        if key in table.c:
            names = [column.name for column in table.c if column.name != key]
            values = [changed_value(name, number, sqlite) if key == "id" else f'"{name}"' for name in names]
            columns = ", ".join(f'"{name}"' for name in names)
            connection.execute(
                text(
                    f'INSERT INTO {table.name} ("{key}", {columns}) SELECT copies.id, {", ".join(values)} '
                    f'FROM copies JOIN {table.name} AS old ON old."{key}" = {original} ORDER BY copies.id'
                )
            )


def changed_value(column: str, number: int, sqlite: bool) -> str:
    """Return the value of a column of a copied match, in SQL: some copies are idle, have clocks or are public."""
    idle = IDLE_SHARE * number
    timed = idle + TIMED_SHARE * number
    is_timed, is_public = f"n > {idle} AND n <= {timed}", f"n > {timed} AND n <= {timed + PUBLIC_SHARE * number}"
    true = "1" if sqlite else "true"
    changed = {
        "active_at": f"CASE WHEN n <= {idle} THEN active_at - {IDLE_SECONDS} ELSE active_at + n % 1000 END",
        "time_limit": f"CASE WHEN {is_timed} THEN {TIME_LIMIT_SECONDS} ELSE time_limit END",
        "due": f"CASE WHEN {is_timed} THEN turn_started + {TIME_LIMIT_SECONDS} ELSE due END",
        "public": f"CASE WHEN {is_public} THEN {true} ELSE public END",
    }
    return changed.get(column, f'"{column}"')


def vacuum(server: Server) -> int:
    """Bring the store to rest, as time would; return its bytes."""
    url = database_url(server.settings["database_url"])
    with open_database(url) as connection:
        if is_sqlite(url):
            connection.exec_driver_sql("ROLLBACK")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql("BEGIN")
            return server.database.stat().st_size
        driver = connection.connection.driver_connection
        assert driver
        driver.rollback()
        driver.autocommit = True
        driver.execute("VACUUM ANALYZE")
        return int(driver.execute("SELECT pg_database_size(current_database())").fetchone()[0])


def some_running(url: str, number: int, originals: Originals) -> list[str]:
    """Return the ids of some copies that are running."""
    query = (
        f"SELECT id FROM matches WHERE ply = {originals.ply} AND active_at > 0 AND time_limit IS NULL LIMIT {number}"
    )
    with open_database(database_url(url)) as connection:
        return [str(row[0]) for row in connection.execute(text(query))]


async def time_requests(server: Server, originals: Originals, ids: Sequence[str]) -> list[list[str]]:
    """Return how long moves, new matches and the list of public matches take."""
    await wait_until_prepared(server)
    client = Client(server.port)
    running = originals.running
    copies = [Seat(client, match, running.name, running.token) for match in ids]
    cold = [await timed(seat.post_move(originals.ply, originals.move, "once")) for seat in copies]
    created = [await timed(client.create()) for _ in range(WARM_MOVES)]
    pairs = await open_matches(server.port, WARM_MOVES)
    warm = [await timed(one.post_move(0, "5", "once")) for one, _ in pairs]
    listed = [await timed(client.ask("GET", "/api/matches")) for _ in range(LISTS)]
    client.close()
    times = {
        "a move in a match that is not in memory": cold,
        "a move in a match in memory": warm,
        "a new match": created,
        "the list of public matches": listed,
    }
    return [
        [f"{what}, p50 and p99 ms", f"{spread(found).p50:.1f} and {spread(found).p99:.1f}"]
        for what, found in times.items()
    ]


async def timed(asked: Awaitable[object]) -> float:
    start = time.perf_counter()
    await asked
    return time.perf_counter() - start


# The queries of the store, with their plans


async def report_queries(url: str) -> None:
    store = Store(open_databases(url, 0))
    now, present = 1e6, {f"{number:024x}": 3 for number in range(500)}
    work: dict[str, Callable[[], Awaitable[object]]] = {
        "persons' clocks that have run out": lambda: first_page(store.out_of_time(now)),
        "agents' turns that are due": lambda: first_page(store.with_agent_due(None)),
        "public matches among 500 with players": lambda: store.being_played(present, 12),
        "open challenges": lambda: first_page(store.all_open_challenges()),
        "idle matches, removed": lambda: store.purge(-1.0),
        "finished matches, none old enough": lambda: store.purge(-1e9, finished=True),
    }
    for what, query in work.items():
        with captured_queries() as queries:
            seconds = await timed(query())
        print(f"  {what}: {1000 * seconds:.1f} ms in {len(queries)} statements")
        for line in plan_of(url, queries[0]) if queries else ():
            print(f"    {line}")
    await store.close()


async def first_page(pages: AsyncIterator[Sequence[object]]) -> None:
    async for _ in pages:
        return


@contextmanager
def captured_queries() -> Iterator[list[Query]]:
    """Collect the statements that are executed."""
    found: list[Query] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        if not statement.startswith("BEGIN"):
            found.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def plan_of(url: str, query: Query) -> list[str]:
    """Return how the database carries out the statement."""
    statement, parameters = query
    explain = "EXPLAIN QUERY PLAN" if is_sqlite(database_url(url)) else "EXPLAIN"
    with open_database(database_url(url)) as connection:
        return [str(row[-1]) for row in connection.exec_driver_sql(f"{explain} {statement}", parameters)]
