"""Open challenges, and claims against players who stay away. Public matches are found by who is present."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

IS_OPEN = sa.text("open")


def upgrade() -> None:
    op.add_column("matches", sa.Column("open", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("matches", sa.Column("claim_by", sa.Integer()))
    op.add_column("matches", sa.Column("claim_at", sa.Float()))
    op.drop_index("matches_public", "matches")
    op.create_index("matches_open", "matches", ["id"], sqlite_where=IS_OPEN, postgresql_where=IS_OPEN)
