"""Tables of the public names of the package, of what a game imports, and of the texts of a narration."""

import inspect
import re
from collections.abc import Callable
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import duelbook
from scripts.markdown import table

SOURCE = Path(duelbook.__file__).parent
API_MODULES = sorted(
    file.parent.name for file in SOURCE.glob("*/__init__.py") if re.search("^__all__ =", file.read_text(), re.MULTILINE)
)
NOTES = {  # about public names that have no docstring
    "AGENTS": "Every kind of agent by name, also those from outside.",
    "AnyGame": "A game of any kind.",
    "COMMON": "The name of the common words of the shipped word list.",
    "CHECKS": "Every check of the conformance kit by name, with what it says in one line.",
    "Dialogue": "What `ask` returns: it yields questions, receives answers, and returns the name of a move.",
    "GAMES": "Every game by name: the class of its rules.",
    "KINDS": "The kinds of agents that Duelbook has, by name.",
    "HUMAN": "What a record has in place of an agent's name for a person.",
    "MIN_TILE_WIDTH": "The columns that a tile takes at least.",
    "Move": "A move: a whole number from 0 to `num_moves - 1`.",
    "OnProgress": "A function that takes the `Progress` of a solve; what it raises ends the solve.",
    "PASS": "The name of a move that is legal only when nothing else is: `pass`.",
    "Player": "A seat: 0 moves first, 1 second.",
    "SEAT_NAMES": "What texts call the seats: `first` and `second`.",
    "STANDARD": "The name of the shipped word list.",
    "Seat": "The type of a state's first field: the mover's seat.",
    "__version__": "The version of Duelbook.",
}
BUILDING_BLOCKS = {  # what a game imports, by module
    "game": (
        *("Move", "Player", "Outcome", "won_by", "by_seat", "each_bit", "PASS", "move_names", "outcome_name"),
        "random_choices",
        "SEAT_NAMES",
    ),
    "options": ("Limits", "check_options", "Drawn", "draw", "NamesOrFile"),
    "features": ("Seat", "UpTo", "Bits", "Slots"),
    "narration": ("Narration", "Turn", "Preview", "Seating", "Voice", "Dialogue", "Question", "Refusal", "Command"),
    "board": (
        *(
            "Board",
            "PlayerSide",
            "Row",
            "Grid",
            "Track",
            "Gauge",
            "Portion",
            "Text",
            "Cell",
            "Position",
            "Played",
        ),
        *("Theme", "Sign"),
    ),
    "text": ("plural", "fold", "quote", "shorten"),
    "games": ("Example",),
    "testing": ("check_game",),
    "errors": ("RefusedError", "check_range"),
    "words": ("load_words", "STANDARD", "COMMON", "denied", "denied_codes"),
}
# Methods of a narration for use in its other texts, not to be overridden:
NARRATION_FACTS = ("mover", "who_won", "you", "moves_again", "before_last")


def api() -> str:
    """Return a table of the public names of the package, and of each public module."""
    text = f"\n{_names(duelbook)}\n"
    for name in API_MODULES:
        module = import_module(f"duelbook.{name}")
        text += f"## duelbook.{name}\n\n{one_line(_prose(module))}\n\n{_names(module)}\n"
    return text


def building_blocks() -> str:
    """Return the table of what a game imports, with the arguments of each."""
    rows = []
    for module, names in BUILDING_BLOCKS.items():
        found = import_module(f"duelbook.{module}")
        rows += [(f"`duelbook.{module}`", f"`{name}{_arguments(found, name)}`", note_of(found, name)) for name in names]
    return table(("from", "import", "what it is"), rows)


def narration_texts() -> str:
    """Return the table of a narration's methods."""
    from duelbook.narration import Narration

    rows: list[tuple[str, str]] = []
    for name, method in vars(Narration).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            owner = "self." if name in NARRATION_FACTS else ""
            rows.append((f"`{owner}{name}{_signature(method, skip=1)}`", first_paragraph(method)))
    rows.sort(key=lambda row: row[0].startswith("`self."))
    return table(("method", "what it does"), rows)


def _arguments(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    plain = name in NOTES or (inspect.isclass(thing) and issubclass(thing, Enum | Exception | str))
    return "" if plain else _signature(thing)


def _signature(function: Callable[..., Any], skip: int = 0) -> str:
    """Return the arguments by name, those that may be left out with their defaults."""
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    texts = [
        one.name if one.default is one.empty else f"{one.name}={one.default!r}".replace("'", '"') for one in parameters
    ]
    return f"({', '.join(texts)})"


def _prose(module: ModuleType) -> str:
    """Return the module's docstring without its examples, which Markdown would run into the text."""
    paragraphs = (inspect.getdoc(module) or "").split("\n\n")
    return "\n\n".join(part for part in paragraphs if not part.lstrip().startswith(">>>"))


def _names(module: ModuleType) -> str:
    return table(("name", "what it is"), ((f"`{name}`", note_of(module, name)) for name in public_names(module)))


def public_names(module: ModuleType) -> list[str]:
    """Return the public names of a module, except other modules, which have sections of their own."""
    return sorted((name for name in module.__all__ if not inspect.ismodule(getattr(module, name))), key=str.lower)


def note_of(module: ModuleType, name: str) -> str:
    """Return what a public name is, in a line."""
    return NOTES.get(name) or first_paragraph(getattr(module, name))


def first_paragraph(thing: Any) -> str:
    """Return the first paragraph of a docstring, in a line."""
    text = vars(thing).get("__doc__") if inspect.isclass(thing) else inspect.getdoc(thing)  # not that of a base class
    return one_line((text or "").split("\n\n")[0])


def one_line(text: str) -> str:
    """Return the text with a space in place of every line break."""
    return " ".join(text.split())
