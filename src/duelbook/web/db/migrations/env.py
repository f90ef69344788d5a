"""The script that Alembic runs: it applies the migrations on the connection it is given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
