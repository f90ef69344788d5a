"""A model's reply, read strictly: the last line names the move, or there is none."""

import re

from duelbook.agents.llm.secret import Hide
from duelbook.dialogue import narration_class
from duelbook.errors import RefusedError
from duelbook.game import IllegalMoveError, Move, parse_move
from duelbook.match import MatchView
from duelbook.narration import Table
from duelbook.text import fold, shorten

LAST_LINE = re.compile(r"MOVE: +(\S(?:.*\S)?)")
LONGEST_NAME = 100  # characters


def read_move(reply: str, match: MatchView, *, show_legal: bool, hide: Hide = str) -> Move:
    """Answer the move that the last line names, or refuse the reply with the reason, which does not quote the key."""
    last = reply.rstrip().rpartition("\n")[2].strip()
    found = LAST_LINE.fullmatch(last)
    if not last:
        raise RefusedError("the reply was empty")
    if not found:
        raise RefusedError(f"the last line was '{shorten(hide(last))}', not `MOVE: ` and the name of a move")
    name = found.group(1)
    if len(name) > LONGEST_NAME:
        raise RefusedError("no move has so long a name")
    try:
        return parse_move(match.game, match.state, name)
    except IllegalMoveError as error:
        quoted = hide(name)
        why = narration_class(match.game)(match.game, Table()).why(match.state, fold(quoted))
        legal = f"; {error.allowed()}" if show_legal else ""
        raise RefusedError(f"'{shorten(quoted)}' is not legal here{why and f', since {why}'}{legal}") from error
