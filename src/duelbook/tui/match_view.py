"""A match as it stands on the screen: the board, the moves, the clock, and help by hints and values."""

from collections.abc import Iterable
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from duelbook.game import Move
from duelbook.games import label, title
from duelbook.narration import AnyNarration
from duelbook.study.hints import HintStep, HintSteps
from duelbook.tui.dialogs import PageDialog
from duelbook.tui.live_match import LiveMatch
from duelbook.tui.match_values import Found, MatchValues
from duelbook.tui.position import HINTING, PositionScreen
from duelbook.tui.turn_clock import TurnClock
from duelbook.tui.window import plain


class MatchView(PositionScreen):
    """What is shown of a match. While the program looks for help, no clock runs (ALL-6)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3", "values", "Value", tooltip="show the value of every move, or hide it"),
    ]

    def __init__(self, live: LiveMatch) -> None:
        super().__init__()
        self.live = live
        self.values = MatchValues(shown=live.setup.show_values)
        self.clock = TurnClock(live.match, live.setup.time_limit)
        self._hints = HintSteps()

    def beside(self) -> Iterable[Widget]:
        yield plain("Moves", classes="heading")
        yield VerticalScroll(plain(name="move-list"), id="moves", can_focus=False)
        yield plain(name="value-text")

    def narration_and_state(self) -> tuple[AnyNarration, Any, list[Move]]:
        return self.live.narration, self.live.match.state, self.live.match.moves

    def redraw(self) -> None:
        live, match, values = self.live, self.live.match, self.values
        self.marks = values.marks
        turn = None if match.over else match.mover
        self.show_position(match.game, match.state, match.moves, live.near, turn, live.labels())
        self.show_message()
        self.show_title()
        self.say("move-list", live.move_list())
        self.query_one("#moves", VerticalScroll).scroll_end(animate=False)
        self.say("value-text", values.text)
        line, colours = self.query_one("#value-line", Static), self.app.theme_variables
        line.display = values.shown
        names = (live.seating.name(0), live.seating.name(1))
        line.update(values.line(len(match.moves), (colours["first"], colours["second"]), names))

    def show_message(self, now: str = "") -> None:
        if not self.live.match.over:
            super().show_message(now or (self.work.status() if self.work else ""))

    def show_title(self) -> None:
        match = self.live.match
        number = len(match.moves) + (not match.over)
        clock = "" if match.over else self.clock.text()
        self.say("title", f"{title(label(match.game))}  ·  move {number}  {clock}".rstrip())

    # Help

    def action_hint(self) -> None:
        if self.questions is None or self.is_at_work(HINTING, self.action_hint):
            return
        match = self.live.match
        self.clock.hold()
        self.start_work(HINTING, lambda: self._hints.next(match.game, match.state), self._take_hint)

    def _take_hint(self, step: HintStep) -> None:
        self.clock.release()
        self.live.note_help()
        self.show_hint(step)

    def action_values(self) -> None:
        self.values.shown = not self.values.shown
        if self.values.shown and self.questions:
            self.find_values()
        else:
            self.redraw()

    def find_values(self) -> None:
        self.clock.hold()
        self.start_work("Valuing the moves", self.values.finder(self.live.match), self._show_values)

    def _show_values(self, found: Found) -> None:
        self.clock.release()
        self.live.note_help()
        self.values.take(found)
        self.redraw()

    def action_moves(self) -> None:
        """Show the moves so far and the legal ones; in a wide window, the former are beside the board already."""
        self.app.push_screen(PageDialog(self.live.moves_text(self.values.text)))
