"""A store with matches of every kind, created by playing, and helpers for databases."""

import secrets
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from duelbook import GAMES
from duelbook.web.db.database import database_url, open_database
from duelbook.web.db.schema import version
from duelbook.web.db.tables import metadata
from tests.support.game_folders import short_variants
from tests.support.service.harness import Player, RunningServer

TABLES = list(metadata.tables.values())

Run = Callable[..., tuple[int, str, str]]  # runs `duelbook db`; returns its exit code, output and errors


def play_on(first: Player, second: Player, plies: int) -> None:
    seats = {player.seat: player for player in (first, second)}
    for _ in range(plies):
        view = first.view()
        if view["status"] == "over":
            return
        answer = seats[view["mover"]].play(view["ply"], view["legal"][0], key=secrets.token_hex(8))
        assert answer.status_code == 200, answer.text


def play_all_kinds(server: RunningServer) -> dict[str, tuple[Player, Player]]:
    """Play matches of every kind; return their players by kind."""
    pairs = {game: server.new_pair(game, name="Red", options=short_variants(game)[0]) for game in GAMES}
    for pair in pairs.values():
        play_on(*pair, 3)
    for kind in ("over", "resigned", "undone", "asked"):
        pairs[kind] = server.new_pair()
        play_on(*pairs[kind], 99 if kind == "over" else 4)
    pairs["resigned"][0].act("resign")
    for player, action in zip(pairs["undone"], ("undo", "agree"), strict=True):
        player.act(action)
    pairs["asked"][0].act("undo")
    pairs["timed"] = server.new_pair(time_limit=3600, public=True)
    play_on(*pairs["timed"], 2)
    pairs["late"] = server.new_pair(time_limit=0.1)
    for player in pairs["over"]:
        player.post("rematch")
    pairs["series"] = server.new_pair(best_of=2)
    pairs["series"][1].act("resign")
    for player in pairs["series"]:
        player.post("rematch")
    pairs["warned"] = server.new_pair()
    pairs["warned"][1].act("claim")
    offered = server.new_match(open=True)
    pairs["open"] = (offered, offered)
    alone = server.new_match("word-clash", seat="second")
    pairs["waiting"] = (alone, alone)
    computer = server.new_match("charge", "greedy")
    computer.play(0, "charge 5")
    computer.until(2)
    computer.act("undo")
    computer.play(0, "charge 4")
    computer.until(2)
    pairs["computer"] = (computer, computer)
    pairs["late"][0].until(99)  # its time runs out
    return pairs


def contents(url: str) -> dict[str, set[tuple[Any, ...]]]:
    with open_database(database_url(url)) as connection:
        return {table.name: {tuple(row) for row in connection.execute(select(table))} for table in TABLES}


def execute(url: str, *statements: str) -> None:
    with open_database(database_url(url), writing=True) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET session_replication_role = replica"))
        for statement in statements:
            connection.execute(text(statement))


def multiply_matches(file: Path, times: int) -> None:
    """Add that many copies of every match in the file, with other ids."""
    with closing(sqlite3.connect(file)) as connection, connection:
        names: Sequence[str] = [str(row[1]) for row in connection.execute("PRAGMA table_info(matches)")]
        rest = ", ".join(name for name in names if name != "id")
        ids = "substr(id, 1, 18) || printf('%06d', n)"
        numbers = f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {times})"
        for table in ("seats", "moves", "undone"):
            columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
            others = ", ".join(f'"{name}"' for name in columns if name != "match")
            connection.execute(
                f'INSERT INTO {table} ("match", {others}) {numbers} '
                f"SELECT {ids.replace('id', chr(34) + 'match' + chr(34))}, {others} FROM {table}, numbers"
            )
        connection.execute(f"INSERT INTO matches (id, {rest}) {numbers} SELECT {ids}, {rest} FROM matches, numbers")


class Stock:
    """A file with matches of every kind, and their players."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "stock.sqlite"
        server = RunningServer(folder, {"database_url": self.url}).start()
        self.pairs = play_all_kinds(server)
        server.stop()

    @property
    def url(self) -> str:
        return f"sqlite:///{self.file}"

    def match(self, kind: str) -> str:
        return self.pairs[kind][0].match

    def copy_to(self, folder: Path) -> str:
        shutil.copy(self.file, folder / "copy.sqlite")
        return f"sqlite:///{folder / 'copy.sqlite'}"


def has_no_rows(url: str) -> bool:
    with open_database(database_url(url)) as connection:
        if version(connection) is None:
            return True
    return not any(contents(url).values())
