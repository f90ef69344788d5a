"""The registry of games. A new game is a folder with its `rules.py`, and an entry in `GAMES`."""

import inspect
import sys
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games.alpha_chase.rules import AlphaChase
from duelbook.games.charge.rules import Charge
from duelbook.games.crystal_capture.rules import CrystalCapture
from duelbook.games.flag_chase.rules import FlagChase
from duelbook.games.word_clash.rules import WordClash
from duelbook.options import read_options
from duelbook.text import shorten

GAMES: dict[str, type[AnyGame]] = {
    "alpha-chase": AlphaChase,
    "word-clash": WordClash,
    "crystal-capture": CrystalCapture,
    "charge": Charge,
    "flag-chase": FlagChase,
}


class Example(NamedTuple):
    """A game, or a part of one, from a rule book. The audit replays the examples in a game's `examples.py`."""

    title: str
    moves: tuple[str, ...]
    winner: str = ""  # `first` or `second` if the book names one
    ruling: str = ""  # the ruling that settles it if the example breaks the rules


def make(name: str, /, **options: Any) -> AnyGame:
    """Return the game with this name. Options may be text or typed; the default is the rule book's value.

    Raise RefusedError if the name, an option or a value is unknown.
    """
    rules = find_rules(name)
    return rules(**read_options(rules, options))


def find_rules(name: str) -> type[AnyGame]:
    """Return the rules class of the game with this name, or raise RefusedError."""
    if name not in GAMES:
        raise RefusedError(f"Unknown game '{shorten(name)}'. Games: {', '.join(GAMES)}.")
    return GAMES[name]


def name_of(game: AnyGame) -> str:
    """Return the name under which the game is registered."""
    return next(name for name, rules in GAMES.items() if type(game) is rules)


def title(name: str) -> str:
    """Return the name as a heading: `alpha-chase` becomes Alpha Chase."""
    return name.replace("-", " ").title()


def aim(name: str) -> str:
    """Return the aim of the game in one line: the docstring of its rules after the title."""
    doc = sys.modules[find_rules(name).__module__].__doc__ or ""
    return doc.partition(": ")[2].split("\n")[0]


def rules_text(name: str) -> str:
    """Return the rules page of the game as Markdown; a game without a page has its title and aim."""
    page = Path(inspect.getfile(find_rules(name))).with_name("rules.md")
    return page.read_text(encoding="utf-8") if page.is_file() else f"# {title(name)}\n\n{aim(name)}\n"
