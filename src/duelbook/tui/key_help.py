"""The page of F1: the keys of a screen in whole words, and what else can be pressed or typed there."""

from collections.abc import Mapping

from rich.markup import escape
from rich.table import Table
from textual.binding import ActiveBinding

from duelbook.text import sanitize
from duelbook.tui.dialogs import PageDialog

KEY_NAMES = {
    "escape": "Esc",
    "left": "←",
    "right": "→",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "backspace": "Backspace",
    "ctrl+c": "Ctrl-C",
    "ctrl+g": "Ctrl-G",
    "less_than_sign": "<",
    "greater_than_sign": ">",
}
EVERYWHERE = {"F9": "change the theme", "Ctrl-Z": "go to the shell; fg comes back", "Ctrl-C": "end the program"}
Sections = Mapping[str, Mapping[str, str]]  # by heading: what is pressed or typed, and what it does


def key_name(key: str) -> str:
    """Return a key as a person calls it."""
    return key.upper() if _function_key(key) else KEY_NAMES.get(key, key)


def order(key: str) -> int:
    """Return the place of a key in a list: the function keys by number, then the others, and Escape last."""
    return _function_key(key) or (100 if key == "escape" else 50)


def _function_key(key: str) -> int:
    """Return the number of a function key, or 0 for any other key."""
    return int(key[1:]) if key[:1] == "f" and key[1:].isdecimal() else 0


def key_texts(bindings: Mapping[str, ActiveBinding]) -> dict[str, str]:
    """Return what each key does, in the order of the keys: in whole words, or else as the footer names it."""
    texts = {key_name(key): one.tooltip or one.binding.description for key, one in bindings.items() if one.enabled}
    return {key: text for key, text in texts.items() if text} | EVERYWHERE


def help_page(sections: Sections) -> PageDialog:
    """Return the page: a heading for each section, and two columns."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for number, (heading, lines) in enumerate(sections.items()):
        if number:
            table.add_row()
        table.add_row(f"[bold]{escape(heading)}[/bold]")
        for name, about in lines.items():
            table.add_row(escape(sanitize(name)), escape(sanitize(about)))
    return PageDialog(table)
