"""The games there are. A new one is a folder with its `rules.py`, and an entry here."""

import inspect
import sys
from pathlib import Path
from typing import Any

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


def make(name: str, /, **options: Any) -> AnyGame:
    """Answer the game of that name; options are typed or text, and left out they are the book's."""
    rules = find_rules(name)
    return rules(**read_options(rules, options))


def find_rules(name: str) -> type[AnyGame]:
    """Answer the rules of that name, or refuse it with the names there are."""
    if name not in GAMES:
        raise RefusedError(f"unknown game '{shorten(name)}'; valid: {', '.join(GAMES)}")
    return GAMES[name]


def name_of(game: AnyGame) -> str:
    """Answer the name under which the game is registered."""
    return next(name for name, rules in GAMES.items() if type(game) is rules)


def title(name: str) -> str:
    """Answer the name as a heading: `alpha-chase` is Alpha Chase."""
    return name.replace("-", " ").title()


def aim(name: str) -> str:
    """Answer what the game is about in one line: the docstring of its rules after the title."""
    doc = sys.modules[find_rules(name).__module__].__doc__ or ""
    return doc.partition(": ")[2].split("\n")[0]


def rules_text(name: str) -> str:
    """Answer the rules page of a game's folder, or what its code says, as Markdown."""
    page = Path(inspect.getfile(find_rules(name))).with_name("rules.md")
    return page.read_text(encoding="utf-8") if page.is_file() else f"# {title(name)}\n\n{aim(name)}\n"
