"""A game's folder: what belongs to a game stands beside its rules."""

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from duelbook.game import AnyGame


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
    """Return the module with this name in the game's folder, such as `narration`, if there is one."""
    rules = game if isinstance(game, type) else type(game)
    file = game_file(rules, f"{name}.py")
    if file is None:
        return None
    package = rules.__module__.rpartition(".")[0]
    if package:
        return importlib.import_module(f"{package}.{name}")
    found = find_spec(name)  # beside rules in a file of its own; another module may have that name, too
    same = found is not None and found.origin is not None and Path(found.origin).resolve() == file
    return importlib.import_module(name) if same else None
