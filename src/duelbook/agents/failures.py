"""Failures of agents: whatever an agent from outside does instead of a legal move is its forfeit."""

import operator

from duelbook.agents.agent import Agent, Forfeit, ForfeitKind, StoppedError
from duelbook.agents.registry import is_own
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, Move, illegal_number
from duelbook.game_errors import game_error
from duelbook.match import ReadOnlyMatch
from duelbook.text import sanitize

MAX_DETAIL_CHARACTERS = 300


def chosen_move(agent: Agent, name: str, match: ReadOnlyMatch) -> Move:
    """Return the move that the agent with this name chooses. One from outside plays a legal move or raises Forfeit.

    StoppedError is raised as it is, and so is an error of one of Duelbook's own agents.
    """
    if is_own(name):
        return agent.choose(match)
    try:
        move = whole_number(agent.choose(match))
        if move not in match.game.legal_moves(match.state):
            raise illegal_number(match.game, match.state, move)
    except StoppedError:
        raise
    except (Exception, SystemExit) as error:
        raise as_forfeit(error, match.game) from error
    return move


def whole_number(answer: object) -> Move:
    """Return what an agent answered if it is a whole number, or raise IllegalMoveError."""
    try:
        return operator.index(answer)  # type: ignore[arg-type] # an agent may answer anything
    except TypeError:
        raise IllegalMoveError(repr(answer), ("a whole number",)) from None


def as_forfeit(error: BaseException, game: AnyGame) -> Forfeit:
    """Return the failure of an agent as its forfeit, in one line. Raise BrokenGameError if the game's code failed."""
    match error:
        case Forfeit():
            kind, detail = error.kind, str(error)
        case IllegalMoveError():
            kind, detail = ForfeitKind.ILLEGAL, str(error)
        case TimeoutError():
            kind, detail = ForfeitKind.TIMEOUT, str(error) or "The agent did not answer in time."
        case _:
            if broken := game_error(error, type(game)):  # no agent is to blame
                raise broken from error
            kind = ForfeitKind.ERROR
            detail = str(error) if isinstance(error, RefusedError) else f"{type(error).__name__}: {error}"
    return Forfeit(kind, sanitize(" ".join(detail.split()))[:MAX_DETAIL_CHARACTERS])
