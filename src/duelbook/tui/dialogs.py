"""Dialogs above a screen: a question to answer with yes or no, and a page to read."""

from typing import Any, ClassVar

from rich.console import RenderableType
from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Static

from duelbook.play.rules_page import read_rules_page
from duelbook.text import sanitize
from duelbook.tui.window import TooSmall, plain


class Confirmation(ModalScreen[bool]):
    """A question to answer with yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,right,up,down", "app.focus_next", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        yield TooSmall()
        with Vertical(classes="dialog"):
            yield plain(self.question, name="confirmation")
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True)

    def on_mount(self) -> None:
        self.query("#no").focus()  # there is none if the question was answered elsewhere meanwhile

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


class PageDialog(ModalScreen[None]):
    """A page to read: a text that is shown as it is, or something that Rich lays out."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,f7,f5,f1", "app.pop_screen", "Back")]

    def __init__(self, content: RenderableType) -> None:
        super().__init__()
        self._content = content

    def compose(self) -> ComposeResult:
        yield TooSmall()
        with VerticalScroll(classes="page"):
            yield plain(self._content) if isinstance(self._content, str) else Static(self._content)
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def rules_page(game: Any, *, full: bool = False) -> PageDialog:
    """Return the rules of a game as they are with its options; `full` adds examples and tips."""
    page = read_rules_page(game, full=full)
    return PageDialog(Markdown(sanitize("\n\n".join(filter(None, (page.text, page.problem, page.note))))))
