"""Play, replay and study games in a terminal, line by line."""

FINISHED, LEFT, WRONG_USAGE, FAULT, INTERRUPTED = 0, 1, 2, 70, 130  # exit codes
