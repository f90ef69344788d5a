"""The history as the program uses it: games are kept, found, listed and removed."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.game import Reason
from duelbook.games import GAMES
from duelbook.history.database import DamagedHistoryError, HistoryError, history_file, reading, writing
from duelbook.history.kept_game import KeptGame, read_time
from duelbook.records.document import from_json, to_json
from duelbook.records.record import Person, Record
from duelbook.text import shorten

COLUMNS = (
    *("number", "version", "game", "name1", "agent1", "name2", "agent2", "first", "moves"),
    *("result", "reason", "changed", "helped", "imported"),
)
SELECT = f"SELECT {', '.join(COLUMNS)} FROM games"
NEWEST_FIRST = "ORDER BY changed DESC, number DESC"
PLAY_A_GAME = "Play a game with: duelbook play"
MAX_NUMBER = 2**53


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

    def games(self) -> list[KeptGame]:
        """Return all games, the one that was played last first."""
        with reading(self.path) as connection:
            return [self._game(row) for row in connection.execute(f"{SELECT} {NEWEST_FIRST}")]

    def game(self, number: int) -> KeptGame:
        """Return the game with this number, or raise HistoryError."""
        game = self._first("number = ?", min(number, MAX_NUMBER))
        if game is None:
            raise _missing(number)
        return game

    def last(self) -> KeptGame:
        """Return the game that was played last, or raise HistoryError if there is none."""
        game = self._first("?", 1)
        if game is None:
            raise HistoryError(f"There is no game in your history. {PLAY_A_GAME}")
        return game

    def last_unfinished(self) -> KeptGame:
        """Return the unfinished game that was played last and can be continued here, or raise HistoryError.

        That leaves out games that are not installed any more, and games whose record cannot be read.
        """
        unfinished = [game for game in self.games() if not game.finished]
        problems = []
        for game in unfinished:
            if game.game in GAMES:
                if not (unreadable := self.unreadable([game])):
                    return game
                problems += unreadable
        if problems:
            raise problems[0]
        missing = ", ".join(sorted({game.game for game in unfinished}))
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

    def _first(self, condition: str, value: int | str) -> KeptGame | None:
        with reading(self.path) as connection:
            row = connection.execute(f"{SELECT} WHERE {condition} {NEWEST_FIRST} LIMIT 1", [value]).fetchone()
        return row and self._game(row)

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
        query = f"SELECT number, version, record FROM games WHERE identity = ? {NEWEST_FIRST}"
        with reading(self.path) as connection:
            rows = connection.execute(query, [_identity(record)]).fetchall()
        return [(Slot(row["number"], row["version"]), _read_record(row["number"], row["record"])) for row in rows]

    def remove(self, numbers: Iterable[int]) -> int:
        """Remove the games with these numbers, and return how many there were."""
        with writing(self.path) as connection:
            return sum(
                connection.execute("DELETE FROM games WHERE number = ?", [number]).rowcount for number in numbers
            )

    def _game(self, row: sqlite3.Row) -> KeptGame:
        try:
            return KeptGame(
                number=row["number"],
                version=row["version"],
                game=row["game"],
                people=(Person(row["name1"], row["agent1"]), Person(row["name2"], row["agent2"])),
                first=row["first"],
                moves=row["moves"],
                outcome=row["result"],
                reason=Reason(row["reason"]),
                changed=read_time(row["changed"]),
                helped=bool(row["helped"]),
                imported=bool(row["imported"]),
            )
        except (TypeError, ValueError) as error:  # changed by another program
            raise DamagedHistoryError(self.path) from error


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


def _values(record: Record, *, helped: bool, imported: bool) -> dict[str, str | int]:
    document = to_json(record)
    one, two = record.people
    now = datetime.now(UTC).isoformat()
    played = (record.ended or record.started or now) if imported else now
    return {
        "identity": _identity(record),
        "record": json.dumps(document),
        "game": document["game"],
        "name1": one.name,
        "agent1": one.agent,
        "name2": two.name,
        "agent2": two.agent,
        "first": record.first,
        "moves": len(record.moves),
        "result": document["result"],
        "reason": str(record.reason),
        "changed": read_time(played).astimezone(UTC).isoformat(),
        "helped": helped,
        "imported": imported,
    }


def _identity(record: Record) -> str:
    """Return a text that all records of one match have in common, however many moves they hold."""
    document = to_json(record)
    common = [document[name] for name in ("game", "options", "players", "seed", "started")]
    return sha256(json.dumps(common, sort_keys=True).encode()).hexdigest()
