"""Hypothesis strategies: any game with any options, and sequences of legal moves."""

from enum import IntEnum
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from duelbook import GAMES, RefusedError, make
from duelbook.game import AnyGame, Move
from duelbook.games.alpha_chase.words import BOOK_WORDS
from duelbook.options import Option, options_of


def values(option: Option) -> st.SearchStrategy[Any]:
    if option.limits:
        return st.integers(*option.limits)
    if option.names_or_file:
        return st.sampled_from(option.names_or_file.names)
    if issubclass(option.type, IntEnum):
        return st.sampled_from(list(option.type))
    if option.type is int:
        return st.integers(1, 100)
    return st.tuples(*[st.sampled_from(BOOK_WORDS)] * 2)


@st.composite
def games(draw: st.DrawFn, names: tuple[str, ...] = tuple(GAMES)) -> AnyGame:
    name = draw(st.sampled_from(names))
    drawn = {option.name: draw(st.just(option.default) | values(option)) for option in options_of(GAMES[name])}
    try:
        return make(name, **drawn)
    except RefusedError:  # a combination that the game refuses, such as an even number of cells
        assume(False)
        raise


@st.composite
def lines(draw: st.DrawFn, game: AnyGame, max_moves: int = 40) -> list[Move]:
    state, moves = game.initial(), []
    for _ in range(draw(st.integers(0, max_moves))):
        legal = list(game.legal_moves(state))
        if not legal:
            break
        moves.append(draw(st.sampled_from(legal)))
        state = game.play(state, moves[-1])
    return moves
