"""Openings: a few moves that chance makes before the agents take over, the same from both seats.

Without them, two agents that never vary would play the same match again and again, and every repetition would look like
evidence.
"""

import random
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, canonical_or_same
from duelbook.solve import Solution, Value, solved
from duelbook.text import shorten

MAX_MOVES = 4
MIN_PLIES_LEFT = 3  # with best play: the winner has to find at least two moves
WALKS = 400  # random ways into the game that are looked at, …
FEW_WALKS = 40  # … or only these if each pair has a start of its own
MAX_LOOKED_AT = 10_000  # states after an opening
MAX_POOLS = 1000  # that are remembered

Opening = tuple[Move, ...]
NO_MOVES: Opening = ()


class Openings(StrEnum):
    """What chance decides before the agents take over."""

    BALANCED = "balanced"  # also a few moves, to positions that are won for each side in turn and can still be spoilt
    BOOK = "book"  # only what the rule book draws, such as the words of Alpha Chase
    NONE = "none"  # nothing: all matches of a game have the same start, for which the book's draws are made once


def read_openings(text: str) -> Openings:
    """Return what the text names, or raise RefusedError."""
    if text not in list(Openings):
        raise RefusedError(f"openings must be one of {', '.join(Openings)}, not {shorten(repr(text))}.")
    return Openings(text)


class OpeningPool(NamedTuple):
    """The openings of a game, no two of them alike, in the order in which pairs of matches get them."""

    openings: tuple[Opening, ...]

    def of(self, pair: int) -> Opening:
        """Return the opening of a pair. After the last one, the first comes again."""
        return self.openings[pair % len(self.openings)] if self.openings else NO_MOVES


@lru_cache(MAX_POOLS)
def draw_openings(game: AnyGame, seed: int, walks: int = WALKS, *, exact: bool = True) -> OpeningPool:
    """Return openings of a game: those that are won for the first and for the second player in turn, then drawn ones.

    In each, the player who would win needs more than one move, and can give the win away with the next one. Unless the
    values are `exact`, for which the game is solved, nobody can win at once. Either way both players have something to
    choose. There is no opening if no position of the game is such. More `walks` find more openings.
    """
    rng, solution = random.Random(seed), solved(game) if exact else None
    canonical = canonical_or_same(game)
    found: dict[Value, list[Opening]] = {Value.WIN: [], Value.LOSS: [], Value.DRAW: []}  # by value to the first player
    seen = set()
    for _ in range(walks):
        state, moves = _walk(game, rng)
        if (alike := canonical(state)) not in seen and is_open(game, state, solution):
            value = solution.value(state) if solution else Value.DRAW
            found[Value(-value) if game.mover(state) else value].append(moves)
        seen.add(alike)
    return OpeningPool((*_in_turn(found[Value.WIN], found[Value.LOSS]), *found[Value.DRAW]))


def is_open(game: AnyGame, state: Any, solution: Solution | None) -> bool:
    """Return True if the result is still open: it takes some moves, and the player who would win can still go wrong.

    Both players must have something to choose, or a match would measure nothing of one of them.
    """
    if game.outcome(state) is not Outcome.UNDECIDED or not _both_choose(game, state):
        return False
    if solution is None:
        return all(game.outcome(following) is Outcome.UNDECIDED for following in _after(game, state))
    left = solution.remoteness(state)
    if left is not None and left < MIN_PLIES_LEFT:
        return False
    if solution.value(state) != Value.LOSS:
        return _can_go_wrong(game, state, solution)
    return any(
        game.outcome(following) is Outcome.UNDECIDED
        and game.mover(following) != game.mover(state)
        and _can_go_wrong(game, following, solution)
        for following in _after(game, state)
    )


def _both_choose(game: AnyGame, state: Any) -> bool:
    """Return True if each player has several moves, now or later, or if there are very many states to look at."""
    choosing, states, seen = set(), [state], {state}
    for one in states:  # which grows
        following = list(_after(game, one))
        if len(following) > 1:
            choosing.add(game.mover(one))
        if len(choosing) == 2 or len(states) > MAX_LOOKED_AT:
            return True
        states += (new := dict.fromkeys(following).keys() - seen)
        seen |= new
    return False


def _after(game: AnyGame, state: Any) -> Iterator[Any]:
    return (game.play(state, move) for move in game.legal_moves(state))


def _can_go_wrong(game: AnyGame, state: Any, solution: Solution) -> bool:
    """Return True if some move of the player, who has not lost yet, gives value away."""
    mover, value = game.mover(state), solution.value(state)
    return any(
        solution.value(following) != (value if game.mover(following) == mover else -value)
        for following in _after(game, state)
    )


def _walk(game: AnyGame, rng: random.Random) -> tuple[Any, Opening]:
    """Make up to MAX_MOVES random moves; return the state that they lead to, and the moves."""
    state, moves = game.initial(), []
    for _ in range(rng.randint(1, MAX_MOVES)):
        legal = list(game.legal_moves(state))
        if not legal:
            break
        moves.append(rng.choice(legal))
        state = game.play(state, moves[-1])
    return state, tuple(moves)


def _in_turn(*lists: Sequence[Opening]) -> list[Opening]:
    """Return what the lists that are not empty hold, one of each in turn until the shortest of them is used up."""
    filled = [one for one in lists if one]
    return [opening for row in zip(*filled, strict=False) for opening in row]
