"""The errors of the store."""

UNREACHABLE = "The service cannot reach its database now. Try again in a moment."
NO_ANSWER = "The database did not answer in time. Try again in a moment."
TOO_BUSY = "The service has more to store than it can at the moment. Try again in a moment."
NO_SPACE = "The service has no space left to store anything."
FULL_MESSAGES = ("disk is full", "No space left")  # of SQLite, and of PostgreSQL and the system


class ConflictError(Exception):
    """Another process changed the match first; nothing was written."""


class StoreUnavailableError(Exception):
    """The database cannot be used now. Whether a change was written is unknown. `detail` is a sentence for clients."""

    def __init__(self, reason: str, detail: str = UNREACHABLE) -> None:
        super().__init__(reason)
        self.detail = NO_SPACE if any(words in reason for words in FULL_MESSAGES) else detail


def error_reason(error: BaseException) -> str:
    """Return the first line of the error message, without a full stop."""
    message = str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error)
    return message.strip().split("\n")[0].rstrip(".")
