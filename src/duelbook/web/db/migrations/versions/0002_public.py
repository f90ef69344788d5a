"""Public matches: the column, and an index of those that are being played."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

BEGUN_IN_PUBLIC = sa.text("public AND started IS NOT NULL")


def upgrade() -> None:
    op.add_column("matches", sa.Column("public", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(
        "matches_public",
        "matches",
        ["reason", "touched"],
        sqlite_where=BEGUN_IN_PUBLIC,
        postgresql_where=BEGUN_IN_PUBLIC,
    )
