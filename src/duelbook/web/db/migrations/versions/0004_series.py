"""Matches of several games: how many, which of them a match is, and the points before it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    for name in ("best_of", "game_number"):
        op.add_column("matches", sa.Column(name, sa.Integer(), server_default="1", nullable=False))
    for name in ("first_points", "second_points"):
        op.add_column("matches", sa.Column(name, sa.Float(), server_default="0", nullable=False))
