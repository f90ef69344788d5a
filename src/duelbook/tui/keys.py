"""Keys: what they are called, those at a board, and the page of F1, which says in whole words what can be pressed."""

from collections.abc import Mapping

from rich.markup import escape
from rich.table import Table
from textual.binding import ActiveBinding, Binding, BindingType

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
# One key may stand for several commands of a match, a lesson or a puzzle; that which is possible counts.
BOARD_KEYS: list[BindingType] = [
    Binding("f2", "act('hint')", "Hint", tooltip="get a hint: first a nudge, then the move, then why"),
    Binding("f3", "values", "Value", tooltip="show the value of every move, or hide it"),
    Binding("f4", "act('undo')", "Undo", tooltip="take back your last move; another person is asked first"),
    Binding("f4", "act('back')", "Before", tooltip="go to the step before"),
    Binding("ctrl+g", "act('give')", "Give time", show=False, tooltip="give your opponent more time for this turn"),
    Binding("f5", "page('moves')", "Moves", show=False, tooltip="list the legal moves"),
    Binding("f6", "act('resign')", "Resign", tooltip="give up, after asking"),
    Binding("f6", "act('answer')", "Give up", tooltip="see the answer, after asking"),
    Binding("f7", "page('rules')", "Rules", tooltip="read the rules"),
    Binding("f8", "act('next')", "Next", tooltip="go to what comes next"),
    Binding("f8", "stop('waiting')", "Leave", tooltip="stop waiting and leave"),
    Binding("f8", "stop", show=False, tooltip="stop what takes long, as to play on without the solution"),
    Binding("less_than_sign", "act('easier')", "Easier", tooltip="go to an easier puzzle"),
    Binding("greater_than_sign", "act('harder')", "Harder", tooltip="go to a harder puzzle"),
    Binding("backspace", "take_back_answer", show=False, tooltip="choose the part before again"),
    Binding("escape", "leave('match')", "Back", tooltip="go back; you can continue a match that is not over"),
    Binding("escape", "leave", "Back", tooltip="go back"),
]
ON_THE_BOARD = {
    "arrows, Enter": "go to a move and play it, as with the mouse",
    "digit, letter": "play the move that is this digit or letter; go to it if a part of the move is chosen already",
    "Tab, other text": "go to the line below the board, which takes moves and the words below",
}
WATCHING = {"Tab, any text": "go to the line below the board, which takes the words below"}
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
