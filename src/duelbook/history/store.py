"""The history as the program uses it: games are kept, found, listed, counted and removed."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from msgspec import convert

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.games import GAMES
from duelbook.history.database import IDENTITY, HistoryError, history_file, reading, writing
from duelbook.history.kept_game import ALL_GAMES, WANTED, Filter, KeptGame, read_time
from duelbook.history.rating import Rating, rating_of
from duelbook.history.statistics import Statistics, statistics_of
from duelbook.records import load_record
from duelbook.records.document import from_json, to_json
from duelbook.records.record import Record
from duelbook.text import shorten

COLUMNS = ", ".join(KeptGame.__struct_fields__)
NEWEST_FIRST = "changed DESC, number DESC"
INSTALLED = "(SELECT value FROM json_each(?))"
CONTINUABLE = f"""SELECT {COLUMNS}, record FROM games WHERE result = 'unfinished' AND game IN {INSTALLED}
    ORDER BY {NEWEST_FIRST}"""
NOT_INSTALLED = f"""SELECT DISTINCT game FROM games WHERE result = 'unfinished' AND game NOT IN {INSTALLED}
    ORDER BY game"""
PLAY_A_GAME = "Play a game with: duelbook play"
MAX_NUMBER = 2**53
MAX_DIGITS = 1000  # Python reads no number that is much longer


@dataclass(frozen=True)
class Slot:
    """The place of a game in the history, and the version of the game that its holder knows."""

    number: int
    version: int


class UnreadableGameError(HistoryError):
    """The history is sound, but the record of one of its games cannot be read."""


class History:
    """All games that were kept, in one file."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or history_file()

    def keep(self, slot: Slot | None, record: Record, *, helped: bool, imported: bool = False) -> Slot:
        """Keep the game and return its slot.

        A game that has no slot yet gets a new number. So does one that was changed elsewhere since, by another terminal
        that resumed it, too: nothing is overwritten.
        """
        values = _values(record, helped=helped, imported=imported)
        with writing(self.path) as connection:
            if slot:
                settings = ", ".join(f"{name} = :{name}" for name in values)
                changed = connection.execute(
                    f"UPDATE games SET {settings}, version = version + 1 WHERE number = :number AND version = :version",
                    {**values, "number": slot.number, "version": slot.version},
                )
                if changed.rowcount:
                    return Slot(slot.number, slot.version + 1)
            names = ", ".join(values)
            places = ", ".join(f":{name}" for name in values)
            added = connection.execute(f"INSERT INTO games (version, {names}) VALUES (1, {places})", values)
            return Slot(added.lastrowid or 0, 1)

    def discard(self, slot: Slot) -> None:
        """Remove the game, unless it was changed elsewhere since."""
        with writing(self.path) as connection:
            connection.execute("DELETE FROM games WHERE number = ? AND version = ?", [slot.number, slot.version])

    def games(self, wanted: Filter = ALL_GAMES, limit: int | None = None) -> list[KeptGame]:
        """Return the games that fit the filter, the one that was played last first, and at most `limit` of them."""
        query = f"SELECT {COLUMNS} FROM games WHERE {WANTED} ORDER BY {NEWEST_FIRST} LIMIT ifnull(:limit, -1)"
        with reading(self.path) as connection:
            return [_game(row) for row in connection.execute(query, {**wanted.values(), "limit": limit})]

    def count(self, wanted: Filter = ALL_GAMES) -> int:
        """Return the number of games that fit the filter."""
        with reading(self.path) as connection:
            [number] = connection.execute(f"SELECT count(*) FROM games WHERE {WANTED}", wanted.values()).fetchone()
            return int(number)

    def statistics(self, wanted: Filter = ALL_GAMES) -> Statistics:
        """Return what the games that fit the filter add up to."""
        with reading(self.path) as connection:
            return statistics_of(connection, wanted)

    def rating(self, now: datetime) -> Rating | None:
        """Return the rating of the person, or None if no game counts for it yet."""
        with reading(self.path) as connection:
            return rating_of(connection, now)

    def game_names(self) -> list[str]:
        """Return the names of the games that were played, in order."""
        return self._names("SELECT DISTINCT game FROM games ORDER BY game")

    def opponents(self) -> list[str]:
        """Return the opponents of all games, in order (see KeptGame)."""
        return self._names("SELECT DISTINCT opponent FROM games ORDER BY opponent")

    def _names(self, query: str) -> list[str]:
        with reading(self.path) as connection:
            return [name for [name] in connection.execute(query)]

    def game(self, number: int) -> KeptGame:
        """Return the game with this number, or raise HistoryError."""
        query = f"SELECT {COLUMNS} FROM games WHERE number = ?"
        with reading(self.path) as connection:
            row = connection.execute(query, [min(number, MAX_NUMBER)]).fetchone()
            if row is None:
                raise _missing(number)
            return _game(row)

    def last(self) -> KeptGame:
        """Return the game that was played last, or raise HistoryError if there is none."""
        games = self.games(limit=1)
        if not games:
            raise HistoryError(f"There is no game in your history. {PLAY_A_GAME}")
        return games[0]

    def last_unfinished(self) -> KeptGame:
        """Return the unfinished game that was played last and can be continued here, or raise HistoryError.

        That leaves out games that are not installed any more, and games whose record cannot be read.
        """
        installed, problems = json.dumps([*GAMES]), list[UnreadableGameError]()
        with reading(self.path) as connection:
            for row in connection.execute(CONTINUABLE, [installed]):  # the first one is enough, mostly
                try:
                    _read_record(row["number"], row["record"])
                except UnreadableGameError as error:
                    problems.append(error)
                else:
                    return _game(row)
            missing = ", ".join(name for [name] in connection.execute(NOT_INSTALLED, [installed]))
        if problems:
            raise problems[0]
        why = f" that is installed; not installed: {missing}." if missing else "."
        raise HistoryError(f"There is no unfinished game in your history{why} {PLAY_A_GAME}")

    def unreadable(self, games: Iterable[KeptGame]) -> list[UnreadableGameError]:
        """Return an error for each of the games whose record cannot be read. Those not installed are left out."""
        found = []
        for game in games:
            try:
                self.record(game.number)
            except UnreadableGameError as error:
                found.append(error)
            except HistoryError:  # it is not installed
                pass
        return found

    def record(self, number: int) -> Record:
        """Return the record of a game, or raise HistoryError."""
        with reading(self.path) as connection:
            query = "SELECT game, record FROM games WHERE number = ?"
            row = connection.execute(query, [min(number, MAX_NUMBER)]).fetchone()
        if row is None:
            raise _missing(number)
        if row["game"] not in GAMES and GAMES.problem(row["game"]) is None:
            raise HistoryError(
                f"Game {number} of your history is a game of '{shorten(row['game'])}', which is not installed. "
                f"Install its package, or name it in {GAMES.variable}."
            )
        return _read_record(number, row["record"])

    def find(self, record: Record) -> list[tuple[Slot, Record]]:
        """Return the games of the history that are the same match as the record, the one played last first."""
        query = f"""SELECT number, version, record FROM games WHERE identity = json_extract(?, {IDENTITY})
            ORDER BY {NEWEST_FIRST}"""
        with reading(self.path) as connection:
            rows = connection.execute(query, [_text(record)]).fetchall()
        return [(Slot(row["number"], row["version"]), _read_record(row["number"], row["record"])) for row in rows]

    def remove(self, numbers: Iterable[int]) -> int:
        """Remove the games with these numbers, and return how many there were."""
        with writing(self.path) as connection:
            return sum(
                connection.execute("DELETE FROM games WHERE number = ?", [number]).rowcount for number in numbers
            )


