"""The games. A new game is a folder beside this file, or a package of its own: see docs/write-a-game.md."""

import sys
import traceback
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError, game_error
from duelbook.game_folder import game_file
from duelbook.games.registry import GameRegistry
from duelbook.narration import narration_class
from duelbook.options import drawn_options, read_options
from duelbook.presets import expand_preset
from duelbook.registry import BUILT_IN as BUILT_IN
from duelbook.registry import UnknownNameError, kebab_case
from duelbook.rules_text import FILE as RULES_FILE
from duelbook.rules_text import Medium, RulesText, fill_rules
from duelbook.text import did_you_mean, sentence, shorten

GAMES = GameRegistry()


class Example(NamedTuple):
    """A game, or a part of one, from a rule book. The audit replays the examples in a game's `examples.py`."""

    title: str
    moves: tuple[str, ...]
    winner: str = ""  # `first` or `second` if the book names one
    ruling: str = ""  # the ruling that settles it if the example breaks the rules


def make(name: str | AnyGame, /, **options: Any) -> AnyGame:
    """Return the game with this name. Options may be text or typed; the default is the rule book's value.

    `preset` is the name of a preset, whose options are then the default, as in `make("charge", preset="book")`.
    A game instead of a name is returned as it is. Raise RefusedError if the name, an option or a value is unknown.
    """
    if not isinstance(name, str):
        if options:
            raise RefusedError(f"{shorten(repr(name))} is a game with its options already; do not give options again.")
        return name
    rules = find_rules(name)
    return rules(**read_options(rules, expand_preset(rules, options)))


def find_rules(name: str) -> type[AnyGame]:
    """Return the rules class of the game with this name, or raise RefusedError."""
    if name not in GAMES:
        if problem := GAMES.problem(name):
            raise BrokenGameError(problem)  # of which the service tells its clients no details
        close = did_you_mean(name, GAMES)
        raise UnknownNameError(GAMES, name, f"Unknown game '{shorten(name)}'.{close} Games: {', '.join(GAMES)}.")
    return GAMES[name]


def name_of(game: AnyGame) -> str:
    """Return the name under which the game is registered, or raise RefusedError with how to register it."""
    name = GAMES.find_name(type(game))
    if name is None:
        rules = type(game).__name__
        how = GAMES.how_to_register.format(name=kebab_case(rules), rules=rules)
        raise RefusedError(f"The game {rules} has no name yet. {how}")
    return name


def is_registered(game: AnyGame) -> bool:
    """Return True if the game has a name, by which other processes find it."""
    return GAMES.find_name(type(game)) is not None


def label(game: AnyGame) -> str:
    """Return the name of the game; that of a game that is not registered follows from its class."""
    return GAMES.find_name(type(game)) or kebab_case(type(game).__name__)


def origin(name: str) -> str:
    """Return where the game comes from: `built in`, a package with its version, or the environment variable."""
    return GAMES.origin(name)


def problems() -> tuple[str, ...]:
    """Return one sentence about each game from outside that cannot be used."""
    return GAMES.problems()


def broken_narrations() -> Iterator[str]:
    """Return one sentence about each game that can be used but whose narration cannot be loaded."""
    for name in GAMES:
        try:
            narration_class(make(name))
        except RefusedError as error:
            yield str(error)


def broken_game(error: BaseException) -> BrokenGameError | None:
    """Return the error as one of the game whose own code it came out of, or None if it came from elsewhere."""
    if isinstance(error, BrokenGameError):
        return error
    found = [(rules, broken) for rules in GAMES.values() if (broken := game_error(error, rules))]
    modules = {frame.f_globals.get("__name__") for frame, _ in traceback.walk_tb(error.__traceback__)}
    found.sort(key=lambda one: one[0].__module__ not in modules)  # several games may share a folder
    return found[0][1] if found else None


def title(name: str) -> str:
    """Return the name as a heading: `alpha-chase` becomes Alpha Chase."""
    return name.replace("-", " ").title()


def aim(game: str | AnyGame) -> str:
    """Return the aim of the game in one line: the docstring of its rules after the title, or that of its class."""
    rules = find_rules(game) if isinstance(game, str) else type(game)
    doc = (getattr(sys.modules.get(rules.__module__), "__doc__", "") or "").partition(": ")[2] or rules.__doc__ or ""
    return "" if doc.startswith(f"{rules.__name__}(") else doc.split("\n")[0]  # what a dataclass has by default


def rules_text(game: str | AnyGame, medium: Medium = Medium.TERMINAL) -> str:
    """Return the rules page of the game as Markdown, with the options in force.

    A game by its name has the options of the rule book, without what is drawn or chosen for a match. A game without a
    page, or with one that is broken, has its title and aim.
    """
    unknown = drawn_options(find_rules(game)) if isinstance(game, str) else ()
    try:
        return read_rules(make(game), medium, unknown).text
    except BrokenGameError:
        return _title_and_aim(make(game))


def read_rules(game: AnyGame, medium: Medium, unknown: Collection[str] = ()) -> RulesText:
    """Return the rules page of the game, and its pictures. Raise BrokenGameError if something in it is wrong.

    `unknown` names the options that are drawn or chosen later.
    """
    page = game_file(game, RULES_FILE)
    if page is None:
        return RulesText(_title_and_aim(game), ())
    try:
        return fill_rules(page.read_text(encoding="utf-8", errors="replace"), game, medium, unknown)
    except RefusedError as error:
        raise BrokenGameError(f"The game {type(game).__name__} is broken: {page}: {error}") from error


def _title_and_aim(game: AnyGame) -> str:
    return f"# {title(label(game))}\n\n{sentence(aim(game))}\n"
