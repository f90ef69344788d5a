"""The store: what is kept of matches, in SQLite or PostgreSQL."""
