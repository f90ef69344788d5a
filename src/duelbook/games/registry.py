"""The registry of games: the folders beside this file, and games from outside, with what their classes must have."""

import pkgutil
import sys
from collections.abc import Collection
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from typing import Any, cast

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.options import check_texts
from duelbook.registry import Registry, kebab_case
from duelbook.text import shorten

METHODS = ("initial", "mover", "legal_moves", "play", "outcome", "move_name", "render")
DECORATOR = "@dataclass(frozen=True)"


class GameRegistry(Registry[type[AnyGame]]):
    """Every game by name: those of this package in the order of their books, then all others by name."""

    kind = "game"
    entry_points = "duelbook.games"
    variable = "DUELBOOK_GAMES"
    reserved_names = ("all",)  # a tournament of `all` has every game
    how_to_register = (
        "Name it for this process: duelbook.GAMES.add('{name}', {rules}). So that others find it, too, name it in the "
        f"environment variable {variable}=module:{{rules}}, or give its package an entry point in the group "
        f"{entry_points}. See: docs/write-a-game.md"
    )

    def built_in_names(self) -> Collection[str]:
        return _built_in_modules()

    def built_in(self, name: str) -> type[AnyGame]:
        return _built_in_rules(name)

    def checked(self, found: Any) -> type[AnyGame]:
        check_rules(found)
        return cast(type[AnyGame], found)

    def find_name(self, rules: type[AnyGame]) -> str | None:
        """Return the name under which the rules are registered, if they are."""
        name = kebab_case(rules.__name__)
        if name in self.built_in_names() and self.built_in(name) is rules:
            return name
        return next((name for name, outside in self.outside().items() if outside is rules), None)


def check_rules(rules: Any) -> None:
    """Raise RefusedError unless the value is a class with which a game can be made from text options."""
    if not isinstance(rules, type):
        raise RefusedError(f"{shorten(repr(rules))} is not a class.")
    missing = [name for name in METHODS if not callable(getattr(rules, name, None))]
    missing += [] if hasattr(rules, "num_moves") else ["num_moves"]
    if missing:
        raise RefusedError(f"The class {rules.__name__} is not a game: it has no {', '.join(missing)}.")
    if not is_dataclass(rules) or not rules.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise RefusedError(f"The class {rules.__name__} must be a frozen dataclass: decorate it with {DECORATOR}.")
    check_texts(cast(type[AnyGame], rules))


@cache
def _built_in_modules() -> dict[str, str]:
    """Return the module of each game of this package: every folder beside this file, in the order of the books.

    `ORDER` in the `__init__.py` of a folder is the number of its book. A folder without it comes later, by name.
    """
    package = import_module("duelbook.games")
    folders = [module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg]
    modules = [import_module(f"duelbook.games.{folder}") for folder in folders]
    modules.sort(key=lambda module: (getattr(module, "ORDER", sys.maxsize), module.__name__))
    return {module.__name__.rpartition(".")[2].replace("_", "-"): module.__name__ for module in modules}


@cache
def _built_in_rules(name: str) -> type[AnyGame]:
    """Return the class of a game of this package: `TallTower` in `tall_tower/rules.py`."""
    class_name = "".join(map(str.capitalize, name.split("-")))
    rules: type[AnyGame] = getattr(import_module(f"{_built_in_modules()[name]}.rules"), class_name)
    return rules
