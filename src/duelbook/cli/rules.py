"""`duelbook rules`: the rules of one game."""

from typing import Annotated

from duelbook.cli.app import GAME, app
from duelbook.games import find_rules
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import Screen


@app.command("rules")
def rules(game: Annotated[str, GAME]) -> None:
    """Show the rules of a game and its options."""
    find_rules(game)
    rules_page(game, Screen())
