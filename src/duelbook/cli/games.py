"""`duelbook games`: the list of games."""

from duelbook.cli.app import app
from duelbook.terminal.pages import games_page
from duelbook.terminal.screen import Screen


@app.command("games")
def games() -> None:
    """List the games."""
    games_page(Screen())
