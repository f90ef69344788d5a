"""Clocks that stand still while the service looks for help that a player asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("matches", sa.Column("stopped_until", sa.Float()))
