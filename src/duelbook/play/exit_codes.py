"""How the program ends: the exit codes of its commands and front ends."""

from duelbook.errors import RefusedError

EXIT_FINISHED, EXIT_UNFINISHED, EXIT_USAGE, EXIT_BUG, EXIT_INTERRUPTED = 0, 1, 2, 70, 130
EXIT_LEFT = 0  # a person left a game: that is no error
EXIT_FAILED = 1  # a check did not pass


class StoppedGameError(RefusedError):
    """A match could not go on; it is not the command line that was wrong."""
