"""The clock of a turn, which stands still while the other player is asked and while the program works (ALL-6)."""

from duelbook.match import Match
from duelbook.text import clock_text


class TurnClock:
    """The time of the player whose turn it is. Without a limit it shows nothing and never ends."""

    def __init__(self, match: Match, limit: float | None) -> None:
        self._match, self._limit = match, limit
        self._spent: float | None = None  # on a turn whose clock stands still

    def start(self) -> None:
        """Begin a new turn."""
        self._spent = None
        self._match.start_turn()

    def hold(self) -> None:
        if self._spent is None:
            self._spent = self._match.turn_seconds()

    def release(self) -> None:
        if self._spent is not None:
            self._match.start_turn(self._spent)
            self._spent = None

    def correct(self, seconds: float | None) -> None:
        """Count only these seconds of the turn, if an agent says so."""
        if seconds is not None:
            self._match.start_turn(seconds)

    def is_up(self) -> bool:
        """Return True if the time has run out."""
        return self._limit is not None and self._spent is None and self._match.turn_seconds() > self._limit

    def text(self) -> str:
        """Return the time that is left, as `[0:25]`, or an empty text."""
        if self._limit is None:
            return ""
        return clock_text(self._limit - (self._match.turn_seconds() if self._spent is None else self._spent))
