"""What the folders of the games bring for the tests: variants, oracles, sample sessions, golden and perft files.

They stand in the folder `tests` beside a game's rules. Each part is optional: a game without variants has its book's.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from duelbook import GAMES, make
from duelbook.game_folder import game_folder
from duelbook.study.daily_puzzle import has_many_positions
from scripts.game_pages import shipped_games

MAX_SMALL_STATES = 3000
Oracle = Callable[[Mapping[str, Any], list[str]], tuple[list[str], str]]
"""A second reading of the book: options and move names to the names of the legal moves, and the winner or nothing."""


def tests_folder(name: str) -> Path:
    """Return the folder with what a game brings for its tests, which need not exist."""
    folder = game_folder(GAMES[name])
    assert folder
    return folder / "tests"


def brought(name: str, module: str, attribute: str) -> Any:
    """Return what a module in a game's `tests` folder defines, or None if there is no such module."""
    package = GAMES[name].__module__.rpartition(".")[0]
    exists = (tests_folder(name) / f"{module}.py").exists()
    return getattr(import_module(f"{package}.tests.{module}"), attribute, None) if exists else None


def variants() -> list[tuple[str, dict[str, str]]]:
    """Return the name and the options of every variant of every game that comes with Duelbook."""
    return [(name, options) for name in shipped_games() for options in variants_of(name)]


def variants_of(name: str) -> list[dict[str, str]]:
    """Return the options of a game that tests try."""
    return brought(name, "variants", "VARIANTS") or [{}]


def short_variants(name: str) -> list[dict[str, int | str]]:
    """Return options of a game with which a match has few moves and nothing is left to choose before its start."""
    return brought(name, "variants", "SHORT") or [{}]


def small_variants() -> list[tuple[str, dict[str, int | str]]]:
    """Return variants with so few states that a naive method can solve them; by default the book's, if it has few."""
    found: list[tuple[str, dict[str, int | str]]] = []
    for name in shipped_games():
        default: list[dict[str, int | str]] = [] if has_many_positions(make(name), MAX_SMALL_STATES) else [{}]
        found += [(name, options) for options in brought(name, "variants", "SMALL") or default]
    return found


def long_options(name: str) -> dict[str, int | str]:
    """Return options of a game that lasts at least eight moves and is quickly solved."""
    return brought(name, "variants", "LONG") or {}


def oracles() -> dict[str, Oracle]:
    found = {name: brought(name, "oracle", "verdict") for name in shipped_games()}
    return {name: oracle for name, oracle in found.items() if oracle}


def sessions() -> dict[str, Path]:
    """Return the files with the sample sessions of the books, by game."""
    found = {name: tests_folder(name) / "session.txt" for name in shipped_games()}
    return {name: file for name, file in found.items() if file.exists()}


def file_of(folder: str, name: str, options: dict[str, str]) -> Path:
    """Return the golden or perft file of a variant."""
    stem = ",".join(f"{key}={value}" for key, value in options.items()) or "book"
    return tests_folder(name) / folder / f"{stem}.txt"
