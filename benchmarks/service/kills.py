"""Kills: the server is killed while people play, and everything it has answered has to be there afterwards."""

import asyncio
import random
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing

from benchmarks.service.checking import lost
from benchmarks.service.duels import lasting
from benchmarks.service.figures import none_of
from benchmarks.service.people import Client
from benchmarks.service.plan import Plan
from benchmarks.service.serving import Server, serving
from benchmarks.service.tables import Played, Table

TABLES = 20
LIFE = 0.8  # seconds at most that a server goes on once everybody has been answered
PATIENCE = 30.0  # seconds for everybody to be answered after a start
NEWS = 50  # kills between two lines about them

Lost = set[tuple[str, int]]  # matches with plies


async def run(plan: Plan) -> None:
    print(f"kills: {plan.kills}, while {TABLES} matches are played over HTTP; seed {plan.seed}")
    chance = random.Random(plan.seed)
    with serving("warning") as server:
        tables = [Table(server.port, f"{plan.seed} {number}") for number in range(TABLES)]
        gone: Lost = set()
        for number in range(1, plan.kills + 1):
            await live(server, tables, chance.uniform(0, LIFE))
            server.start()
            gone |= await all_lost(server, [played for table in tables for played in table.unchecked()])
            if gone or number % NEWS == 0:
                report(f"after {number} kills", tables, gone)
            if gone:
                break
        gone |= await all_lost(server, [played for table in tables for played in table.finished])
        server.kill()
        report("in the end", tables, gone)
        none_of("lost moves", len(gone))
        print(f"    what the database says of itself: {health(server)}")
        if gone:
            sys.exit(f"lost, each a match and a ply: {sorted(gone)}")


async def live(server: Server, tables: Sequence[Table], seconds: float) -> None:
    """Let everybody play on; once all have been answered, and so many seconds later, kill the server."""
    before = [table.answers for table in tables]
    tasks = [asyncio.create_task(table.play()) for table in tables]
    end = time.monotonic() + PATIENCE
    while any(table.answers == answers for table, answers in zip(tables, before, strict=True)):
        await lasting(tasks, 0.01)
        if time.monotonic() > end or any(task.done() for task in tasks):
            raise RuntimeError(f"play does not go on: {server.last_words()}")
    await lasting(tasks, seconds)
    server.kill()
    await asyncio.gather(*tasks)


async def all_lost(server: Server, matches: Sequence[Played]) -> Lost:
    """Answer what the matches have lost."""
    shares = [matches[start::TABLES] for start in range(TABLES)]
    found = await asyncio.gather(*(_lost(Client(server.port), share) for share in shares))
    return {move for share in found for move in share}


async def _lost(client: Client, matches: Sequence[Played]) -> Lost:
    found: Lost = set()
    for played in matches:
        found |= await lost(client, played)
    client.close()
    return found


def report(when: str, tables: Sequence[Table], gone: Lost) -> None:
    matches = [played for table in tables for played in (*table.finished, *filter(None, [table.played]))]
    print(
        f"  {when}: {sum(len(played.moves) for played in matches):,} moves acknowledged in {len(matches):,} matches, "
        f"{len(gone)} lost, {sum(table.from_store for table in tables)} retries answered from the store",
        flush=True,
    )


def health(server: Server) -> str:
    """Answer what SQLite finds when it checks the file."""
    with closing(sqlite3.connect(server.database)) as database:
        return str(database.execute("PRAGMA integrity_check").fetchone()[0])
