"""The tables, their rows as values, and a change of a match.

The moves are the source of truth. Every other column either follows from them or cannot be computed from them.
"""

import json
from dataclasses import dataclass, field

from msgspec import Struct
from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

from duelbook.game import Outcome, Reason
from duelbook.records.record import HUMAN, Gift

metadata = MetaData()

# Queries must use exactly these texts, or the databases do not use the partial indexes.
IS_OPEN = text("open")
IS_DUE = text("due IS NOT NULL")


def _match() -> "Column[str]":
    return Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("dictionary", Text),  # the hash of the word list, for games that have one (WC-2)
    Column("seed", BigInteger, nullable=False),
    Column("time_limit", Float),
    Column("creator", Integer, nullable=False),  # the seat of the player who created the match
    Column("version", Integer, nullable=False),  # one higher with every change
    Column("ply", Integer, nullable=False),
    Column("outcome", Integer, nullable=False),
    Column("reason", String(20), nullable=False),
    Column("undo_by", Integer),  # the seat that asks to take back a move
    Column("last_action", String(10)),  # what made this version, if a player did something else than move
    Column("last_by", Integer),  # the seat of that player
    Column("rematch", String(24)),  # the id of the rematch
    Column("started", String(40)),
    Column("ended", String(40)),
    Column("turn_started", Float, nullable=False),  # on the clock of the service
    Column("agent_due", Boolean, nullable=False),  # it is an agent's turn
    Column("created", BigInteger, nullable=False),  # seconds since 1970
    Column("active_at", BigInteger, nullable=False),  # on the clock of the service, in whole minutes
    Column("public", Boolean, nullable=False),  # listed while it is played
    Column("due", Float),  # when an agent's turn began or a person's time is up, on the clock of the service
    Column("best_of", Integer, nullable=False),  # games in the series
    Column("game_number", Integer, nullable=False),  # in the series, from 1
    Column("first_points", Float, nullable=False),  # in the games of the series before this one
    Column("second_points", Float, nullable=False),
    Column("open", Boolean, nullable=False),  # a challenge to everybody, until it is taken
    Column("claim_by", Integer),  # the seat that waits for the absent mover to come back
    Column("claim_at", Float),  # when it may claim the win, on the clock of the service
    Column("given", Text),  # JSON: the number of each move for which time was given, and the seconds
    Column("stopped_until", Float),  # when the mover's clock, which stands still, runs again at the latest
    Index("matches_active", "reason", "active_at"),
    Index("matches_due", "agent_due", "due", "id", sqlite_where=IS_DUE, postgresql_where=IS_DUE),
    Index("matches_open", "id", sqlite_where=IS_OPEN, postgresql_where=IS_OPEN),
)

seats = Table(
    "seats",
    metadata,
    _match(),
    Column("seat", Integer, primary_key=True),
    Column("name", String(64)),
    Column("agent", Text, nullable=False),
    Column("token", String(64)),  # its SHA-256; NULL for a free seat and for an agent
    Column("choice", Text),
    Column("reserved", Boolean, nullable=False),  # for a player of the match before this rematch
    CheckConstraint("seat IN (0, 1)", name="seat_is_first_or_second"),
    sqlite_with_rowid=False,
)


def _move_columns() -> list["Column[object]"]:
    return [
        Column("move", Text, nullable=False),
        Column("seat", Integer, nullable=False),
        Column("key", String(64)),
        Column("seconds", Float, nullable=False),
        Column("hash", String(16), nullable=False),  # of the match up to this move
    ]


moves = Table(
    "moves",
    metadata,
    _match(),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    *_move_columns(),
    Column("version", Integer, nullable=False),  # the version of the match that this move made
    sqlite_with_rowid=False,
)

undone = Table(  # moves that were taken back: a late retry of one still gets its first answer
    "undone",
    metadata,
    _match(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    *_move_columns(),
    Index("undone_keys", "key"),  # SQLite does not choose an index that begins with the match
    sqlite_with_rowid=False,
)

uptime = Table(  # total seconds that the service has been up: the time that players' clocks count in
    "uptime",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seconds", Float, nullable=False),
)


# Rows are Structs: copying one with a few columns changed, and writing it as JSON, happens with every move.


class MatchRow(Struct, frozen=True, gc=False):
    id: str
    game: str
    options: str
    seed: int
    creator: int
    created: int
    active_at: int
    dictionary: str | None = None
    time_limit: float | None = None
    version: int = 1
    ply: int = 0
    outcome: int = Outcome.UNDECIDED
    reason: str = Reason.UNFINISHED
    undo_by: int | None = None
    last_action: str | None = None
    last_by: int | None = None
    rematch: str | None = None
    started: str | None = None
    ended: str | None = None
    turn_started: float = 0.0
    agent_due: bool = False
    public: bool = False
    due: float | None = None
    best_of: int = 1
    game_number: int = 1
    first_points: float = 0.0
    second_points: float = 0.0
    open: bool = False
    claim_by: int | None = None
    claim_at: float | None = None
    stopped_until: float | None = None
    given: str | None = None

    @property
    def gifts(self) -> tuple[Gift, ...]:
        """The time that was given, by turns."""
        return () if self.given is None else tuple(Gift(*gift) for gift in json.loads(self.given))

    @property
    def turn_limit(self) -> float | None:
        """The seconds that the mover has for this turn."""
        given = sum(gift.seconds for gift in self.gifts if gift.move == self.ply + 1)
        return None if self.time_limit is None else self.time_limit + given


class SeatRow(Struct, frozen=True, gc=False):
    match: str
    seat: int
    name: str | None = None
    agent: str = HUMAN
    token: str | None = None  # the hash of the token
    choice: str | None = None
    reserved: bool = False

    @property
    def is_agent(self) -> bool:
        return self.agent != HUMAN

    @property
    def is_taken(self) -> bool:
        return self.is_agent or self.token is not None


class MoveRow(Struct, frozen=True, gc=False):
    match: str
    ply: int
    move: str
    seat: int
    key: str | None
    seconds: float
    version: int
    hash: str


class Change(Struct, frozen=True):
    """One change of a match: the new row of the match, and the rows that are written with it."""

    match: MatchRow
    new: bool = False
    advances: bool = False  # only the version, the ply and the start of the turn are other than in the row before
    seats: tuple[SeatRow, ...] = ()  # both seats of a new match, or the seats that this change fills
    moves: tuple[MoveRow, ...] = ()
    undone: tuple[MoveRow, ...] = ()


@dataclass
class StoredMatch:
    """A match as the store holds it."""

    match: MatchRow
    seats: tuple[SeatRow, ...]
    moves: list[MoveRow] = field(default_factory=list)
    last_undone: int = 0  # the latest version of the moves that were taken back; 0 if there are none
