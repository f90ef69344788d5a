"""The store: matches in an SQLite or PostgreSQL database."""
