"""The screen of a conversation: it sends what a person presses and types, and shows what follows."""

import time
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from duelbook.errors import RefusedError
from duelbook.games import broken_game
from duelbook.play.events import (
    Act,
    Asked,
    Do,
    Done,
    Ended,
    Event,
    InterruptedWorkError,
    Kind,
    Moved,
    Output,
    Page,
    Pressed,
    Say,
    Shown,
    Tick,
    Typed,
)
from duelbook.tui.board import BoardView
from duelbook.tui.keys import BOARD_KEYS, ON_THE_BOARD, WATCHING, Sections
from duelbook.tui.position_panel import PositionPanel
from duelbook.tui.questions import CONFIRMED, EndingPanel, OpenQuestion, QuestionLine
from duelbook.tui.screens import DuelScreen
from duelbook.tui.subject import Subject
from duelbook.tui.window import plain

TICK_SECONDS = 0.25
ESCAPE_NOTE = "Esc: back to the board."
GIVE_UP = "answer"
TYPED = (Asked.MOVE, Asked.CHOICE, Asked.WAIT)  # questions that stand below the board, with a line to type in
ENTERED = (Asked.PAUSE, Asked.HALTED)  # questions that Enter answers


class PlayScreen(DuelScreen):
    """The board, what was said last, and what is asked."""

    BINDINGS: ClassVar[list[BindingType]] = BOARD_KEYS

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self.subject, self.conversation = subject, subject.conversation
        self.said = ""  # what was said last
        self._refused = ""  # why the last event changed nothing
        self._draft = ""  # what was typed in the line when a dialog opened
        self._cause: Event | None = None  # of the work that goes on
        self._repeated: list[Event] = []  # asked for again while the same work went on
        self._open_question = OpenQuestion(self, self.conversation, self.send)

    def content(self) -> ComposeResult:
        yield PositionPanel(self.subject)
        yield plain(name="message")
        yield QuestionLine()
        yield EndingPanel()

    @property
    def position(self) -> PositionPanel:
        """The board, and what stands beside it."""
        return self.query_one(PositionPanel)

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.position.board

    @property
    def line(self) -> QuestionLine:
        """The line below the board."""
        return self.query_one(QuestionLine)

    def on_mount(self) -> None:
        self.set_interval(TICK_SECONDS, self._tick)
        self._show(self.conversation.start())

    def on_unmount(self) -> None:
        super().on_unmount()  # the work, before the agent that it may wait for
        self.subject.close()

    # Events

    def send(self, event: Event) -> None:
        """Send an event, and show what follows. What is asked for again during the same work is done after it."""
        if self.conversation.work and isinstance(event, Act) and event == self._cause:
            self._repeated.append(event)
            return
        if not isinstance(event, Done | Tick):
            self._repeated.clear()
        self._show(self.conversation.handle(event), event)
        if self._repeated and self.conversation.work is None:
            event = self._repeated.pop(0)
            self._show(self.conversation.handle(event), event)

    def _send_own(self, event: Event) -> None:
        """Send what the person does, if the conversation can take it now."""
        self._refused = ""
        if not self.must_wait() and self.conversation.is_ready:
            self.subject.return_to_task()
            self.send(event)

    def must_wait(self) -> bool:
        """Return True before a match begins, after saying so."""
        if self.subject.is_preparing:
            note = self.work.note if self.work else ""
            self.tell(f"The game is being solved. {note or 'Press Esc to go back.'}")
        return self.subject.is_preparing

    def _tick(self) -> None:
        """Tell the conversation that the time is up, or that there is news; else show the clock."""
        if self.conversation.ended:
            return
        deadline, has_news = self.conversation.deadline(), self.conversation.has_news
        if (deadline is not None and time.monotonic() >= deadline) or (has_news and has_news()):
            self.send(Tick())
        else:
            self.say("title", self.subject.title)

    # What the conversation shows

    def _show(self, output: Output, cause: Event | None = None) -> None:
        """Show what follows from an event."""
        said: list[str] = []
        is_new, self._refused, last = False, "", list[str]()
        for shown in output:
            if isinstance(shown, Ended):
                self._end(shown, " ".join(filter(None, last)))
                return
            last = [*last, shown.text.strip()] if isinstance(shown, Say) else []
            is_new = is_new or isinstance(shown, Moved) or (isinstance(shown, Say) and shown.kind is Kind.HEADING)
            said.append(self._take(shown, cause))
        if is_new or any(said):
            self.said = "\n".join(filter(None, said))
        if self.conversation.work is None:
            self.stop_work()
        self.redraw()
        self._open_question.update()
        self._place_keys(is_new=is_new and not isinstance(cause, Tick))
        if self._refused:
            self.show_message(f"{self._refused} {self.position.step_note()}".rstrip())

    def _take(self, shown: Shown, cause: Event | None) -> str:
        """Do what the conversation wants. Return what is to be said below the board until something else is."""
        match shown:
            case Say(kind=Kind.REFUSAL):
                self._refused = shown.text
            case Say() if self.subject.is_notice(shown):
                self.tell(shown.text.strip())
            case Do():
                self._begin(shown, cause)
            case Page():
                self.action_page(shown.name)
            case _:
                return self.subject.take(shown)
        return ""

    def _begin(self, work: Do, cause: Event | None) -> None:
        """Do the work in a thread; first wait so that a person can watch."""
        self.stop_work()
        self._cause = cause
        note = f"Press F8 {work.stopping}." if work.stopping else ""

        def begin() -> None:
            if self.conversation.work is work and self.is_attached:
                self.start_work(work.text, work.run, lambda result: self.send(Done(work, result)), note)

        if wait := self.subject.wait_seconds:
            self.set_timer(wait, begin)
        else:
            begin()

    def failed(self, error: Exception) -> None:
        """Tell the conversation that its work has failed. What goes wrong in a game's own code is told, too."""
        assert self.conversation.work
        broken = None if isinstance(error, RefusedError) else broken_game(error)
        told = RefusedError(str(broken)) if broken else error
        self.send(Done(self.conversation.work, error=told))

    def _end(self, ended: Ended, said: str) -> None:
        """Go back to the screen before, or on to the match that follows. `said` is what was said at last."""
        self.stop_work()
        following, subject = ended.following, self.subject.following(ended)
        if subject:
            self._close_pages()
            self.app.switch_screen(PlayScreen(subject))
        elif ended.problem or following is None or following.current.game is None:
            self._go_back(str(ended.problem or (said if self.subject.tells_leaving() else "")))
        else:
            from duelbook.tui.starting import start_series  # which starts such a screen

            try:
                start_series(self.app, following, replacing=self, otherwise=self._ask_again)
            except RefusedError as error:  # for example, an agent that does not exist any more
                self._ask_again(error)

    def _ask_again(self, problem: RefusedError | None = None) -> None:
        """Stay here: the match that was to follow does not begin."""
        output = self.subject.ask_again(problem)
        if output is None:
            self._go_back(str(problem or ""))
        else:
            self._show(output)

    def _go_back(self, text: str) -> None:
        """Go back to the screen before, and show the notice there."""
        self._close_pages()
        self.leave_telling(text)

    def _close_pages(self) -> None:
        """Close what is read above this screen."""
        while self.app.screen is not self and self in self.app.screen_stack:
            self.app.pop_screen()

    # What stands on the screen

    def redraw(self) -> None:
        """Show everything as it is now."""
        subject, asked = self.subject, self.conversation.asked
        self.position.show()
        is_typed = asked is not None and asked.kind in TYPED and (subject.is_asked() or asked.kind is not Asked.MOVE)
        self.board.takes_text = asked is not None and asked.kind is Asked.WAIT
        if asked and asked.kind in CONFIRMED:
            self._draft = self.line.field.value or self._draft
        self.line.ask(asked.text if asked and is_typed else "")
        is_next = asked is not None and asked.kind is Asked.NEXT
        self.query_one(EndingPanel).show(subject.ending(), subject.offers() if is_next else {})
        self.set_class(is_next, "-finished")
        self.say("title", subject.title)
        self.show_message()
        self.refresh_bindings()

    def show_message(self, now: str = "") -> None:
        """Show the task, and below it what is said now: by default what was said last, and how to go on."""
        now = now or (self.work.status() if self.work else "")
        notes = (self.said, self.subject.go_on_note() or self._entered_note(), self.position.step_note())
        self.say("message", "\n".join(filter(None, (self.subject.task(), *((now,) if now else notes)))))
        self.query_one("#message").display = self.subject.ending() is None

    def show_busy(self, text: str) -> None:
        if self.is_mounted:
            self.show_message(text)

    def _entered_note(self) -> str:
        """Return the question that Enter answers, as a sentence."""
        asked = self.conversation.asked
        return f"{asked.text.rstrip(' :.')}." if asked and asked.kind in ENTERED else ""

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        """Show what the move that is pointed at would do."""
        self.show_message(self.position.preview(event.move))

    def _place_keys(self, *, is_new: bool) -> None:
        """Give the keys to the board at a new position, and to nothing where only Enter goes on."""
        asked = self.conversation.asked
        if asked and asked.kind is Asked.NEXT:
            return  # to the buttons
        if self.subject.go_on_note() or (asked and asked.kind in ENTERED):
            self.set_focus(None)
        elif is_new or self.focused is None:
            self.line.clear()
            self.set_focus(self.board)
        if self._draft and self.line.display:
            self.line.clear()
            self.line.type(self._draft)
            self._draft = ""

    def on_ending_panel_chosen(self, event: EndingPanel.Chosen) -> None:
        self.send(Typed(event.answer))

    def action_page(self, name: str) -> None:
        """Show something to read."""
        if name == "help":
            self.action_help()
        else:
            self.app.push_screen(self.subject.page(name))

    # What the person presses and types

    def on_board_view_piece_pressed(self, event: BoardView.PiecePressed) -> None:
        self._send_own(Pressed(event.answer))
        if not self._refused:
            self.line.clear()

    def on_board_view_text_typed(self, event: BoardView.TextTyped) -> None:
        if self.line.display:
            self.line.type(event.text)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line, and go back to the board after an answer. A wrong line stays, to be corrected."""
        typed, asked, before = event.value, self.conversation.asked, self._answers
        self.line.clear()
        if not typed.strip() and asked and asked.kind is Asked.MOVE:
            self.set_focus(self.board)
            return
        self._send_own(Typed(typed.strip()))
        if self._refused:
            self.show_message(f"{self._refused} {ESCAPE_NOTE if self._answers else ''}".rstrip())
            self.line.correct(typed)
        elif self._answers != before:
            self.set_focus(self.board)

    @property
    def _answers(self) -> Sequence[str]:
        """What the person has chosen of their move so far."""
        questions = self.conversation.questions
        return tuple(questions.answers) if questions else ()

    def on_key(self, event: events.Key) -> None:
        """Go on with Enter where it is waited for, and back to the task if another move is typed after a wrong one."""
        asked, bound = self.conversation.asked, self.active_bindings.get(event.key)
        if event.key == "enter" and asked and asked.kind in ENTERED:
            event.stop()  # the board of the next step does not get it
            self.send(Typed(""))
        elif (event.key == "enter" or event.is_printable) and self.subject.return_to_task():
            event.stop()
            self._look_at_task()
            if event.key != "enter":
                self.board.on_key(event)
        elif bound is None or bound.node is self.board:
            self.must_wait()

    def on_click(self) -> None:
        """Go back to the task after a wrong move, as by Enter."""
        if self.subject.return_to_task():
            self._look_at_task()

    def _look_at_task(self) -> None:
        self.redraw()
        self.set_focus(self.board)

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what is not possible now."""
        match action:
            case "act":
                return self._is_possible(str(parameters[0]))
            case "values":
                return self._is_possible(action)
            case "stop":
                return bool(self.work and self.work.note) and self.subject.leaves_by_stopping == bool(parameters)
            case "page":
                return self.subject.on_board() is not None
            case "leave":
                return self.subject.is_kept or not parameters
            case "take_back_answer":
                return bool(self._answers)
        return True

    def _is_possible(self, word: str) -> bool:
        return word in self.subject.keys and (self.subject.is_preparing or word in self.conversation.names())

    def action_act(self, word: str) -> None:
        """Send a command. Before the answer is shown, ask whether the person gives up."""
        if word == GIVE_UP:
            self._open_question.confirm("Do you want to see the answer?", lambda: self._send_own(Act(word)))
        else:
            self._send_own(Act(word))

    def action_values(self) -> None:
        """Show the values of moves from now on, or hide them."""
        if self.must_wait():
            return
        if event := self.subject.toggle_values():
            self._send_own(event)
        else:
            self.redraw()

    def action_stop(self, _: str = "") -> None:
        """Stop the work that goes on: solving the game, the wait for another player, or help."""
        if work := self.conversation.work:
            self.send(Done(work, error=InterruptedWorkError()))

    def action_take_back_answer(self) -> None:
        self._send_own(Act("undo"))

    def action_leave(self, _: str = "") -> None:
        """Go back one step: from the line, from an answer, from help that is looked for, or from the screen."""
        asked = self.conversation.asked
        if self.line.has_keys:
            self.line.clear()
            self.set_focus(self.board)
            self.show_message()
        elif self._answers:
            self.action_take_back_answer()
        elif self.conversation.work and asked and asked.kind is Asked.MOVE:
            self.action_stop()
        else:
            self._show(self.conversation.leave())

    def leave_for_good(self) -> list[str]:
        """Leave because the program ends. Return what is said about that, such as how to come back."""
        if self.conversation.ended or not (self.subject.is_kept or self.subject.tells_leaving()):
            return []
        said = (shown.text.strip() for shown in self.conversation.leave(is_interrupted=True) if isinstance(shown, Say))
        return [text for text in said if text]

    def more_help(self) -> Sections:
        asked = self.conversation.asked
        if asked is None or asked.kind not in TYPED:  # nothing can be typed
            return self.subject.more_help()
        board = ON_THE_BOARD if self.subject.plays else WATCHING
        return {**self.subject.more_help(), "Board": board, "Words": self.conversation.words()}
