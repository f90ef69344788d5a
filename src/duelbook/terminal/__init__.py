"""Play, replay and study games in a terminal, line by line."""

EXIT_FINISHED, EXIT_UNFINISHED, EXIT_USAGE, EXIT_BUG, EXIT_INTERRUPTED = 0, 1, 2, 70, 130
EXIT_FAILED = 1  # a check did not pass
