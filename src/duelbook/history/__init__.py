"""The history: every game that was played in the terminal, in one SQLite file. Nothing here prints."""
