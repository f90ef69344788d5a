"""The rules of a game as a page, with its options and presets, and a game in a line. Front ends lay it out."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from duelbook.game import AnyGame, has_choices
from duelbook.game_errors import BrokenGameError
from duelbook.games import aim, find_rules, read_rules, rules_text
from duelbook.guide import guide_text
from duelbook.options import Option, drawn_options, option_text, options_of
from duelbook.presets import Preset, presets_of
from duelbook.rules_text import Medium
from duelbook.text import sentence

NO_GUIDE = "This game has no examples and tips."


class RulesPage(NamedTuple):
    """What a person reads about the rules of a game."""

    text: str  # Markdown
    problem: str = ""  # what is wrong with the game's own page
    note: str = ""


def read_rules_page(game: AnyGame, unknown: Collection[str] = (), *, full: bool = False) -> RulesPage:
    """Return the rules of a game as they are with its options, then its options and its presets.

    `unknown` names the options that are drawn or chosen later. `full` adds examples and tips, if the game has some.
    """
    problem = guide = ""
    try:
        rules = read_rules(game, Medium.TERMINAL, unknown).text
        guide = guide_text(game) if full else ""
    except BrokenGameError as error:
        rules, problem = rules_text(game), str(error)
    text = "\n".join(filter(None, (rules, guide, options_text(game))))
    return RulesPage(text, problem, NO_GUIDE if full and not guide and not problem else "")


def options_text(game: AnyGame) -> str:
    """Return the options and the presets of a game as Markdown lists."""
    rules: Callable[[], AnyGame] = type(game)
    book = rules()
    lines = [
        f"- `{option.name}`: {option.values()}; {_default(book, option)}. {sentence(option.about)}"
        for option in options_of(type(game))
    ]
    presets = [
        f"- `{preset.name}`: {preset.title}. {sentence(preset.about)}{_settings(preset)}"
        for preset in presets_of(type(game)).values()
    ]
    return "\n".join(["## Options", "", *(lines or ["None."]), "", "## Presets", "", *presets])


def _settings(preset: Preset) -> str:
    """Return the options of the preset as they are typed."""
    return "".join(f" `{name}={value}`" for name, value in preset.options.items())


def _default(game: AnyGame, option: Option) -> str:
    """Return what holds if the option is not given."""
    default = f"default `{option_text(getattr(game, option.name))}`"
    if not option.drawn:
        return default
    chosen = "chosen by the players or " if has_choices(game) and game.chosen == option.name else ""
    return f"{chosen}drawn for each match, {default} where nothing is drawn"


def game_summary(name: str) -> str:
    """Return the aim of the game, and what is drawn for each match."""
    drawn = " and ".join(drawn_options(find_rules(name)))
    return f"{sentence(aim(name))} Drawn for each match: {drawn}." if drawn else sentence(aim(name))
