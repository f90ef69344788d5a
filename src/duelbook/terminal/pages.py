"""The list of games, and the rules of one game."""

from collections.abc import Callable, Collection

from duelbook.game import AnyGame, has_choices
from duelbook.game_errors import BrokenGameError
from duelbook.games import GAMES, aim, broken_narrations, find_rules, origin, problems, read_rules, rules_text
from duelbook.guide import guide_text
from duelbook.options import Option, drawn_options, option_text, options_of
from duelbook.presets import Preset, presets_of
from duelbook.rules_text import Medium
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import sentence

MIN_TABLE_COLUMNS = 60  # in a narrower terminal, a table would cut words


def games_page(screen: Screen) -> None:
    """Show every game with its name, its aim and where it comes from, then what is wrong with some of them."""
    if screen.plain or (screen.columns or MIN_TABLE_COLUMNS) < MIN_TABLE_COLUMNS:
        width = max(map(len, GAMES))
        screen.say("\n".join(f"{name.ljust(width)}  {_summary(name)} ({origin(name)})" for name in GAMES))
        _problem_lines(screen)
        return
    from rich.table import Column, Table

    table = Table(Column("game", no_wrap=True), "aim", Column("from", no_wrap=True))
    for name in GAMES:
        table.add_row(name, _summary(name), origin(name))
    screen.show(table)
    _problem_lines(screen)


def _problem_lines(screen: Screen) -> None:
    for problem in (*problems(), *broken_narrations()):
        screen.say(problem, WARNING)


def rules_page(game: AnyGame, screen: Screen, unknown: Collection[str] = (), *, full: bool = False) -> None:
    """Show the rules of a game as they are with its options, then its options and its presets.

    `unknown` names the options that are drawn or chosen later. `full` adds examples and tips, if the game has some.
    """
    problem = guide = ""
    try:
        rules = read_rules(game, Medium.TERMINAL, unknown).text
        guide = guide_text(game) if full else ""
    except BrokenGameError as error:
        rules, problem = rules_text(game), str(error)
    text = "\n".join(filter(None, (rules, guide, options_text(game))))
    if screen.plain:
        screen.say(text)
    else:
        from rich.markdown import Markdown

        screen.show(Markdown(text))
    if problem:
        screen.say(problem, WARNING)
    elif full and not guide:
        screen.say("This game has no examples and tips.", NOTE)


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


def _summary(name: str) -> str:
    """Return the aim of the game, and what is drawn for each match."""
    drawn = " and ".join(drawn_options(find_rules(name)))
    return f"{sentence(aim(name))} Drawn for each match: {drawn}." if drawn else sentence(aim(name))
