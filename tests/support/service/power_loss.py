"""Power loss: play on a real server whose writes and syncs are recorded, and check what each moment could leave."""

import json
import random
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from duelbook.errors import RefusedError
from duelbook.web.db.admin.check import check
from duelbook.web.db.database import SERVICE_PRAGMAS
from duelbook.web.db.schema import upgrade
from tests.support.service.disk import ACKNOWLEDGED, Entry, Folder, append, read_log
from tests.support.service.faults import Ledger, Playing, more_moves
from tests.support.service.harness import RunningServer
from tests.support.service.impatient import impatient

SOURCE = Path(__file__).with_name("recorder.c")
STORE = "matches.sqlite"
SHARED_MEMORY = "-shm"  # it is written through memory, and SQLite never reads an old one
CHECKPOINT = "wal_autocheckpoint=16"  # pages, so that the log is copied into the database many times
MOVES = 'SELECT "match", ply, move FROM moves'

Move = tuple[str, int]  # a match and a ply


class Acknowledged(dict[Move, str]):
    """The acknowledged moves, recorded in the log of writes and syncs at the moment when a client knows of them."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self._log = log

    def __setitem__(self, key: Move, move: str) -> None:
        super().__setitem__(key, move)
        append(self._log, json.dumps([*key, move]).encode())


def recording(folder: Path, compiler: str, log: Path) -> dict[str, str]:
    """Return variables with which a program records in the log what it does to the folder."""
    recorder = log.with_suffix(".so")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", recorder, SOURCE, "-ldl", "-lpthread"], check=True)
    log.touch()
    return {"LD_PRELOAD": str(recorder), "RECORDED_FOLDER": str(folder), "RECORDED_LOG": str(log)}


def record(folder: Path, compiler: str, seed: int, count: int) -> Path:
    store, log = folder / "store", folder / "log"
    store.mkdir()
    server = RunningServer(
        folder,
        {"database_url": f"sqlite:///{store / STORE}"},
        impatient(f"db.database.SERVICE_PRAGMAS={(*SERVICE_PRAGMAS, CHECKPOINT)}"),
        environment=recording(store, compiler, log),
    )
    try:
        server.start()
        with Playing([server], seed, ledger=Ledger(moves=Acknowledged(log))) as ledger:
            more_moves(ledger, count)
        assert not ledger.wrong, ledger.wrong
        server.stop()
    finally:
        server.kill()
    return log


def count_checkpoints(log: Path) -> int:
    return sum(entry.kind == "s" and entry.name == STORE for entry in read_log(log))


def check_moments(log: Path, folder: Path, seed: int, points: int, thorough: int = 1) -> None:
    """Check what a power loss could leave at that many moments of the log: no acknowledged move is lost.

    Every so many of the stores are also migrated as at the start of a server, and checked match by match.
    """
    entries = [entry for entry in read_log(log) if not entry.name.endswith(SHARED_MEMORY)]
    chosen = sorted(random.Random(seed).choices(range(len(entries)), k=points))
    disk, acknowledged = Folder(), dict[Move, str]()
    done = 0
    for number, moment in enumerate(chosen):
        for entry in entries[done : moment + 1]:
            replay(entry, disk, acknowledged)
        done = moment + 1
        write_files(folder, disk.after_power_loss(random.Random(f"{seed} {number}")))
        fault = find_fault(folder / STORE, acknowledged, is_thorough=number % thorough == 0)
        assert not fault, f"power loss {number} of seed {seed}, after record {moment} of {len(entries)}: {fault}"


def replay(entry: Entry, disk: Folder, acknowledged: dict[Move, str]) -> None:
    if entry.kind == ACKNOWLEDGED:
        match, ply, move = json.loads(entry.data)
        acknowledged[match, ply] = move
    else:
        disk.replay(entry)


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def find_fault(file: Path, acknowledged: dict[Move, str], *, is_thorough: bool) -> str | None:
    try:
        if is_thorough:
            upgrade(f"sqlite:///{file}")
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA synchronous=OFF")  # the power does not fail again
            found = connection.execute("PRAGMA integrity_check(1)").fetchall()
            # The first moments are those before the tables exist.
            rows = connection.execute(MOVES).fetchall() if acknowledged else []
        if found != [("ok",)]:
            return f"The file is damaged: {found[0][0]}"
        kept = {(match, ply): move for match, ply, move in rows}
        lost = [key for key, move in acknowledged.items() if kept.get(key) != move]
        if lost:
            return f"{len(lost)} of {len(acknowledged)} acknowledged moves are lost"
        findings = check(f"sqlite:///{file}").findings if is_thorough else []
        return str(findings[0]) if findings else None
    except (sqlite3.DatabaseError, RefusedError) as error:
        return f"The file is damaged: {error}"
