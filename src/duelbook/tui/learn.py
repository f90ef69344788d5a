"""The screens of lessons: the list with the progress in each, and a lesson step by step."""

from collections.abc import Callable
from typing import Any, ClassVar

from rich.console import Group
from rich.padding import Padding
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from duelbook.game import Move, parse_move
from duelbook.games import GAMES, aim, make, title
from duelbook.narration import AnyNarration, Seating, narration_for
from duelbook.play.arguments import PlayArguments
from duelbook.play.lesson import EASIEST, hint_text
from duelbook.play.progress import load_lessons, note_passed
from duelbook.records.record import HUMAN
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.lessons import Answer, Lesson, Step, answer
from duelbook.text import sentence
from duelbook.tui.position import HINTING, PositionScreen
from duelbook.tui.screens import DuelScreen
from duelbook.tui.starting import start_match
from duelbook.tui.window import plain

INDENT = 2  # of what a game is about, below its name


class LessonsScreen(DuelScreen):
    """All lessons. The one that comes next is chosen."""

    def content(self) -> ComposeResult:
        yield plain("A few small positions for each game. Make a move and see why.", name="about")
        yield OptionList(id="lessons", markup=False)

    def on_screen_resume(self) -> None:
        progress, names = load_lessons(), list(GAMES)
        menu = self.query_one("#lessons", OptionList)
        menu.clear_options()
        for name in names:
            about = Padding(Text(sentence(aim(name))), (0, 0, 0, INDENT))
            menu.add_option(Option(Group(Text(f"{title(name)} ({progress.text(name)})"), about), id=name))
        menu.highlighted = names.index(progress.next_lesson(names) or names[0])
        menu.focus()
        self.say("title", "Learn")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.app.push_screen(LessonScreen(event.option.id or ""))


class LessonScreen(PositionScreen):
    """The lesson of one game. The person is always Player 1."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f4", "back", "Before", tooltip="go to the step before"),
        Binding("f8", "next", "Next", tooltip="go to the next step, or to the end"),
    ]

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game_name = game
        self._lesson: Lesson | None = None
        self._at = 0
        self._hinted = False
        self._shown: tuple[Any, list[Move]] | None = None  # the position after the moves that were tried

    def on_mount(self) -> None:
        self.query_one("#asked").display = False
        game = make(self._game_name)
        self.start_work("Preparing the lesson", lambda: usable_lesson(game), self._begin)

    def _begin(self, found: tuple[Lesson, str]) -> None:
        self._lesson, problem = found
        steps = len(self._lesson.steps)
        progress = load_lessons().lessons.get(self._game_name)
        self._show_step(progress.start(steps) if progress else 0, problem)

    @property
    def _step(self) -> Step:
        assert self._lesson
        return self._lesson.steps[self._at]

    def narration_and_state(self) -> tuple[AnyNarration, Any, list[Move]]:
        if self._lesson is None:
            game = make(self._game_name)
            return narration_for(game, Seating()), game.initial(), []
        step = self._step
        seating = Seating(first=step.game.mover(step.state), humans=(True, False))
        return narration_for(step.game, seating), step.state, list(step.moves)

    def _show_step(self, at: int, said: str = "") -> None:
        self._hinted = self._hinted and at == self._at
        self._at, self._shown = at, None
        self.exercise, self.said = self._step.task, said
        self.ask()
        self.redraw()
        self.board.focus()

    def redraw(self) -> None:
        assert self._lesson
        narration, state, moves = self.narration_and_state()
        state, moves = self._shown or (state, moves)
        turn = None if self.questions is None else narration.game.mover(state)
        self.show_position(narration.game, state, moves, narration.seating.seat(0), turn)
        self.say(
            "title", f"Learn {title(self._game_name)}  ·  step {self._at + 1} of {self._count}: {self._step.title}"
        )
        self.show_message()
        self.refresh_bindings()

    @property
    def _count(self) -> int:
        assert self._lesson
        return len(self._lesson.steps)

    def play_move(self, move: Move) -> None:
        step = self._step
        self.start_work("Judging the move", lambda: answer(step, move), lambda found: self._judged(move, found))

    def _judged(self, move: Move, found: Answer) -> None:
        """Show the position after the move and what follows it, and why it is right or wrong."""
        step = self._step
        state, moves = step.game.play(step.state, move), [*step.moves, move]
        for name in found.following:
            moves.append(parse_move(step.game, state, name))
            state = step.game.play(state, moves[-1])
        self._shown, self.exercise = (state, moves), ""
        if not found.right:
            wrong = found.text.removesuffix("Try again.").rstrip()
            self.said = f"Not quite. {wrong} Try again: press Enter to go back, or type another move."
        else:
            if problem := note_passed(self._game_name, self._at + 1, self._count):
                self.tell(problem)
            is_last = self._at + 1 == self._count
            self.said = f"Right! {found.text} {self._end_text() if is_last else 'Press Enter for the next step.'}"
        self._is_right = found.right
        self.redraw()
        self.set_focus(None)

    def _end_text(self) -> str:
        return f"You can play {title(self._game_name)} now: press Enter."

    def key_enter(self, event: events.Key) -> None:
        """Go on after an answer."""
        if self._shown is None:
            return
        event.stop()  # the board of the next step does not get it
        if not self._is_right:
            self._show_step(self._at)
        elif self._at + 1 < self._count:
            self._show_step(self._at + 1)
        else:
            self.action_play()

    def on_key(self, event: events.Key) -> None:
        """Go back to the task if another move is typed after a wrong one."""
        if self._shown and not self._is_right and event.is_printable:
            self._show_step(self._at)
            self.board.on_key(event)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for a hint where there is nothing left to find."""
        if action == "hint" and self._shown:
            return not self._is_right
        return super().check_action(action, parameters)

    def action_hint(self) -> None:
        """Give a hint, or the next one. After a wrong move it is for the next try."""
        if self._shown:
            self._show_step(self._at)
        if self.questions and not self.is_at_work(HINTING, self.action_hint):
            step, again = self._step, self._hinted
            self.start_work(HINTING, lambda: hint_text(step, again=again), self._show_hint)

    def _show_hint(self, text: str) -> None:
        note = "" if self._hinted else " (Press F2 again for such a move.)"
        self._hinted, self.said = True, f"{text}{note}"
        self.show_message()

    def action_next(self) -> None:
        """Go to the next step; after the last one to the end, where a match is offered."""
        if self._lesson is None:
            return
        if self._at + 1 < self._count:
            self._show_step(self._at + 1)
            return
        self.stop_work()
        _, state, moves = self.narration_and_state()
        self._shown, self.questions, self._is_right = (state, moves), None, True
        self.exercise, self.said = "", self._end_text()
        self.redraw()
        self.set_focus(None)

    def action_back(self) -> None:
        if self._lesson:
            self._show_step(max(0, self._at - 1))

    def commands(self) -> dict[str, Callable[[], None]]:
        own = {"next": self.action_next, "skip": self.action_next, "back": self.action_back, "play": self.action_play}
        return super().commands() | own

    def action_play(self) -> None:
        """Play a match against the weakest level."""
        start_match(self.app, PlayArguments(self._game_name, agents=(HUMAN, EASIEST)), replacing=self)
