"""The screen of a new game: all fields of the form. It remembers the last choice."""

from contextlib import suppress
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Input, Select

from duelbook.errors import RefusedError
from duelbook.games import make
from duelbook.play.arguments import PlayArguments
from duelbook.play.form import GAME, Field, Form
from duelbook.tui.dialogs import rules_page
from duelbook.tui.form import FormSelect, form_of
from duelbook.tui.screens import DuelScreen
from duelbook.tui.starting import start_match
from duelbook.tui.window import plain


class FieldLine(Horizontal):
    """A field with its label: a list of its entries, or a text."""

    def __init__(self, field: Field) -> None:
        super().__init__(id=f"field-{field.name}", classes=f"field{' part' if field.part_of else ''}")
        self.field = field

    def compose(self) -> ComposeResult:
        field = self.field
        yield plain(field.label, classes="label")
        if field.entries:
            yield FormSelect(_entries(field), id=field.name, value=field.value, allow_blank=False, compact=True)
        else:
            yield Input(field.value, _placeholder(field), id=field.name, compact=True)

    def update(self, field: Field) -> bool:
        """Show the field as it is now. Return False if it needs another line."""
        before, self.field = self.field, field
        if bool(field.entries) != bool(before.entries) or field.label != before.label:
            return False
        if not field.entries:
            text = self.query_one(Input)
            text.placeholder = _placeholder(field)
            if field.value != before.value:  # what is typed and not read yet stays
                text.value = field.value
        elif field.entries != before.entries:
            select: Select[str] = self.query_one(FormSelect)
            with select.prevent(Select.Changed):  # the person has not chosen anything
                select.set_options(_entries(field))
                select.value = field.value
                select.mutate_reactive(Select.value)  # type: ignore[misc] # its text may be another one
        return True


class NewGameScreen(DuelScreen):
    """A form. Its fields are filled with the last choice, or with that of the rule book."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f7", "rules", "Rules", tooltip="read the rules of the game")]

    def __init__(self, arguments: PlayArguments | None = None) -> None:
        """`arguments` may name the service that is to have the match."""
        super().__init__()
        self._server = arguments.server if arguments else None
        self.choices = Form(arguments or PlayArguments())

    def content(self) -> ComposeResult:
        yield from form_of(map(FieldLine, self.choices.fields()))

    def on_mount(self) -> None:
        self.say("title", f"New match on {self._server}" if self._server else "New game")
        self.query_one("#start").focus()

    # The fields depend on each other

    async def on_select_changed(self, event: Select.Changed) -> None:
        name = event.select.id or ""
        if any(field.name == name for field in self.choices.fields()):
            self.choices.set(name, str(event.value))
            await self._show_fields()
            self._show_about()

    async def _show_fields(self) -> None:
        """Show the fields that there are now. What stays is not replaced: a person may be typing there."""
        lines, before = {line.field.name: line for line in self.query(FieldLine)}, None
        fields = self.choices.fields()
        for name in lines.keys() - {field.name for field in fields}:
            await lines[name].remove()
        for field in fields:
            line = lines.get(field.name)
            if line is None or not line.update(field):
                if line is not None:
                    await line.remove()
                line = FieldLine(field)
                await self.query_one("#form").mount(line, after=before)
            before = line

    def on_input_changed(self, event: Input.Changed) -> None:
        with suppress(RefusedError):  # told when the match starts
            self.choices.set(event.input.id or "", event.value)
            self._show_about()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._show_about()

    def _show_about(self) -> None:
        """Show what the field is about that has the focus, or how to start such a match without the form."""
        if isinstance(self.focused, Button):
            self.say("message", f"To start such a match at once: {self.choices.command()}")
        elif self.focused:
            field = next(line.field for line in self.query(FieldLine) if line in self.focused.ancestors)
            self.say("message", f"{field.label}: {field.about}" if field.about else "")

    def action_rules(self) -> None:
        self.app.push_screen(rules_page(make(self.choices.field(GAME).value)))

    # Starting

    def on_button_pressed(self) -> None:
        self._start()

    def on_input_submitted(self) -> None:
        self._start()

    def _start(self) -> None:
        try:
            for text in self.query(Input):
                self.choices.set(text.id or "", text.value)
            self._start_match(self.choices.arguments())
        except RefusedError as error:
            self.say("message", str(error))
        else:
            self.choices.remember()

    def _start_match(self, arguments: PlayArguments) -> None:
        if self._server:
            from duelbook.tui.network_match import start_remote

            start_remote(self, arguments, replaces=True)
        else:
            start_match(self.app, arguments, replacing=self)


def _entries(field: Field) -> list[tuple[str, str]]:
    return [(text, value) for value, text in field.entries.items()]


def _placeholder(field: Field) -> str:
    return f"{field.default} ({field.values})" if field.default else field.values
