"""The screen of a match: people and computers take turns on it, and what can be done after the end is offered on it."""

import shlex
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from duelbook.agents import Forfeit, turn_report
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.game import Move
from duelbook.games import label, title
from duelbook.narration import AnyNarration
from duelbook.options import pairs_text, write_options
from duelbook.records import save_record
from duelbook.records.file import check_new
from duelbook.records.record import Note, only_person
from duelbook.study.decision import decision_text
from duelbook.study.hints import HintSteps
from duelbook.terminal.after_game import NextStep, offered_steps, own_result
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.next_match import following
from duelbook.terminal.setup import connect_models, solve_for
from duelbook.text import plural, sanitize
from duelbook.text_board import TOKENS
from duelbook.tui.ending import EndingPanel
from duelbook.tui.live_match import LiveMatch
from duelbook.tui.position import PositionScreen
from duelbook.tui.questions import MoveQuestions
from duelbook.tui.review import ReviewScreen
from duelbook.tui.screens import Confirmation, Page, plain
from duelbook.tui.turn_clock import TurnClock
from duelbook.tui.values import PositionValues, Worth, value_line, values_of, worth_text

TICK_SECONDS = 0.25


class MatchScreen(PositionScreen):
    """One match, from its first move to what comes after it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3", "values", "Values"),
        Binding("f4", "undo", "Undo"),
        Binding("f6", "resign", "Resign"),
        Binding("escape", "leave", "Leave"),
    ]
    watch_seconds: ClassVar[float] = 0.7  # between the moves of two computers

    def __init__(self, live: LiveMatch, arguments: PlayArguments, opening: str = "") -> None:
        super().__init__()
        self.live, self._arguments = live, arguments
        self._said = opening or live.greeting()
        self._problem = ""  # with keeping the match
        self._hints = HintSteps()
        self._shows_values = live.setup.show_values
        self._values: PositionValues | None = None
        self._worths: dict[int, Worth | None] = {}  # by the number of moves before
        self._clock = TurnClock(live.match, live.setup.time_limit)

    def beside(self) -> ComposeResult:
        yield plain("Moves", classes="heading")
        with VerticalScroll(id="moves", can_focus=False):
            yield plain(name="move-list")
        yield plain(name="value-text")

    def content(self) -> ComposeResult:
        yield from super().content()
        yield EndingPanel(id="ending")

    def on_mount(self) -> None:
        self.board.focus()
        self.set_interval(TICK_SECONDS, self._tick)
        self.redraw()
        live = self.live
        if not any(live.setup.agents) and not self._shows_values:
            self._next()
            return

        def prepare() -> bool:
            connect_models(live.setup)
            return solve_for(live.match.game, live.setup.people, self._shows_values)

        self.start_work("Preparing the game", prepare, self._prepared)

    def on_unmount(self) -> None:
        if self.work:
            self.work.stop()  # before the agent that it may wait for
        self.live.close()

    def _prepared(self, is_exact: bool) -> None:
        if not is_exact:
            self._said = "This game is too large to be solved: levels play by search, and values are estimates."
        self._next()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what can only be done while the match goes on."""
        return not (self.live.match.over and action in ("hint", "values", "undo", "resign"))

    # Turns

    def narration_and_state(self) -> tuple[AnyNarration, Any, list[Move]]:
        return self.live.narration, self.live.match.state, self.live.match.moves

    def _next(self) -> None:
        """Go on: with the end, a forced pass, the computer's move, or the question to a person."""
        live, match = self.live, self.live.match
        self._values, self.marks = None, {}
        self._clock.start()
        if match.over:
            self._finish()
            return
        agent = live.agent()
        if agent is not None or live.forced() is not None:
            self.questions = None
            self.redraw()
            is_watched = not any(live.seating.humans) and match.moves
            self.set_timer(self.watch_seconds if is_watched else 0.01, self._computer_move)
            return
        self._ask()
        if self._shows_values:
            self._find_values()

    def _ask(self) -> None:
        self.questions = MoveQuestions(self.live.narration, self.live.match.state)
        self.redraw()
        self.board.focus()

    def _computer_move(self) -> None:
        live = self.live
        if live.match.over or self.questions or self.work or not self.is_attached:
            return
        forced, agent = live.forced(), live.agent()
        if forced is not None:
            self.play_move(forced)
        elif agent is not None:
            seen = live.snapshot()
            name = live.seating.name(live.match.mover)
            self.start_work(f"{name} is thinking", lambda: agent.choose(seen), self._play_agent_move)

    def _play_agent_move(self, move: Move) -> None:
        agent = self.live.agent()
        assert agent is not None
        self._clock.correct(turn_report(agent).seconds)
        self.play_move(move, turn_report(agent).note)

    def play_move(self, move: Move, note: Note | None = None) -> None:
        if self._clock.is_up():
            self._run_out_of_time()
            return
        self._said = self.live.play(move)
        if note:
            self.live.match.add_note(note)
        self._keep()
        self._next()

    def failed(self, error: Exception) -> None:
        """An agent that does not move loses. What else goes wrong is told, and the match goes on or waits."""
        self._clock.release()
        if isinstance(error, Forfeit):
            self._said = str(error)
            self.live.match.forfeit()
            self._keep()
            self._next()
            return
        super().failed(error)
        if self.questions is None and not self.live.match.over:
            self.leave()  # the computer cannot go on; the match is kept
        else:
            self.redraw()

    def _keep(self) -> None:
        self._problem = self.live.keep()
        if self._problem:
            self.notify(sanitize(self._problem), severity="warning", markup=False, timeout=10)

    # What is shown

    def redraw(self) -> None:
        live, match = self.live, self.live.match
        self.marks = self._values.marks if self._values and self._shows_values else {}
        turn = None if match.over else match.mover
        self.show_position(match.game, match.state, match.moves, live.near, turn, live.labels())
        self.show_message()
        self._show_title()
        self._show_moves()
        self._show_value_line()

    def show_message(self) -> None:
        if not self.live.match.over:
            self.say("message", self.work.text if self.work else self._said)

    def show_busy(self, text: str) -> None:
        if self.is_mounted:
            self.say("message", f"{text} …" if text else self._said)

    def _show_title(self) -> None:
        match = self.live.match
        number = len(match.moves) + (not match.over)
        clock = "" if match.over else self._clock.text()
        self.say("title", f"{title(label(match.game))}  ·  move {number}  {clock}".rstrip())

    def _show_moves(self) -> None:
        match, lines = self.live.match, []
        for number, (state, move) in enumerate(zip(match.states, match.moves, strict=False), 1):
            lines.append(f"{number:>3} {TOKENS[match.game.mover(state)]} {match.game.move_name(state, move)}")
        self.say("move-list", "\n".join(lines))
        self.query_one("#moves", VerticalScroll).scroll_end(animate=False)

    def _show_value_line(self) -> None:
        line, text = self.query_one("#value-line", Static), self._values.text if self._values else ""
        line.display = self._shows_values
        self.say("value-text", text if self._shows_values else "")
        if not self._shows_values:
            return
        plies = len(self.live.match.moves)
        variables = self.app.theme_variables
        worths = [self._worths.get(ply) for ply in range(plies + 1)]
        drawn = value_line(worths[-40:], (variables["first"], variables["second"]))
        names = (self.live.seating.name(0), self.live.seating.name(1))
        line.update(Text.assemble("Value ", drawn, f"  {worth_text(self._worths.get(plies), names)}"))

    # The clock

    def _tick(self) -> None:
        if self.live.match.over:
            return
        if self._clock.is_up():
            self._run_out_of_time()
        else:
            self._show_title()

    def _run_out_of_time(self) -> None:
        if isinstance(self.app.screen, Confirmation):  # whether to resign: that does not stop the clock
            self.app.screen.dismiss(False)
        self.stop_work()
        self.questions = None
        self.live.match.run_out_of_time()
        self._keep()
        self._next()

    # Help

    def action_hint(self) -> None:
        if self.questions is None:
            return
        match = self.live.match
        self._clock.hold()
        self.start_work("Looking for the best move", lambda: self._hints.next(match.game, match.state), self._show_hint)

    def _show_hint(self, step: Any) -> None:
        self._clock.release()
        self.live.note_help()
        self._said = f"{step.text} {step.note.replace('Type hint', 'Press F2')}".rstrip()
        self.show_message()

    def action_values(self) -> None:
        self._shows_values = not self._shows_values
        if self._shows_values and self.questions:
            self._find_values()
        else:
            self.redraw()

    def _find_values(self) -> None:
        game, states, known = self.live.match.game, list(self.live.match.states), dict(self._worths)
        self._clock.hold()
        self.start_work("Valuing the moves", lambda: values_of(game, states, known), self._show_values)

    def _show_values(self, found: tuple[PositionValues, dict[int, Worth | None]]) -> None:
        self._clock.release()
        self.live.note_help()
        self._values, self._worths = found
        self.redraw()

    def action_moves(self) -> None:
        """Show the moves so far and the legal ones; in a wide window, the former are beside the board already."""
        live = self.live
        played = str(self.query_one("#move-list", Static).content)
        legal = live.narration.legal(live.match.state) if not live.match.over else "The game is over."
        options = pairs_text(live.match.game, write_options(live.match.game))
        values = f"\n\n{self._values.text}" if self._values and self._shows_values else ""
        self.app.push_screen(Page(f"{legal}{values}\n\nPlayed so far:\n{played or '  nothing'}\n\nOptions: {options}"))

    # Taking back, resigning and leaving

    def action_undo(self) -> None:
        """Take back the last answer of this turn, or moves up to the last one that a person chose."""
        if self.questions and self.questions.take_back():
            self.redraw()
            return
        target = self.live.undo_target()
        if target is None or self.live.match.over:
            self._said = "You have no move to take back."
            self.show_message()
            return
        question = self.live.undo_question(target)
        if question:
            self._ask_opponent(question, target)
        else:
            self._undo_to(target)

    def _undo_to(self, ply: int) -> None:
        if self.work:
            self.stop_work()
            self.live.renew_agents()
        self.live.match.undo_to(ply)
        self._worths = {number: worth for number, worth in self._worths.items() if number <= ply}
        self._said = "Taken back."
        self._keep()
        self._next()

    def action_resign(self) -> None:
        if not self.live.match.over and any(self.live.seating.humans):
            name = self.live.seating.name(self.live.resigning())
            self.app.push_screen(Confirmation(f"{name}, do you want to resign?"), self._resign)

    def _resign(self, yes: bool | None) -> None:
        if not yes or self.live.match.over:
            return
        self.stop_work()
        self.live.match.resign(self.live.resigning())
        self._keep()
        self._next()

    def _ask_opponent(self, question: str, ply: int) -> None:
        """Ask whether the moves from this ply on may be taken back; meanwhile no clock runs."""
        self._clock.hold()

        def answered(yes: bool | None) -> None:
            self._clock.release()
            if yes:
                self._undo_to(ply)
            else:
                self._said = "Not taken back."
                self.show_message()

        self.app.push_screen(Confirmation(question), answered)

    def leave(self) -> None:
        self.stop_work()
        self.app.pop_screen()

    def save(self, file: str) -> None:
        """Save the match as a record, to a new file."""
        try:
            if not file:
                raise RefusedError("Name the file to save to: save FILE")
            path = full_path(file)
            check_new(path)
            save_record(self.live.record(), path)
        except RefusedError as error:
            self._said = str(error)
        else:
            self._said = f"Saved. Resume it later with: duelbook play --resume {shlex.quote(str(path))}"
        self.show_message()

    # After the end

    def _finish(self) -> None:
        self.questions = None
        self._shows_values = False
        self.redraw()
        self.refresh_bindings()
        for name in ("message", "asked", "value-line"):
            self.query_one(f"#{name}").display = False
        self.live.tell_result()
        ending, record = self.query_one(EndingPanel), self.live.record()
        own, moves = own_result(record, only_person(record.people)), plural(len(record.moves), "move")
        result = f"{own}{self.live.ending()} ({moves})"
        ending.show(result, offered_steps(self.live.setup))
        self.start_work("Looking for what decided the game", lambda: decision_text(record), ending.decided)

    def on_ending_panel_chosen(self, event: EndingPanel.Chosen) -> None:
        if event.step is NextStep.MENU:
            self.leave()
        elif event.step is NextStep.REVIEW:
            self.app.push_screen(ReviewScreen(self.live.record()))
        else:
            from duelbook.tui.starting import start_match  # which starts such a screen

            changed = following(self._arguments, self.live.setup, self.live.match.game, event.step)
            try:
                start_match(self.app, changed, replacing=self)
            except RefusedError as error:  # for example, the game is too large for the perfect agent
                self.failed(error)
