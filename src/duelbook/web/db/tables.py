"""The tables. Moves are the truth; what else is kept of a match follows from them or cannot be computed."""

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
    false,
    text,
)

metadata = MetaData()

# Asked for in the words of the index, or it is not used.
BEGUN_IN_PUBLIC = text("public AND started IS NOT NULL")


def _match() -> "Column[str]":
    return Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("dictionary", Text),  # the hash of the word list, where there is one (WC-2)
    Column("seed", BigInteger, nullable=False),
    Column("time_limit", Float),
    Column("creator", Integer, nullable=False),  # the seat of who made the match
    Column("version", Integer, nullable=False),  # counts the changes
    Column("ply", Integer, nullable=False),
    Column("outcome", Integer, nullable=False),
    Column("reason", String(20), nullable=False),
    Column("undo_by", Integer),  # the seat that asks to take back
    Column("rematch", String(24)),  # the match that follows
    Column("started", String(40)),
    Column("ended", String(40)),
    Column("turn_started", Float, nullable=False),  # on the clock of the service
    Column("agent_due", Boolean, nullable=False),  # a computer has to move
    Column("created", BigInteger, nullable=False),  # seconds since 1970
    Column("touched", BigInteger, nullable=False),
    Column("public", Boolean, nullable=False, server_default=false()),  # for everybody to find
    Index("matches_touched", "reason", "touched"),
    Index("matches_due", "agent_due", "reason"),
    Index("matches_timed", "reason", "time_limit"),
    Index("matches_public", "reason", "touched", sqlite_where=BEGUN_IN_PUBLIC, postgresql_where=BEGUN_IN_PUBLIC),
)

seats = Table(
    "seats",
    metadata,
    _match(),
    Column("seat", Integer, primary_key=True),
    Column("name", String(64)),
    Column("agent", Text, nullable=False),
    Column("token", String(64)),  # the SHA-256 of it; none while nobody sits there, or an agent
    Column("choice", Text),
    Column("reserved", Boolean, nullable=False),  # for the person of the match before
    CheckConstraint("seat IN (0, 1)", name="seat_is_first_or_second"),
    sqlite_with_rowid=False,
)


def _move_columns() -> list["Column[object]"]:
    return [
        Column("move", Text, nullable=False),
        Column("seat", Integer, nullable=False),
        Column("key", String(64)),
        Column("seconds", Float, nullable=False),
    ]


moves = Table(
    "moves",
    metadata,
    _match(),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    *_move_columns(),
    Column("version", Integer, nullable=False),  # the match's with this move
    sqlite_with_rowid=False,
)

undone = Table(  # moves that were taken back: a late retry of one still gets its first answer
    "undone",
    metadata,
    _match(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    *_move_columns(),
    sqlite_with_rowid=False,
)

uptime = Table(  # how long the service has been up in all, which is what clocks go by
    "uptime",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seconds", Float, nullable=False),
)
