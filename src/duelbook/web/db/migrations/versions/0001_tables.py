"""Every table as declared in `tables`. Until a release, a new column or table is declared there and nowhere else."""

from alembic import op

from duelbook.web.db.tables import metadata

revision = "0001"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)
