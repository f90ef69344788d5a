"""The screen of play over the network: one's own matches on a server, a new one, one to join or to watch."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from duelbook.errors import RefusedError
from duelbook.online.address import read_server
from duelbook.online.client import ServiceClient
from duelbook.play.arguments import PlayArguments
from duelbook.play.joining import open_match_texts
from duelbook.play.network_arguments import (
    arguments_of,
    encryption_warning,
    last_choice,
    name_problem,
    read_addresses,
)
from duelbook.text import sanitize
from duelbook.tui.network_match import start_remote
from duelbook.tui.screens import DuelScreen, problem_text
from duelbook.tui.window import plain

KEYS = "Type an address and press Enter. Then choose with the arrows and Enter, or the mouse."
ADDRESS = "a server such as https://play.example, or the link or the code of a match"
Entries = dict[str, tuple[str, Callable[[], None]]]


class Menu(OptionList):
    """What can be done at the address. The key up leads from the first entry to the fields above it."""

    def action_cursor_up(self) -> None:
        if self.highlighted:
            super().action_cursor_up()
        else:
            self.screen.focus_previous()


class NetworkScreen(DuelScreen):
    """An address, and what can be done there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._entries: Entries = {}
        self._looked_at = ""  # the address whose entries are shown
        self._name_problem = ""

    def content(self) -> ComposeResult:
        last = last_choice()
        with Vertical(id="fields"):
            with Horizontal(classes="field"):
                yield plain("Address", classes="label")
                yield Input(last.address, ADDRESS, id="address", compact=True)
            with Horizontal(classes="field"):
                yield plain("Your name", classes="label")
                yield Input(last.name, "Player 1 or Player 2", id="name", compact=True)
        yield Menu(id="menu", markup=False)
        yield plain(name="message")
        yield plain(KEYS, name="keys")

    def on_screen_resume(self) -> None:
        """Look at the address, also again: a match may have gone on. The fields may not be there yet."""
        self.call_after_refresh(self._look_again)

    def _look_again(self) -> None:
        if not self.query("#address"):  # the screen is left already
            return
        self.say("title", "Over the network")
        if self._looked_at or self._address:
            self._look()
        else:
            self.query_one("#address").focus()

    @property
    def _address(self) -> str:
        return self.query_one("#address", Input).value.strip()

    def failed(self, error: Exception) -> None:
        self.say("message", problem_text(error))

    # What can be done there

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say at once what is wrong with a name. What was said about another address counts no more."""
        if event.input.id == "name":
            before, self._name_problem = self._name_problem, name_problem(event.value)
            if self._name_problem != before:
                self.say("message", self._name_problem)
        elif self._address != self._looked_at and self.work is None:
            self.say("message", "")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look at the address, or go on from the name to what can be done there."""
        if event.input.id == "name" and self._entries and self._address == self._looked_at:
            self.query_one(Menu).focus()
        else:
            self.query_one("#address").focus()  # from which the list takes the keys
            self._look()

    def _look(self) -> None:
        """Show what can be done at the address: of a server, one's matches are looked for first."""
        self._looked_at = self._address
        self._show({})
        try:
            arguments = arguments_of(self._address)
            server, _ = read_addresses(arguments)
        except RefusedError as error:
            self.failed(error)
            return
        if warning := encryption_warning(server):
            self.tell(warning)
        if arguments.join:
            watched = replace(arguments, join=None, watch=arguments.join)
            self._show(
                {
                    "join": ("Take a seat in the match, or go on with it", lambda: self._start(arguments)),
                    "watch": ("Watch the match", lambda: self._start(watched)),
                }
            )
        else:
            client = ServiceClient(server)
            self.start_work("Looking for your matches", lambda: open_match_texts(client), self._show_matches)

    def _show_matches(self, found: dict[str, str]) -> None:
        server = read_server(self._looked_at).origin
        entries: Entries = {
            match: (text, partial(self._start, PlayArguments(server=server, join=match)))
            for match, text in found.items()
        }
        self._show({**entries, "new": (f"New match on {server}", partial(self._make, server))})

    def _show(self, entries: Entries) -> None:
        self._entries = entries
        menu = self.query_one(OptionList)
        menu.clear_options()
        menu.add_options([Option(sanitize(text), id=name) for name, (text, _) in entries.items()])
        menu.display = bool(entries)
        if entries:
            menu.highlighted = 0
            self.say("message", "")
            if self.focused is None or self.focused.id == "address":  # nobody types a name meanwhile
                menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self._address != self._looked_at:  # another one was typed
            self._look()
            return
        self._entries[event.option.id or ""][1]()

    def _named(self, arguments: PlayArguments) -> PlayArguments:
        """Return the arguments with the person's name."""
        name = self.query_one("#name", Input).value.strip()
        return replace(arguments, names=(name or None, None))

    def _start(self, arguments: PlayArguments) -> None:
        try:
            start_remote(self, self._named(arguments))
        except RefusedError as error:
            self.failed(error)

    def _make(self, server: str) -> None:
        from duelbook.tui.new_game import NewGameScreen

        self.app.push_screen(NewGameScreen(self._named(PlayArguments(server=server))))
