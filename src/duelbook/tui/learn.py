"""Lessons on the full screen: the list with the progress in each, and what a lesson shows."""

from rich.console import Group
from rich.padding import Padding
from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from duelbook.games import GAMES, aim, title
from duelbook.play.lesson import LessonSession
from duelbook.play.progress import load_lessons
from duelbook.text import sentence
from duelbook.tui.exercise import ExerciseSubject
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.screens import DuelScreen
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
        self.app.push_screen(PlayScreen(LessonSubject(event.option.id or "")))


class LessonSubject(ExerciseSubject):
    """The lesson of one game, and those that follow it."""

    keys = ("hint", "back", "next")

    def __init__(self, game: str) -> None:
        super().__init__()
        self.conversation: LessonSession = LessonSession(game)

    @property
    def title(self) -> str:
        """The game, and the step."""
        lesson, exercise = self.conversation, self.conversation.exercise
        step = f"  ·  {exercise.title[:1].lower()}{exercise.title[1:]}" if exercise else ""
        return f"Learn {title(lesson.name or '')}{step}"

    def offers(self) -> dict[str, str]:
        """Return what can come after the lesson."""
        return {word: word.capitalize() for word in self.conversation.offers()}
