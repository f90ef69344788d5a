"""Many games at once, compiled: they play as the interpreted rules do."""

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

import numpy as np

from duelbook import GAMES, Outcome, make
from duelbook.compiled import new_batch, random_moves, step
from duelbook.features import numbers_of, shown_options

LIMIT = 300


@pytest.mark.parametrize("name", GAMES)
def test_a_step_plays_one_move_in_every_game_and_restarts_those_that_are_over(name: str) -> None:
    game, chance = make(name), np.random.default_rng(1)
    batch, states = new_batch(game, 20), [game.initial()] * 20
    for _ in range(40):
        moves = random_moves(batch, chance.random(20))
        ends = step(game, batch, moves, LIMIT)
        for number, move in enumerate(moves.tolist()):
            state = game.play(states[number], move)
            assert ends.outcomes[number] == game.outcome(state)
            assert ends.over[number] == (game.outcome(state) is not Outcome.UNDECIDED)
            states[number] = game.initial() if ends.over[number] else state
            mover = game.mover(states[number])
            assert batch.rows[number].tolist() == [*numbers_of(states[number]), *shown_options(game, mover)]
            assert batch.movers[number] == mover
            assert batch.legal[number].nonzero()[0].tolist() == list(game.legal_moves(states[number]))


@pytest.mark.parametrize("name", GAMES)
def test_a_random_number_picks_one_of_the_legal_moves(name: str) -> None:
    game, chance, picked = make(name), np.random.default_rng(3), set()
    batch = new_batch(game, 50)
    for _ in range(30):
        chances = chance.random(50)
        moves = random_moves(batch, chances)
        for legal, number, move in zip(batch.legal[:-1], chances, moves, strict=True):
            open_moves = legal.nonzero()[0]
            assert move == open_moves[int(number * len(open_moves))]
        picked |= set(moves.tolist())
        step(game, batch, moves, LIMIT)
    assert random_moves(batch, np.zeros(50)).tolist() == [int(legal.argmax()) for legal in batch.legal[:-1]]
    assert len(picked) > game.num_moves / 2
