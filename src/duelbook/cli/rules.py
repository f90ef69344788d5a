"""`duelbook rules`: the rules of one game."""

from typing import Annotated

import typer

from duelbook.cli.app import GAME, OPTION, PRESET_OPTION, app, rule_options
from duelbook.games import find_rules, make
from duelbook.options import drawn_options
from duelbook.presets import expand_preset
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import Screen


@app.command("rules")
def rules(
    game: Annotated[str, GAME],
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    full: Annotated[bool, typer.Option("--full", help="Show examples and tips, too.")] = False,
) -> None:
    """Show the rules and the options of a game.

    The rules are shown as they are with the options that are given.
    """
    rules_class = find_rules(game)
    given = expand_preset(rules_class, rule_options(option, preset))
    rules_page(make(game, **given), Screen(), drawn_options(rules_class, given), full=full)
