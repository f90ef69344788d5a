"""The screen of a match: people and computers take turns on it, and what can be done after the end is offered on it."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from duelbook.agents import Forfeit, chosen_move, turn_report
from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import SAVE
from duelbook.play.next_match import NextStep, following, offered_steps, own_result
from duelbook.records.record import Note, only_person
from duelbook.study.decision import decision_text
from duelbook.text import plural
from duelbook.tui.dialogs import Confirmation
from duelbook.tui.ending import EndingPanel
from duelbook.tui.live_match import LiveMatch
from duelbook.tui.match_preparation import MatchPreparation
from duelbook.tui.review import ReviewScreen
from duelbook.tui.screens import problem_text

TICK_SECONDS = 0.25


class MatchScreen(MatchPreparation):
    """One match, from its first move to what comes after it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f4", "undo", "Undo", tooltip="take back your last move; another person is asked first"),
        Binding("f6", "resign", "Resign", tooltip="give up, after asking"),
        Binding("escape", "leave", "Back", tooltip="go back; you can continue a match that is not over"),
    ]
    watch_seconds: ClassVar[float] = 0.7  # between the moves of two computers

    def __init__(self, live: LiveMatch, arguments: PlayArguments, opening: str = "") -> None:
        super().__init__(live)
        self._arguments = arguments
        self.said = opening or live.greeting()

    def content(self) -> ComposeResult:
        yield from super().content()
        yield EndingPanel(id="ending")

    def on_mount(self) -> None:
        self.board.focus()
        self.set_interval(TICK_SECONDS, self._tick)
        self.redraw()
        self.prepare()

    def on_unmount(self) -> None:
        if self.work:
            self.work.stop()  # before the agent that it may wait for
        self.live.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what can only be done while the match goes on."""
        if self.live.match.over and action in ("hint", "values", "undo", "resign"):
            return False
        return super().check_action(action, parameters)

    # Turns

    def next_turn(self) -> None:
        """Go on: with the end, a forced pass, the computer's move, or the question to a person."""
        live, match = self.live, self.live.match
        self.values.begin_turn()
        self.clock.start()
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
        if self.values.shown:
            self.find_values()

    def _ask(self) -> None:
        self.ask()
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
            seen, name = live.snapshot(), live.agent_name()
            player = live.seating.name(live.match.mover)
            self.start_work(f"{player} is thinking", lambda: chosen_move(agent, name, seen), self._play_agent_move)

    def _play_agent_move(self, move: Move) -> None:
        agent = self.live.agent()
        assert agent is not None
        self.clock.correct(turn_report(agent).seconds)
        self.play_move(move, turn_report(agent).note)

    def play_move(self, move: Move, note: Note | None = None) -> None:
        if self.clock.is_up():
            self._run_out_of_time()
            return
        self.said = self.live.play(move)
        if note:
            self.live.match.add_note(note)
        self._keep()
        self.next_turn()

    def failed(self, error: Exception) -> None:
        """An agent that does not move loses. What else goes wrong is told, and the match goes on or waits."""
        self.clock.release()
        if isinstance(error, Forfeit):
            self.said = str(error)
            self.live.match.forfeit()
            self._keep()
            self.next_turn()
            return
        if self.questions is None and not self.live.match.over:
            self.stop_work()
            self.leave_telling(problem_text(error))  # the computer cannot go on; the match is kept
            return
        super().failed(error)
        self.redraw()

    def _keep(self) -> None:
        if problem := self.live.keep():
            self.tell(problem)

    # The clock

    def _tick(self) -> None:
        if self.live.match.over:
            return
        if self.clock.is_up():
            self._run_out_of_time()
        else:
            self.show_title()

    def _run_out_of_time(self) -> None:
        if isinstance(self.app.screen, Confirmation):  # whether to resign: that does not stop the clock
            self.app.screen.dismiss(False)
        self.stop_work()
        self.questions = None
        self.live.match.run_out_of_time()
        self._keep()
        self.next_turn()

    def commands(self) -> dict[str, Callable[[], None]]:
        own = {"values": self.action_values, SAVE: lambda: self.save(""), "resign": self.action_resign}
        return super().commands() | own

    # Taking back, resigning and leaving

    def action_undo(self) -> None:
        """Take back the last answer of this turn, or moves up to the last one that a person chose."""
        if self.must_wait():
            return
        if self.questions and self.questions.take_back():
            self.redraw()
            return
        target = self.live.undo_target()
        if target is None or self.live.match.over:
            self.said = "You have no move to take back."
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
        self.values.take_back_to(ply)
        self.said = "Taken back."
        self._keep()
        self.next_turn()

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
        self.next_turn()

    def _ask_opponent(self, question: str, ply: int) -> None:
        """Ask whether the moves from this ply on may be taken back; meanwhile no clock runs."""
        self.clock.hold()

        def answered(yes: bool | None) -> None:
            self.clock.release()
            if yes:
                self._undo_to(ply)
            else:
                self.said = "Not taken back."
                self.show_message()

        self.app.push_screen(Confirmation(question), answered)

    def leave(self) -> None:
        self.stop_work()
        self.live.leave()
        self.app.pop_screen()

    def save(self, file: str) -> None:
        self.said = self.live.save(file)
        self.show_message()

    # After the end

    def _finish(self) -> None:
        self.questions = None
        self.values.shown = False
        self.redraw()
        self.refresh_bindings()
        for name in ("message", "asked", "value-line"):
            self.query_one(f"#{name}").display = False
        self.live.tell_result()
        ending, record = self.query_one(EndingPanel), self.live.record()
        own, moves = own_result(record, only_person(record.people)), plural(len(record.moves), "move")
        result = f"{own}{self.live.ending()} ({moves})"
        ending.show(result, offered_steps(self.live.setup), lost=own.startswith("You lost"))
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
