"""Play and replay in a terminal, line by line."""
