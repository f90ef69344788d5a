"""The line at the end of a match: where it is kept, and the command with which to continue or review it."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.terminal.session import Session


def after_text(session: "Session") -> str:
    """Return how to review a match that is over."""
    if saved := _saved_file(session):
        file = shlex.quote(str(saved))
        return f"Review this game with: duelbook review {file} (or step through it with duelbook replay)"
    if _is_kept(session):
        assert session.setup.keeper
        number = f" {session.setup.keeper.number}" if session.setup.in_series else ""
        return f"Review this game with: duelbook review{number} (or step through it with duelbook replay{number})"
    if session.setup.keeper:
        return "The end of this game is not kept." if session.setup.keeper.number else "This game is not kept."
    return "This game is not kept. To review or replay a game, play it without --no-history."


def leaving_text(session: "Session") -> str:
    """Return how to continue a match that is left, or what of it is not saved."""
    if saved := _saved_file(session):
        return f"The game is saved. Resume it with: duelbook play --resume {shlex.quote(str(saved))}"
    if _is_kept(session):
        assert session.setup.keeper
        return f"The game is kept. Resume it with: duelbook resume {session.setup.keeper.number}"
    if session.last_save:
        path, moves, _ = session.last_save
        return (
            f"The game was saved after {plural(len(moves), 'move')}; what was played since is not. "
            f"Resume it from there with: duelbook play --resume {shlex.quote(str(path))}"
        )
    if not session.match.moves:
        return "The game is unfinished. No move was played, so there is nothing to keep."
    if session.setup.keeper and (number := session.setup.keeper.number):
        return f"The last moves are not kept. Resume the game from before them with: duelbook resume {number}"
    if session.setup.keeper:
        return "The game is unfinished, and it is not kept."
    return "The game is unfinished, and it is not kept. To keep one, type save FILE or play it without --no-history."


def _saved_file(session: "Session") -> Path | None:
    """Return the file that holds all of the match, if there is one."""
    if session.last_save and session.last_save[1:] == ([*session.match.moves], session.match.reason):
        return session.last_save[0]
    return None


def _is_kept(session: "Session") -> bool:
    keeper = session.setup.keeper
    return keeper is not None and keeper.number is not None and keeper.up_to_date
