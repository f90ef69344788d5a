"""Why the service does not do what was asked for. Each message is a sentence for a person."""

from duelbook.errors import RefusedError


class OnlineError(RefusedError):
    """The service cannot be used, or refuses a request."""


class UnreachableError(OnlineError):
    """No answer came. The same request may succeed later."""


class ProblemError(OnlineError):
    """The service refuses a request; `code` is the code of the problem, as docs/http-api.md lists it."""

    def __init__(self, code: str, detail: str, retry_after: float = 0.0) -> None:
        super().__init__(detail)
        self.code = code
        self.retry_after = retry_after  # seconds

    @property
    def is_temporary(self) -> bool:
        """True if the same request may succeed later."""
        return self.code in ("unavailable", "too-many", "too-slow")
