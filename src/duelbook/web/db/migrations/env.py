"""The script that Alembic runs: it applies the migrations on the connection it is given."""

from alembic import context

from duelbook.web.db.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
