"""The registry: every game by name, from this package, from other packages, and from an environment variable.

A game that cannot be used is left out. The registry keeps a sentence about it, and everything else works.
"""

import os
import pkgutil
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.options import check_texts
from duelbook.text import sanitize, shorten

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "duelbook.games"  # the group in which a package declares its games
VARIABLE = "DUELBOOK_GAMES"  # module:Class,… for a folder somebody is working in; child processes inherit it
BUILT_IN = "built in"
LIBRARY = Path(os.__file__).parent  # of Python
METHODS = ("initial", "mover", "legal_moves", "play", "outcome", "move_name", "render")
TARGET = re.compile(r"[\w.]+:\w+")
NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_NAME_CHARACTERS = 40  # as many as the database of the service keeps
DECORATOR = "@dataclass(frozen=True)"
RESERVED_NAMES = ("all",)  # a tournament of `all` has every game
HOW_TO_REGISTER = (
    f"Name it in the environment variable {VARIABLE}=module:{{0}}, or give its package an entry point in the group "
    f"{ENTRY_POINTS}. See: docs/write-a-game.md"
)
WHERE_MODULES_ARE = (
    "Modules are looked for in the current folder and among the installed packages: "
    "change to the folder that has {0} in it, or install its package"
)


class Source(NamedTuple):
    """Where a game from outside comes from: its name, `module:Class`, and the package or the variable."""

    name: str
    target: str
    origin: str


class Registry(Mapping[str, type[AnyGame]]):
    """Every game by name: those of this package in the order of their books, then all others by name.

    A game is imported when it is first asked for; those from outside when one of them, or all games, are asked for.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._outside: dict[str, type[AnyGame]] | None = None
        self._origins: dict[str, str] = {}
        self._problems: list[tuple[str, str]] = []  # the name of a game, if it is known, and the sentence about it

    def __getitem__(self, name: str) -> type[AnyGame]:
        return _built_in_rules(name) if name in _built_in_names() else self._load()[name]

    def __iter__(self) -> Iterator[str]:
        yield from _built_in_names()
        yield from sorted(self._load())

    def __len__(self) -> int:
        return len(_built_in_names()) + len(self._load())

    def __contains__(self, name: object) -> bool:
        return name in _built_in_names() or name in self._load()

    def find_name(self, rules: type[AnyGame]) -> str | None:
        """Return the name under which the rules are registered, if they are."""
        name = kebab_case(rules.__name__)
        if name in _built_in_names() and _built_in_rules(name) is rules:
            return name
        return next((name for name, outside in self._load().items() if outside is rules), None)

    def origin(self, name: str) -> str:
        """Return where the game comes from: `built in`, a package with its version, or the variable."""
        self._load()
        return self._origins.get(name, BUILT_IN)

    def problems(self) -> tuple[str, ...]:
        """Return one sentence about each game from outside that cannot be used."""
        self._load()
        return tuple(sentence for _, sentence in self._problems)

    def problem(self, name: str) -> str | None:
        """Return why the game of this name cannot be used, if somebody tried to add one."""
        self._load()
        return next((sentence for known, sentence in self._problems if known == name), None)

    def reload(self) -> None:
        """Forget the games from outside, so that the next use looks for them again."""
        with self._lock:
            self._outside, self._origins, self._problems = None, {}, []

    def _load(self) -> dict[str, type[AnyGame]]:
        """Return the games from outside. A module that asks for them while it is loaded sees those before it."""
        if self._outside is None:
            with self._lock:
                if self._outside is None:
                    self._outside = {}
                    for source in (*self._variable(), *self._entry_points()):
                        self._add(source)
        return self._outside

    def _variable(self) -> Iterator[Source]:
        """Return the games that the environment variable names, as `module:Class` or `name=module:Class`."""
        texts = [text.strip() for text in os.environ.get(VARIABLE, "").split(",")]
        if any(texts):
            _find_current_folder()
        for text in filter(None, texts):
            name, equals, target = text.partition("=")
            target = target if equals else text
            if not TARGET.fullmatch(target.strip()):
                sentence = f"{VARIABLE} must be module:Class or name=module:Class, not '{shorten(text)}'."
                self._problems.append(("", sentence))
                continue
            name = name.strip() if equals else kebab_case(target.strip().rpartition(":")[2])
            yield Source(name, target.strip(), VARIABLE)

    def _entry_points(self) -> Iterator[Source]:
        from importlib.metadata import entry_points  # slow to load, and a built-in game does not need it

        found = [(_package(point), point) for point in entry_points(group=ENTRY_POINTS)]
        for package, point in sorted(found, key=lambda one: (one[0], one[1].name)):
            yield Source(point.name, point.value, package)

    def _add(self, source: Source) -> None:
        assert self._outside is not None
        try:
            rules = _load_rules(source)
            if self._outside.get(source.name) is rules:
                return  # a package that is installed, and named by the variable, too
            self._check_name(source.name)
        except (Exception, SystemExit) as error:
            searched = source.target if source.origin == VARIABLE else ""
            why = sanitize(" ".join(_why(error, searched).split())).removesuffix(".")
            sentence = f"The game '{shorten(source.name)}' ({source.origin}) cannot be used. {why}."
            self._problems.append((source.name, sentence))
            return
        self._outside[source.name] = rules
        self._origins[source.name] = source.origin

    def _check_name(self, name: str) -> None:
        check_name(name)
        if name in _built_in_names():
            raise RefusedError("A built-in game has that name. Choose another one.")
        assert self._outside is not None
        if name in self._outside:
            raise RefusedError(f"The name is taken by {self._origins[name]}. Choose another one.")


def kebab_case(class_name: str) -> str:
    """Return the name of a class as the name of a game: `TallTower` becomes `tall-tower`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", class_name).replace("_", "-").lower()


