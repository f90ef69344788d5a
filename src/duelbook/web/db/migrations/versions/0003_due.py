"""When a match is due, its last activity on the clock of the service, and the keys of moves that were taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

IS_DUE = sa.text("due IS NOT NULL")
IS_PUBLIC = sa.text("public AND started IS NOT NULL")


def upgrade() -> None:
    op.add_column("matches", sa.Column("due", sa.Float()))
    op.execute(
        "UPDATE matches SET due = CASE WHEN agent_due THEN turn_started ELSE turn_started + time_limit END "
        "WHERE reason = 'unfinished' AND started IS NOT NULL"
    )
    # `touched` was the time of day, which may be wrong. Every match now counts as active at the time of the upgrade.
    # The new name makes a process of an older version fail if one still runs: to it, every match would be years old.
    for name in ("matches_touched", "matches_public"):
        op.drop_index(name, "matches")
    op.execute("ALTER TABLE matches RENAME COLUMN touched TO active_at")
    columns = ["reason", "active_at"]
    op.create_index("matches_active", "matches", columns)
    # SQLite prefers the index that was created last.
    op.create_index("matches_public", "matches", columns, sqlite_where=IS_PUBLIC, postgresql_where=IS_PUBLIC)
    op.execute(
        "UPDATE matches SET active_at = COALESCE((SELECT CAST(max(seconds) AS BIGINT) / 60 * 60 FROM uptime), 0)"
    )
    op.drop_index("matches_due", "matches")
    op.drop_index("matches_timed", "matches")
    op.create_index("matches_due", "matches", ["agent_due", "due", "id"], sqlite_where=IS_DUE, postgresql_where=IS_DUE)
    op.create_index("undone_keys", "undone", ["key"])