def _game(row: sqlite3.Row) -> KeptGame:
    return convert(dict(row), KeptGame, strict=False)


def _missing(number: int) -> HistoryError:
    shown = shorten(str(number))
    return HistoryError(f"There is no game {shown} in your history. List the games with: duelbook history")


def _read_record(number: int, text: str) -> Record:
    try:
        return from_json(parse(text.encode()))
    except RefusedError as error:
        raise UnreadableGameError(
            f"Game {number} of your history cannot be read: {error} "
            f"If you do not need it, remove it with: duelbook history remove {number}"
        ) from error


def _values(record: Record, *, helped: bool, imported: bool) -> dict[str, str | bool]:
    played = (record.ended or record.started) if imported else None
    changed = read_time(played).astimezone(UTC) if played else datetime.now(UTC)
    return {"record": _text(record), "changed": changed.isoformat(), "helped": helped, "imported": imported}


def _text(record: Record) -> str:
    return json.dumps(to_json(record))


def is_number(text: str) -> bool:
    """Return True if the text is the number of a game. A file of such a name is given as `./12`."""
    return text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS


def find_record(text: str | None) -> Record:
    """Return the game with this number, the record in this file, or the last game of the history for None."""
    if text is None:
        return History().record(History().last().number)
    return History().record(int(text)) if is_number(text) else load_record(full_path(text))
