"""Matches, their seats and moves, and the uptime of the service."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("dictionary", sa.Text()),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("time_limit", sa.Float()),
        sa.Column("creator", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("undo_by", sa.Integer()),
        sa.Column("rematch", sa.String(24)),
        sa.Column("started", sa.String(40)),
        sa.Column("ended", sa.String(40)),
        sa.Column("turn_started", sa.Float(), nullable=False),
        sa.Column("agent_due", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("touched", sa.BigInteger(), nullable=False),
    )
    op.create_index("matches_due", "matches", ["agent_due", "reason"])
    op.create_index("matches_timed", "matches", ["reason", "time_limit"])
    op.create_index("matches_touched", "matches", ["reason", "touched"])
    op.create_table(
        "seats",
        _match(),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(64)),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.Column("choice", sa.Text()),
        sa.Column("reserved", sa.Boolean(), nullable=False),
        sa.CheckConstraint("seat IN (0, 1)", name="seat_is_first_or_second"),
        sqlite_with_rowid=False,
    )
    op.create_table("moves", _match(), _number("ply"), *_move_columns(), _plain("version"), sqlite_with_rowid=False)
    op.create_table("undone", _match(), _number("version"), _number("ply"), *_move_columns(), sqlite_with_rowid=False)
    op.create_table("uptime", _number("id"), sa.Column("seconds", sa.Float(), nullable=False))


def _match() -> "sa.Column[str]":
    return sa.Column("match", sa.String(24), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True)


def _number(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), primary_key=True, autoincrement=False)


def _plain(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), nullable=False)


def _move_columns() -> list["sa.Column[object]"]:
    return [
        sa.Column("move", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64)),
        sa.Column("seconds", sa.Float(), nullable=False),
    ]
