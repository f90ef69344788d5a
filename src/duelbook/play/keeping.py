"""Keep a match in the history while it is played. If that fails, one sentence says so, and play goes on."""

from contextlib import suppress
from typing import TYPE_CHECKING

from duelbook.errors import RefusedError
from duelbook.game import Reason
from duelbook.records.record import Record

if TYPE_CHECKING:
    from duelbook.history.store import Slot  # which loads SQLite: not needed before the first move


class GameKeeper:
    """Keeps one match. It has no number before its first move, unless it is resumed."""

    def __init__(self, slot: "Slot | None" = None, *, helped: bool = False, imported: bool = False) -> None:
        self.helped = helped  # values or hints were shown
        self.up_to_date = slot is not None  # True if the history holds what was played
        self._slot = slot
        self._imported = imported
        self._problem = ""  # the sentence that was shown last

    @property
    def number(self) -> int | None:
        """The number of the match in the history, or None if it is not there."""
        return self._slot.number if self._slot else None

    def keep(self, record: Record) -> str:
        """Keep the match as it is now. Return a sentence for the player if something is wrong, or else nothing."""
        if not record.moves and record.reason is Reason.UNFINISHED and self._slot is None:
            return ""
        from duelbook.history.store import History

        before = self.number
        try:
            self._slot = History().keep(self._slot, record, helped=self.helped, imported=self._imported)
        except RefusedError as error:
            self.up_to_date = False
            what = "This game is not kept." if before is None else "What is played now is not kept."
            said, self._problem = self._problem, f"{what} {error}"
            return "" if said == self._problem else self._problem
        self.up_to_date, self._problem = True, ""
        if before in (None, self.number):
            return ""
        return f"Game {before} was continued or removed in another terminal. This one is kept as game {self.number}."

    def discard(self) -> None:
        """Remove the match, of which every move was taken back, from the history."""
        if self._slot is None:
            return
        from duelbook.history.store import History

        with suppress(RefusedError):
            History().discard(self._slot)
            self._slot = None


def keeper_of(record: Record, otherwise: GameKeeper | None = None) -> GameKeeper:
    """Return the keeper of a match that may be in the history already. If it is not, it counts as imported."""
    from duelbook.history.store import History

    try:
        history = History()
        for slot, known in history.find(record):
            if known == record:
                game = history.game(slot.number)
                return GameKeeper(slot, helped=game.helped, imported=game.imported)
    except RefusedError:  # the first move says so
        pass
    return otherwise or GameKeeper(imported=True)
