"""The store: durability, conflicting writes, and the removal of idle matches."""

import asyncio
import sqlite3
from collections.abc import Collection
from contextlib import ExitStack, closing
from typing import Any

import pytest
from msgspec.structs import replace
from psycopg import connect
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import IntegrityError

from duelbook.errors import RefusedError
from duelbook.web.app import Application
from duelbook.web.db import schema
from duelbook.web.db import store as stores
from duelbook.web.db.database import READERS, database_url, open_database, read_engine, write_engine
from duelbook.web.db.errors import ConflictError, StoreUnavailableError
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change, StoredMatch
from duelbook.web.settings import Settings
from tests.support.service.backends import Postgres
from tests.support.service.stock import contents, execute
from tests.support.service.stores import LONG_AGO, moved, new, outcomes, with_stores

# Durability


def settings_of(engine: Engine, count: int, *questions: str) -> list[tuple[Any, ...]]:
    """Return the answers of that many open connections of the engine."""
    with ExitStack() as stack:
        connections = [stack.enter_context(engine.connect()) for _ in range(count)]
        answers = [
            tuple(connection.exec_driver_sql(question).scalar() for question in questions) for connection in connections
        ]
    engine.dispose()
    return answers


def test_every_connection_to_sqlite_is_durable_checks_foreign_keys_and_waits_for_locks(sqlite_url: str) -> None:
    url = database_url(sqlite_url)
    pragmas = [f"PRAGMA {name}" for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")]
    wanted = ("wal", 2, 1, 5000)  # 2 is FULL
    for engine, count in ((read_engine(url), READERS), (write_engine(url), 1)):
        assert settings_of(engine, count, *pragmas) == [wanted] * count


def test_a_write_transaction_of_sqlite_locks_the_database_from_its_start_and_a_read_transaction_does_not(
    sqlite_url: str,
) -> None:
    url = database_url(sqlite_url)

    def can_others_write_meanwhile(engine: Engine) -> bool:
        with engine.begin() as connection:
            connection.exec_driver_sql("SELECT 1 FROM matches")
            with closing(sqlite3.connect(url.database or "", timeout=0, isolation_level=None)) as other:
                try:
                    other.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    return False
        engine.dispose()
        return True

    assert can_others_write_meanwhile(read_engine(url))
    assert not can_others_write_meanwhile(write_engine(url))


def test_commits_to_postgresql_are_durable_whatever_its_default_is(postgres: Postgres) -> None:
    url = postgres.new_database()
    name = database_url(url).database
    with postgres.connect() as connection:
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off".encode())
    with connect(url.replace("+psycopg", "")) as plain:
        assert plain.execute("SHOW synchronous_commit").fetchone() == ("off",)
    show = "SHOW synchronous_commit"
    for engine, count in ((read_engine(database_url(url)), READERS), (write_engine(database_url(url)), 1)):
        assert settings_of(engine, count, show) == [("on",)] * count
    with open_database(database_url(url), writing=True) as transaction:
        assert transaction.execute(text(show)).scalar() == "on"


def test_options_in_the_url_of_postgresql_are_kept(postgres: Postgres) -> None:
    url = database_url(f"{postgres.new_database()}?options=-csearch_path%3Delsewhere")
    assert settings_of(write_engine(url), 1, "SHOW search_path", "SHOW synchronous_commit") == [("elsewhere", "on")]


# Conflicting writes


def test_the_database_itself_refuses_a_second_move_for_a_ply(url: str) -> None:
    async def play(store: Store) -> None:
        await store.apply(new(1))
        await store.apply(moved(new(1)))

    with_stores(url, 1, play)
    again = "INSERT INTO moves SELECT match, ply, '7', seat, 'other', seconds, hash, version + 1 FROM moves"
    with pytest.raises(RefusedError) as refused:
        execute(url, again)
    assert isinstance(refused.value.__cause__, IntegrityError)
    assert [row[2] for row in contents(url)["moves"]] == ["5"]


def test_of_two_processes_that_play_the_same_ply_one_is_refused_every_time(url: str) -> None:
    async def race(one: Store, other: Store) -> None:
        now = new(1)
        await one.apply(now)
        for ply in range(25):
            ends = await outcomes(one.apply(moved(now, "5", "one")), other.apply(moved(now, "7", "other")))
            assert {*ends} == {None, ConflictError}, (ply, ends)
            now = moved(now)
        kept = await one.load(now.match.id)
        assert kept
        assert [move.ply for move in kept.moves] == list(range(25))
        assert kept.match.version == now.match.version

    with_stores(url, 2, race)


def test_of_two_processes_that_change_the_same_version_one_is_refused_every_time(url: str) -> None:
    async def race(one: Store, other: Store) -> None:
        now = new(1)
        await one.apply(now)
        for _ in range(25):
            now = Change(replace(now.match, version=now.match.version + 1))
            ends = await outcomes(*(store.apply(Change(replace(now.match, undo_by=1))) for store in (one, other)))
            assert {*ends} == {None, ConflictError}

    with_stores(url, 2, race)


def test_a_conflict_refuses_one_change_and_not_those_that_are_written_with_it(url: str) -> None:
    async def work(store: Store) -> None:
        await asyncio.gather(*(store.apply(new(number)) for number in range(20)))
        await store.apply(moved(new(7), "7"))
        ends = await outcomes(*(store.apply(moved(new(number))) for number in range(20)))
        assert ends == [ConflictError if number == 7 else None for number in range(20)]

    with_stores(url, 1, work)


def test_a_change_that_cannot_be_written_fails_alone_and_the_writer_continues(url: str) -> None:
    async def work(store: Store) -> None:
        ends = await outcomes(store.apply(new(1)), store.apply(new(2, options="\ud800")), store.apply(new(3)))
        assert (ends[0], ends[2]) == (None, None)
        assert ends[1] not in (None, ConflictError, StoreUnavailableError)
        assert await outcomes(store.apply(moved(new(1)))) == [None]

    with_stores(url, 1, work)


def test_processes_that_change_the_same_matches_at_once_do_not_wait_for_each_other(postgres: Postgres) -> None:
    url = postgres.new_database()
    schema.upgrade(url)

    async def work(one: Store, other: Store) -> None:
        now = [new(number) for number in range(100)]
        await asyncio.gather(*map(one.apply, now))
        for _ in range(3):
            after = list(map(moved, now))
            ends = await outcomes(*map(one.apply, after), *map(other.apply, reversed(after)))
            assert {*ends} == {None, ConflictError}
            assert ends.count(None) == len(now)
            now = after

    with_stores(url, 2, work)


def test_a_service_that_waits_for_its_database_at_the_start_works_like_any_other(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        application = Application(Settings(database_url=url))
        service = application.service
        failures, version = (
            iter([StoreUnavailableError("not there"), StoreUnavailableError("not yet")]),
            service.store.version,
        )

        async def late(match: str) -> int | None:
            for failure in failures:
                raise failure
            return await version(match)

        monkeypatch.setattr(service.store, "version", late)
        await application.start()
        writers = [task for task in asyncio.all_tasks() if "Writer._run" in repr(task)]
        execute = service.registry.watchers + service.registry.listeners
        await application.stop()
        assert (list(failures), len(writers), len(execute)) == ([], 1, 5)

    asyncio.run(work())


# Idle matches


def idle_and_others() -> list[Change]:
    """Return matches of which only the first few are unfinished and idle."""
    finished = {"reason": "resignation", "outcome": 1, "ended": "2026-01-01T00:01:00"}
    return [*(new(number) for number in range(5)), new(5, **finished), new(6, active_at=LONG_AGO + 600)]


def test_idle_unfinished_matches_are_removed_with_their_seats_and_moves_and_others_stay(url: str) -> None:
    async def work(store: Store) -> int:
        for change in idle_and_others():
            await store.apply(change)
            await store.apply(
                replace(moved(change), match=replace(moved(change).match, active_at=change.match.active_at))
            )
        taken_back = moved(new(1))
        await store.apply(Change(replace(taken_back.match, version=3, ply=0), undone=taken_back.moves))
        return await store.purge(LONG_AGO + 1)

    assert with_stores(url, 1, work) == 5
    left = contents(url)
    for table in ("matches", "seats", "moves"):
        assert {int(row[0]) for row in left[table]} == {5, 6}
    assert left["undone"] == set()


def test_more_idle_matches_are_removed_than_fit_into_one_batch_up_to_a_limit_for_one_run(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "PURGE_BATCH", 4)
    monkeypatch.setattr(stores, "MAX_PURGED", 20)

    async def work(store: Store) -> list[int]:
        await store.apply(*(new(number, active_at=number) for number in range(30)))
        first = await store.purge(100)
        assert {int(row[0]) for row in contents(url)["matches"]} == {*range(20, 30)}, "the oldest go first"
        return [first, await store.purge(100), await store.purge(100)]

    assert with_stores(url, 1, work) == [20, 10, 0]


def test_old_matches_are_found_by_a_whole_number_since_postgresql_uses_no_index_for_another_type(url: str) -> None:
    bounds: list[Any] = []

    @event.listens_for(Engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if "active_at <" in statement:
            bounds.append(dict(parameters)["active_at_1"] if isinstance(parameters, dict) else parameters[1])

    async def work(store: Store) -> int:
        await store.apply(*(new(number, active_at=60 * number) for number in range(5)))
        return await store.purge(120.5)

    try:
        assert with_stores(url, 1, work) == 3
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert bounds == [121]


# Matches that are due


def numbers(pages: list[list[str]]) -> list[list[int]]:
    return [[int(match) for match in page] for page in pages]


def test_all_due_matches_are_found_page_by_page_the_longest_due_first_and_persons_apart_from_agents(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "QUERY_LIMIT", 3)

    async def work(store: Store) -> None:
        agents = [new(number, agent_due=True, due=float(100 - number // 2)) for number in range(7)]
        persons = [new(number, due=float(number)) for number in range(10, 16)]
        await store.apply(*agents, *persons, new(20), new(21, due=500.0))
        due = [[*page] async for page in store.with_agent_due()]
        assert numbers(due) == [[6, 4, 5], [2, 3, 0], [1]]
        assert numbers([[*page] async for page in store.with_agent_due(99.0)]) == [[6, 4, 5]]
        assert numbers([[*page] async for page in store.out_of_time(100.0)]) == [[10, 11, 12], [13, 14, 15]]
        assert numbers([[*page] async for page in store.out_of_time(10.0)]) == []
        assert await store.versions([f"{number:024d}" for number in range(30)]) == dict.fromkeys(
            [change.match.id for change in (*agents, *persons, new(20), new(21))], 1
        )

    with_stores(url, 1, work)


DUE = "SELECT due, id FROM matches WHERE due IS NOT NULL AND agent_due = {} AND due < 9 ORDER BY due, id LIMIT 500"
OLD = "SELECT id FROM matches WHERE reason = 'unfinished' AND active_at < 9 ORDER BY active_at LIMIT 100"


KEY = "SELECT * FROM undone WHERE match = 'x' AND key = 'y' AND seat = 0"
LAST = "SELECT max(version) FROM undone WHERE match = 'x'"


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (DUE.format(0), "INDEX matches_due"),
        (DUE.format(1), "INDEX matches_due"),
        (OLD, "INDEX matches_active"),
        (KEY, "INDEX undone_keys"),  # not by the match, which may have many moves that were taken back
        (LAST, "PRIMARY KEY"),
    ],
)
def test_queries_read_only_the_rows_that_they_are_for(query: str, index: str, sqlite_url: str) -> None:
    with open_database(database_url(sqlite_url)) as connection:
        plan = [str(row[3]) for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))]
    assert len(plan) == 1, "it sorts"
    assert plan[0].startswith("SEARCH")
    assert index in plan[0]


# Moves that were taken back


def test_a_match_is_loaded_without_the_moves_that_were_taken_back_which_are_found_by_their_key(url: str) -> None:
    async def work(store: Store) -> None:
        now = new(1)
        await store.apply(now)
        for number in range(3):
            played = moved(now, "5", f"key {number}")
            await store.apply(played)
            now = Change(replace(played.match, version=played.match.version + 1, ply=0))
            await store.apply(replace(now, undone=played.moves))
        stored = await store.load(now.match.id)
        assert stored
        assert (stored.moves, stored.last_undone) == ([], 6)
        line = await store.line_of_undone_move(now.match.id, 0, "key 1")
        assert line
        assert [(move.ply, move.key, move.version) for move in line] == [(0, "key 1", 4)]
        assert await store.line_of_undone_move(now.match.id, 1, "key 1") is None
        assert await store.line_of_undone_move(now.match.id, 0, "key 9") is None

    with_stores(url, 1, work)


def test_matches_wanted_at_the_same_time_are_read_in_one_transaction(url: str) -> None:
    async def work(store: Store) -> None:
        changes = [new(number) for number in range(50)]
        await store.apply(*changes)
        await store.apply(*map(moved, changes[:20]))
        asked: list[int] = []
        ask = store._match_batcher._ask

        async def count(wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], StoredMatch]:
            asked.append(len(wanted))
            return await ask(wanted)

        store._match_batcher._ask = count
        found = await asyncio.gather(*(store.load(change.match.id) for change in changes), store.load("none"))
        assert asked == [51]
        assert found.pop() is None
        assert [stored and stored.match.id for stored in found] == [change.match.id for change in changes]
        assert [stored and len(stored.moves) for stored in found] == [1] * 20 + [0] * 30
        assert {stored and tuple(seat.seat for seat in stored.seats) for stored in found} == {(0, 1)}

    with_stores(url, 1, work)
