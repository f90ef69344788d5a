"""Values in words: the best move and the reason for it, in moves for players and in plies for research."""

import random
from typing import Any, NamedTuple

from duelbook.agents.estimate import SEARCH_GAMES, SEARCH_SECONDS, EstimatedMove, estimate_moves
from duelbook.game import AnyGame, Outcome, offered_moves
from duelbook.solve import ScoredMove, Value, solved, try_solve
from duelbook.text import plural


class Hint(NamedTuple):
    """The best move, and the reason as text that follows its name and a colon."""

    move: str
    why: str


def hint(game: AnyGame, state: Any) -> Hint | None:
    """Return the best move that the computer may suggest, or None if the game is over.

    In a game that is too large to be solved it is an estimate, and says so.
    """
    if not try_solve(game):
        return _estimated_hint(game, state)
    solution = solved(game)
    scored = solution.moves(state)
    if not scored:
        return None
    offered = offered_moves(game, state)
    best = next(move for move in scored if move.move in offered)
    is_only_one = sum(move.value == best.value for move in scored) == 1 < len(scored)
    others = {Value.LOSS: "; every other move loses", Value.DRAW: "; every other move only draws"}
    contrast = others.get(scored[1].value, "") if is_only_one else ""
    return Hint(
        game.move_name(state, best.move), f"{_reason(best, solution.own_moves(state, best.move) or 0)}{contrast}."
    )


def _estimated_hint(game: AnyGame, state: Any) -> Hint | None:
    estimates = estimated_moves(game, state)
    return Hint(game.move_name(state, estimates[0].move), f"{_estimated_reason(estimates[0])}.") if estimates else None


def _estimated_reason(best: EstimatedMove) -> str:
    if best.outcome == Outcome.DRAW:
        return "an estimate: it draws, and the search finds nothing better"
    if best.outcome != Outcome.UNDECIDED and best.score == 0:
        return "every move loses; this one holds out longest"
    if best.outcome != Outcome.UNDECIDED:
        return "wins at once" if best.plies == 1 else "wins, as a search to the end shows"
    return f"an estimate: it scores {percent(best.score)} in simulated games, since this game is too large to be solved"


def estimated_moves(
    game: AnyGame, state: Any, games: int = SEARCH_GAMES, seconds: float = SEARCH_SECONDS
) -> list[EstimatedMove]:
    """Return the moves with their estimated scores, best first: the same ones for the same position."""
    return estimate_moves(game, state, random.Random(0), games, seconds)


def percent(score: float) -> str:
    """Return `about 62%`."""
    return f"about {score:.0%}"


def _reason(best: ScoredMove, turns: int) -> str:
    if best.value is Value.DRAW:
        return "holds the draw"
    if best.value is Value.LOSS:
        return f"every move loses; this one holds out longest ({plural(turns, 'more turn')})"
    if best.plies == 1:
        return "wins at once"
    return "wins whatever your opponent replies" if turns == 1 else f"wins in {turns} of your moves"


def plies_text(plies: int) -> str:
    """Return `1 ply` or `3 plies`."""
    return "1 ply" if plies == 1 else f"{plies} plies"
