"""A game's folder: what belongs to a game stands beside its rules."""

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError, game_error


def game_folder(game: AnyGame | type[AnyGame]) -> Path | None:
    """Return the folder that holds the rules of the game, or None if no file does, as in a notebook."""
    rules = game if isinstance(game, type) else type(game)
    file = getattr(sys.modules.get(rules.__module__), "__file__", None)
    return Path(file).resolve().parent if file else None


def game_file(game: AnyGame | type[AnyGame], name: str) -> Path | None:
    """Return the file with this name in the game's folder, if there is one."""
    folder = game_folder(game)
    file = folder / name if folder else None
    return file if file and file.is_file() else None


def game_module(game: AnyGame | type[AnyGame], name: str) -> ModuleType | None:
    """Return the module with this name in the game's folder, such as `narration`, if there is one.

    Raise BrokenGameError if it cannot be imported.
    """
    rules = game if isinstance(game, type) else type(game)
    file = game_file(rules, f"{name}.py")
    if file is None:
        return None
    package = rules.__module__.rpartition(".")[0]
    if not package:
        found = find_spec(name)  # beside rules in a file of its own; another module may have that name, too
        if found is None or found.origin is None or Path(found.origin).resolve() != file:
            return None
    try:
        return importlib.import_module(f"{package}.{name}" if package else name)
    except Exception as error:
        raise game_error(error, rules) or error from error


def game_value(game: AnyGame, module: str, name: str) -> Any:
    """Return what has this name in a module of the game's folder, or None if there is no such module.

    Raise BrokenGameError if the module lacks it.
    """
    found = game_module(game, module)
    if found and not hasattr(found, name):
        raise BrokenGameError(f"The game {type(game).__name__} is broken: {found.__file__} has no {name}.")
    return getattr(found, name, None)
