"""Play, replay and study games in a terminal, line by line."""
