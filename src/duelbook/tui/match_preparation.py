"""A match before its first turn: its game is solved, if somebody needs that, unless the person plays on without it."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from duelbook.play.setup import connect_models, is_solution_required, solve_for
from duelbook.solve import remember_too_large
from duelbook.tui.match_view import MatchView
from duelbook.tui.work import Work

SOLVING = "Solving the game"
PLAY_ON = "Press F8 to play on without the solution."
NOT_SOLVED = "This game is not solved: levels play by search, and values are estimates."


class MatchPreparation(MatchView):
    """What is done before the first turn, and the answer to keys that are pressed meanwhile."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f8", "play_on", show=False, tooltip="play on without the solution"),
    ]

    def next_turn(self) -> None:
        """Go on with the match."""
        raise NotImplementedError

    def prepare(self) -> None:
        """Prepare the match for its agents and for values, and then begin. Meanwhile no clock runs (ALL-6)."""
        setup = self.live.setup
        self.clock.hold()
        if any(setup.agents) or self.values.shown:
            self.start_work("Preparing the game", lambda: connect_models(setup), self._solve)
        else:
            self.next_turn()

    def _solve(self, _: None) -> None:
        game, people, shown = self.live.match.game, self.live.setup.people, self.values.shown
        note = "" if is_solution_required(people) else PLAY_ON
        self.start_work(SOLVING, lambda: solve_for(game, people, shown), self._solved, note)

    def _solved(self, is_exact: bool) -> None:
        self._begin("" if is_exact else NOT_SOLVED)

    def action_play_on(self) -> None:
        """Stop solving the game, and play as if it were too large for that."""
        self.stop_work()
        remember_too_large(self.live.match.game)
        self._begin(f"Stopped. {NOT_SOLVED}")

    def _begin(self, said: str) -> None:
        self.said = said or self.said
        self.tell("")
        self.next_turn()

    # Keys while the game is being solved

    @property
    def _solving(self) -> Work | None:
        return self.work if self.work and self.work.text == SOLVING else None

    def must_wait(self) -> bool:
        """Return True while the game is being solved, after saying so."""
        if self._solving:
            self.tell(f"The game is being solved. {self._solving.note or 'Press Esc to go back.'}")
        return self._solving is not None

    def on_key(self, event: events.Key) -> None:
        """Say that the game is being solved when a key is pressed that is for the board, or for nothing."""
        bound = self.active_bindings.get(event.key)
        if bound is None or bound.node is self.board:
            self.must_wait()

    def action_hint(self) -> None:
        if not self.must_wait():
            super().action_hint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for playing on where that is not possible."""
        if action == "play_on":
            return bool(self._solving and self._solving.note)
        return super().check_action(action, parameters)
