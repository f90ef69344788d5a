"""Games in and out of the history as records, one file each, and a new history from a damaged one."""

import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.files import free_name
from duelbook.history.database import GIVEN, DamagedHistoryError, HistoryError, reading, writing
from duelbook.history.kept_game import KeptGame, read_time
from duelbook.history.store import History
from duelbook.records import load_record, save_record
from duelbook.records.record import Record
from duelbook.text import shorten

COLUMNS = ("number", *GIVEN)
JOURNAL = "-journal"  # what SQLite adds to the name of a file for the journal beside it
NUMBER = re.compile("([0-9]+)")


class Imported(NamedTuple):
    """What was taken over from files: new games, games that are longer now, known ones, and why others were not."""

    added: int
    extended: int
    known: int
    problems: list[str]


class Repaired(NamedTuple):
    """What was read from a damaged history: how many games, and where the damaged file is now.

    `lost` is the number of games that were there and cannot be read; None if that is not known.
    """

    games: int
    damaged: Path
    lost: int | None


def export_games(history: History, games: Iterable[KeptGame], folder: Path) -> int:
    """Write the record of each game to a new file in the folder, such as `12-charge.json`, and return how many.

    A file that is there already is replaced only if it holds the same match.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HistoryError(f"Cannot write to '{shorten(str(folder))}': {error.strerror}.") from error
    chosen = list(games)
    for game in chosen:
        record, file = history.record(game.number), folder / f"{game.number}-{game.game}.json"
        if file.exists() and load_record(file).started != record.started:
            raise HistoryError(f"'{file}' holds another game. Choose another folder.")
        save_record(record, file)
    return len(chosen)


def import_games(history: History, paths: Iterable[Path]) -> Imported:
    """Take over the records in the files, and in the files `*.json` of folders. What is known stays as it is.

    New games are numbered in the order in which they were begun.
    """
    counts, problems = {"added": 0, "extended": 0, "known": 0}, []
    records: list[Record] = []
    files = [file for path in paths for file in (path.glob("*.json") if path.is_dir() else [path])]
    for file in sorted(files, key=_file_order):
        try:
            records.append(load_record(file))
        except RefusedError as error:
            problems.append(str(error))
    for record in sorted(records, key=_begun):
        counts[_take_over(history, record)] += 1
    return Imported(**counts, problems=problems)


def _file_order(file: Path) -> list[str | int]:
    """Return a key by which `2-charge.json` comes before `10-charge.json`."""
    return [int(part) if NUMBER.fullmatch(part) else part for part in NUMBER.split(str(file))]


def _begun(record: Record) -> datetime:
    """Return when the game began, as far as the record says so; it comes last otherwise."""
    return read_time(record.started) if record.started else datetime.max.replace(tzinfo=UTC)


def _take_over(history: History, record: Record) -> str:
    """Keep a record as an imported game, and return what became of it."""
    for slot, known in history.find(record):
        if known.moves[: len(record.moves)] == record.moves and known.reason == record.reason:
            return "known"
        if record.moves[: len(known.moves)] == known.moves and known.ended is None:
            history.keep(slot, record, helped=True, imported=True)
            return "extended"
        if known.moves[: len(record.moves)] == record.moves and record.ended is None:
            return "known"
    history.keep(None, record, helped=False, imported=True)
    return "added"


def repair(history: History) -> Repaired | None:
    """Start a new history with the games that can be read, and keep the damaged file. Return None if all is well."""
    if _is_sound(history):
        return None
    damaged = free_name(history.path)
    found, kept = _readable(history.path)
    try:
        os.replace(history.path, damaged)
        with suppress(
            FileNotFoundError
        ):  # an interrupted change of the damaged file must not be applied to the new one
            os.replace(f"{history.path}{JOURNAL}", f"{damaged}{JOURNAL}")
    except OSError as error:
        raise HistoryError(f"Cannot rename '{history.path}': {error.strerror}.") from error
    with writing(history.path) as connection:
        places = ", ".join(f":{name}" for name in COLUMNS)
        connection.executemany(f"INSERT INTO games ({', '.join(COLUMNS)}) VALUES ({places})", found)
    return Repaired(len(found), damaged, None if kept is None else max(0, kept - len(found)))


def _is_sound(history: History) -> bool:
    """Return True if all of the history can be read. Raise HistoryError if something else than damage prevents it."""
    try:
        with reading(history.path) as connection:
            [report] = connection.execute("PRAGMA integrity_check(1)").fetchone()
        history.games()
        return bool(report == "ok")
    except DamagedHistoryError:
        return False


def _readable(path: Path) -> tuple[list[dict[str, Any]], int | None]:
    """Return the rows that can still be read, one by one, so that a damaged one hides no other.

    Also return how many games there were, by the index that counts them; None if that is damaged, too.
    """
    found: list[dict[str, Any]] = []
    kept: int | None = None
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        with suppress(sqlite3.Error):
            kept = connection.execute("SELECT count(*) FROM games INDEXED BY games_by_identity").fetchone()[0]
        last = connection.execute("SELECT max(number) FROM games").fetchone()[0] or 0
        for number in range(1, last + 1):
            with suppress(sqlite3.Error, RefusedError, TypeError, AttributeError):
                query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE number = ?"
                row = dict(connection.execute(query, [number]).fetchone())
                parse(row["record"].encode())
                found.append(row)
    return found, kept
