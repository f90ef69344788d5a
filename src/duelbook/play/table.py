"""A match that is being played: its people, its time, and what its players do in it.

A match at one keyboard (`local_table`), one that a service has (`remote_table`) and one that this process serves
(`web/match/served_match`) are three kinds of it.
"""

from collections.abc import Callable, Collection
from typing import Any, ClassVar

from duelbook.game import Player
from duelbook.match import Match
from duelbook.play.actions import RULES, ActionName, refusal


class Table:
    """A match with its people. What players do changes it here; nothing is worded, shown or kept."""

    is_remote: ClassVar[bool] = False  # the players are at different screens

    def __init__(self, match: Match, people: Collection[Player], time_limit: float | None) -> None:
        self.match = match
        self.people = people  # the seats that people have
        self.time_limit = time_limit  # seconds for each turn
        self.asking: Player | None = None  # the seat that asks to take moves back
        self._effects: dict[ActionName, Callable[[Player, Any], int | None]] = {
            "play": self._play,
            "undo": self._undo,
            "agree": self._agree,
            "decline": self._decline,
            "give": self._give,
            "resign": self._resign,
        }

    @property
    def turn_limit(self) -> float | None:
        """The seconds that the mover has for this turn."""
        return None if self.time_limit is None else self.time_limit + self.match.given_seconds

    def actions(self, seat: Player) -> list[ActionName]:
        """Return what the player on this seat may do now, without what would change nothing."""
        if self.match.over or seat not in self.people:
            return []
        in_vain = {"undo": self.asking == seat, "decline": self.asking is None}
        return [action for action in RULES if not in_vain.get(action) and not refusal(action, self, seat)]

    def undo_target(self, seat: Player) -> int | None:
        """Return the ply from which on moves are taken back if this player asks for that, or None.

        That is their own last choice; of two people at one keyboard, the last choice of either.
        """
        return self.match.last_choice([seat] if self.is_remote else self.people)

    def apply(self, action: ActionName, seat: Player, value: Any = None) -> int | None:
        """Carry out what the player on this seat does. It must be possible; an illegal move raises and changes nothing.

        Return the first ply that has changed, or None if the moves and the result are as before.
        """
        return self._effects[action](seat, value)

    # The effects of the actions

    def _play(self, seat: Player, value: Any) -> int | None:
        """Play a move. It ends the request to take moves back."""
        ply = len(self.match.moves)
        self.match.play(value)
        self.asking = None
        return ply

    def _undo(self, seat: Player, value: None) -> int | None:
        """Take back moves up to the last one that a person chose. Of two people, the other one has to agree."""
        target = self.undo_target(seat)
        assert target is not None
        if len(self.people) < 2:
            return self._take_back(target)
        self.asking = self.match.game.mover(self.match.states[target])
        return None

    def _agree(self, seat: Player, value: None) -> int | None:
        target = self.match.last_choice([1 - seat])
        assert target is not None
        return self._take_back(target)

    def _decline(self, seat: Player, value: None) -> int | None:
        self.asking = None
        return None

    def _take_back(self, ply: int) -> int | None:
        """Take back every move from this ply on."""
        self.match.undo_to(ply)
        self.asking = None
        return ply

    def _give(self, seat: Player, value: None) -> int | None:
        self.match.give_time()
        return None

    def _resign(self, seat: Player, value: None) -> int | None:
        self.match.resign(seat)
        return len(self.match.moves)
