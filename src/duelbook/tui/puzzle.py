"""The screens of puzzles: which one is wanted, and one puzzle after another."""

import secrets
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Select

from duelbook.game import Move
from duelbook.games import GAMES, make, title
from duelbook.narration import AnyNarration, Seating, narration_for
from duelbook.study.puzzle_bank import levels_text, puzzle_levels
from duelbook.study.puzzle_kinds import LEVELS, Kind, Puzzle
from duelbook.terminal.puzzle import MAX_CHOSEN_SEED, Request, other_levels, question_text
from duelbook.terminal.puzzle_attempt import PuzzleAttempt
from duelbook.terminal.puzzle_progress import load_progress, marks_text
from duelbook.tui.form import FormScreen, FormSelect
from duelbook.tui.position import PositionScreen
from duelbook.tui.questions import MoveQuestions
from duelbook.tui.screens import Confirmation, plain

ANY = "any"
KINDS = {Kind.WIN: "one move wins", Kind.ONLY_MOVE: "one move does not lose", Kind.TRAP: "a tempting move loses"}


class PuzzlesScreen(FormScreen):
    """A form: game, level and kind."""

    def content(self) -> ComposeResult:
        games = [("any game", ANY), *((title(name), name) for name in GAMES)]
        levels = [("any level", ANY), *((f"level {level} of 5", str(level)) for level in LEVELS)]
        with VerticalScroll(id="form", can_focus=False):
            for label, name, entries in (
                ("Game", "game", games),
                ("Level", "level", levels),
                ("Kind", "kind", [(text, str(kind)) for kind, text in KINDS.items()]),
            ):
                select = FormSelect(entries, id=name, value=entries[0][1], allow_blank=False, compact=True)
                yield Horizontal(plain(label, classes="label"), select, classes="field")
            yield from self.end_of_form()

    def on_mount(self) -> None:
        self.say("title", "Puzzles")
        self.query_one("#start").focus()

    def on_screen_resume(self) -> None:
        self.say("message", load_progress().text())

    def show_busy(self, text: str) -> None:
        if self.is_mounted:
            self.say("message", f"{text} …" if text else "")

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show which kinds and levels the game has."""
        if event.select.id == "game" and event.value != ANY:
            name = str(event.value)
            self.start_work(
                "Looking for its puzzles",
                lambda: puzzle_levels(name),
                lambda known: self.say("message", f"It has: {levels_text(known) or 'none'}"),
            )

    def on_button_pressed(self) -> None:
        game, level, kind = (str(self.query_one(f"#{name}", Select).value) for name in ("game", "level", "kind"))
        request = Request(
            None if game == ANY else game,
            secrets.randbelow(MAX_CHOSEN_SEED),
            None if level == ANY else int(level),
            Kind(kind),
        )
        self.app.push_screen(PuzzleScreen(request))


class PuzzleScreen(PositionScreen):
    """One puzzle. After a wrong move the person sees why, and may try again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "answer", "Give up"),
        Binding("f8", "next", "Next"),
        Binding("less_than_sign", "easier", "Easier", key_display="<"),
        Binding("greater_than_sign", "harder", "Harder", key_display=">"),
    ]

    def __init__(self, request: Request) -> None:
        super().__init__()
        self._request = request
        self._attempt: PuzzleAttempt | None = None
        self._said = ""
        self._played: Move | None = None  # once the puzzle is done

    def on_mount(self) -> None:
        self._find(self._request)

    def _find(self, request: Request) -> None:
        self.query_one("#asked").display = False
        self._request = request
        self.start_work("Looking for a puzzle", request.find, self._pose)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what can only be done before the puzzle is done, or after it."""
        if action in ("hint", "answer"):
            return self._played is None
        return self._played is not None or action not in ("easier", "harder")

    def key_enter(self, event: events.Key) -> None:
        """Go on to the next puzzle once this one is done."""
        if self._played is not None and not self.work:
            event.stop()
            self.action_next()

    def failed(self, error: Exception) -> None:
        super().failed(error)
        if self._attempt is None:
            self.app.pop_screen()
        else:
            self.redraw()

    def show_busy(self, text: str) -> None:
        if self.is_mounted:
            self.say("message", f"{text} …" if text else self._said)

    @property
    def _puzzle(self) -> Puzzle:
        assert self._attempt
        return self._attempt.puzzle

    def narration_and_state(self) -> tuple[AnyNarration, Any, list[Move]]:
        if self._attempt is None:
            game = make(self._request.game or next(iter(GAMES)))
            return narration_for(game, Seating()), game.initial(), []
        puzzle = self._puzzle
        return narration_for(puzzle.game, Seating()), puzzle.state, list(puzzle.moves)

    def _pose(self, puzzle: Puzzle) -> None:
        self._attempt, self._played = PuzzleAttempt(puzzle, self._request.day), None
        narration, state, _ = self.narration_and_state()
        self._said = question_text(puzzle, narration.mover(state))
        done = load_progress().days.get(str(self._request.day), "")
        if done:
            self._said += f" You have done this puzzle before: {marks_text(done)} It does not count again."
        self.questions = MoveQuestions(narration, state)
        self.set_class(False, "-finished")
        self.redraw()
        self.refresh_bindings()
        self.set_focus(self.board)

    def redraw(self) -> None:
        narration, state, moves = self.narration_and_state()
        mover = narration.game.mover(state)
        if self._played is not None:
            moves = [*moves, self._played]
            state = narration.game.play(state, self._played)
        turn = mover if self._played is None else None
        self.show_position(narration.game, state, moves, mover, turn)
        self.say("title", self._request.title(self._puzzle))
        self.show_message()

    def show_message(self) -> None:
        self.say("message", self._said)

    def lasting_text(self) -> str:
        return self._said

    def play_move(self, move: Move) -> None:
        attempt = self._attempt
        assert attempt

        def judge() -> str | tuple[str, str]:
            return attempt.why_wrong(move) or attempt.finish(move, solved=True)

        self.start_work("Judging the move", judge, lambda found: self._judged(move, found))

    def _judged(self, move: Move, found: str | tuple[str, str]) -> None:
        if isinstance(found, tuple):
            self._finished(move, found)
            return
        narration, state, _ = self.narration_and_state()
        self._said = found
        self.questions = MoveQuestions(narration, state)
        self.redraw()

    def _finished(self, move: Move, found: tuple[str, str]) -> None:
        right, standing = found
        self._played, self.questions = move, None
        self._said = f"{right}\n{standing} Press Enter for the next one."
        if self._request.day and self._attempt:
            self._said = f"{right}\n{self._attempt.share_text()}\nPress Enter for another puzzle."
        self.set_class(True, "-finished")
        self.redraw()
        self.refresh_bindings()
        self.set_focus(None)

    def action_hint(self) -> None:
        if self.questions and self._attempt:
            self.start_work("Looking for a hint", self._attempt.hint, self._show_hint)

    def _show_hint(self, step: Any) -> None:
        self._said = f"{step.text} {step.note.replace('Type hint', 'Press F2')}".rstrip()
        self.show_message()

    def action_answer(self) -> None:
        """Show the answer, if the person really gives up. The puzzle is then not solved."""
        if self.questions:
            self.app.push_screen(Confirmation("Do you want to see the answer?"), self._give_up)

    def _give_up(self, yes: bool | None) -> None:
        attempt = self._attempt
        if yes and self.questions and attempt:
            best = attempt.puzzle.answer
            self.questions = None
            self.start_work(
                "Looking for the reason",
                lambda: attempt.finish(best, solved=False),
                lambda found: self._finished(best, found),
            )

    def action_next(self) -> None:
        if self._attempt:
            self._find(self._request.following(self._puzzle))

    def action_harder(self) -> None:
        self._go_to("harder")

    def action_easier(self) -> None:
        self._go_to("easier")

    def _go_to(self, word: str) -> None:
        if self._attempt is None:
            return
        level = None if self._request.day else other_levels(self._request, self._puzzle)[word]
        if level is None:
            self.notify(f"There is no {word} level.", markup=False)
        else:
            self._find(self._request.following(self._puzzle)._replace(level=level))