def check_name(name: str) -> None:
    """Raise RefusedError unless a game can have this name."""
    if not NAME.fullmatch(name) or len(name) > MAX_NAME_CHARACTERS or name in RESERVED_NAMES:
        raise RefusedError(
            "Its name must begin with a small letter and have only small letters, digits and single hyphens, such as "
            f"tall-tower, and at most {MAX_NAME_CHARACTERS} characters. "
            f"It cannot be {' or '.join(map(repr, RESERVED_NAMES))}."
        )


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


def load_object(target: str) -> Any:
    """Return what `module:name` names, or raise RefusedError. Modules in the current folder are found, too."""
    if not TARGET.fullmatch(target):
        raise RefusedError(f"'{shorten(target)}' must be module:name, such as tower_oracle:verdict.")
    _find_current_folder()
    try:
        return _load(target)
    except (Exception, SystemExit) as error:
        raise RefusedError(f"Cannot load {shorten(target)}: {_why(error, target).removesuffix('.')}.") from error


def _find_current_folder() -> None:
    """Let modules in the current folder be found, where the program `duelbook` does not look."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _load_rules(source: Source) -> type[AnyGame]:
    """Return the class that the source names, or raise whatever prevents its use."""
    rules: type[AnyGame] = _load(source.target)
    check_rules(rules)
    return rules


def _why(error: BaseException, searched: str = "") -> str:
    """Return what went wrong, with the line of the game's module if that raised it.

    If the module `searched` was looked for in the current folder, too, and is not there, say what to do.
    """
    if isinstance(error, RefusedError):
        return str(error)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({error.filename}:{error.lineno})"
    place = traceback.extract_tb(error.__traceback__)[-1]
    library = place.filename.startswith("<frozen") or Path(place.filename).is_relative_to(LIBRARY)
    where = "" if library else f" ({place.filename}:{place.lineno})"
    folder = searched.partition(":")[0].partition(".")[0]
    absent = isinstance(error, ModuleNotFoundError) and error.name == folder
    return f"{type(error).__name__}: {error}{where}{f'. {WHERE_MODULES_ARE.format(shorten(folder))}' if absent else ''}"


def _load(target: str) -> Any:
    module, _, name = target.partition(":")
    found: Any = import_module(module.strip())
    for part in name.strip().split("."):
        found = getattr(found, part)
    return found


def _package(point: "EntryPoint") -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "a package without a name"


@cache
def _built_in_names() -> dict[str, str]:
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
    rules: type[AnyGame] = getattr(import_module(f"{_built_in_names()[name]}.rules"), class_name)
    return rules
