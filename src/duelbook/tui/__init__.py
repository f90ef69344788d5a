"""The full-screen interface (extra `tui`): the games, lessons, puzzles, reviews and history with mouse and keys."""
