"""The line at the end of a match: where it is kept, and the command with which to continue or review it."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.play.table import Table


def after_text(table: "Table") -> str:
    """Return how to review a match that is over."""
    if saved := _saved_file(table):
        file = shlex.quote(str(saved))
        return f"Review this game with: duelbook review {file} (or step through it with duelbook replay)"
    if _is_kept(table):
        assert table.setup.keeper
        number = f" {table.setup.keeper.number}" if table.setup.in_series else ""
        return f"Review this game with: duelbook review{number} (or step through it with duelbook replay{number})"
    if table.setup.keeper:
        return "The end of this game is not kept." if table.setup.keeper.number else "This game is not kept."
    return "This game is not kept. To review or replay a game, play it without --no-history."


def leaving_text(table: "Table") -> str:
    """Return how to continue a match that is left, or what of it is not saved."""
    if saved := _saved_file(table):
        return f"The game is saved. Resume it with: duelbook play --resume {shlex.quote(str(saved))}"
    if _is_kept(table):
        assert table.setup.keeper
        return f"The game is kept. Resume it with: duelbook resume {table.setup.keeper.number}"
    if table.saved:
        path, moves, _ = table.saved
        return (
            f"The game was saved after {plural(len(moves), 'move')}; what was played since is not. "
            f"Resume it from there with: duelbook play --resume {shlex.quote(str(path))}"
        )
    if not table.match.moves:
        return "The game is unfinished. No move was played, so there is nothing to keep."
    if table.setup.keeper and (number := table.setup.keeper.number):
        return f"The last moves are not kept. Resume the game from before them with: duelbook resume {number}"
    if table.setup.keeper:
        return "The game is unfinished, and it is not kept."
    return "The game is unfinished, and it is not kept. To keep one, type save FILE or play it without --no-history."


def _saved_file(table: "Table") -> Path | None:
    """Return the file that holds all of the match, if there is one."""
    if table.saved and table.saved[1:] == ([*table.match.moves], table.match.reason):
        return table.saved[0]
    return None


def _is_kept(table: "Table") -> bool:
    keeper = table.setup.keeper
    return keeper is not None and keeper.number is not None and keeper.up_to_date
