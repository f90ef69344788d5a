"""Many games at once, compiled: they play as the interpreted rules do."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

import numpy as np

from duelbook import Outcome, make
from duelbook.compiled import new_batch, new_turn, playouts, random_moves, step
from duelbook.compiled.batch import guess_run
from duelbook.compiled.kernel import UNKNOWN_MOVE, WORD_BITS, mark_by_walking, mark_runs
from duelbook.compiled.show import NO_GAME, first_illegal, write_masks
from duelbook.envs.observation import reward
from duelbook.features import numbers_of, shown_options
from duelbook.game import AnyGame
from tests.support.games.pits import Pits, State, decided

LIMIT = 300


@dataclass(frozen=True)
class CountedPits(Pits):
    """Finds its legal moves, which seldom follow each other."""

    def count_legal(self, state: State) -> int:
        return 0 if decided(self.pits, state) else state.full.bit_count()

    def nth_legal(self, state: State, n: int) -> int:
        full = state.full
        for _ in range(n):
            full &= full - 1
        return (full & -full).bit_length() - 1


@pytest.mark.parametrize("name", ["word-clash", "charge", Pits(), CountedPits(), CountedPits(20)], ids=str)
def test_a_step_plays_one_move_in_every_game_and_restarts_those_that_are_over(name: str | AnyGame) -> None:
    game, chance = make(name), np.random.default_rng(1)
    batch, turn, states = new_batch(game, 20), new_turn(20), [game.initial()] * 20
    for _ in range(40):
        moves = random_moves(batch, chance.random(20))
        ended = iter(step(batch, moves, LIMIT, turn).rows.tolist())
        for number, move in enumerate(moves.tolist()):
            state = game.play(states[number], move)
            over = game.outcome(state) is not Outcome.UNDECIDED
            assert turn.outcomes[number] == game.outcome(state)
            assert (turn.terminated[number], turn.truncated[number]) == (over, False)
            assert turn.rewards[number] == reward(game.outcome(state), game.mover(states[number]))
            if over:
                assert next(ended) == [*numbers_of(state), *shown_options(game, game.mover(state))]
            states[number] = game.initial() if over else state
            mover = game.mover(states[number])
            assert turn.movers[number] == mover
            assert batch.rows[number].tolist() == [*numbers_of(states[number]), *shown_options(game, mover)]
            assert batch.movers[number] == mover
            assert batch.legal[number].nonzero()[0].tolist() == list(game.legal_moves(states[number]))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_that_finds_its_moves_plays_the_same_random_games(seed: int) -> None:
    assert playouts(Pits(), 500, seed) == playouts(CountedPits(), 500, seed)
    plain, counted = new_batch(Pits(), 20), new_batch(CountedPits(), 20)
    chances = np.random.default_rng(seed).random((10, 20))
    for row in chances:
        moves = random_moves(plain, row)
        assert moves.tolist() == random_moves(counted, row).tolist()
        step(plain, moves, LIMIT, new_turn(20))
        step(counted, moves, LIMIT, new_turn(20))


def test_a_guess_of_how_legal_moves_follow_each_other_divides_their_runs() -> None:
    assert [guess_run(game) for game in (make("word-clash"), make("word-clash", length=3), Pits())] == [26, 26, 1]


class Listed:
    """A game whose state is the list of its legal moves."""

    def legal_moves(self, state: list[int]) -> Iterator[int]:
        return iter(state)

    def count_legal(self, state: list[int]) -> int:
        return len(state)

    def nth_legal(self, state: list[int], n: int) -> int:
        return state[n]


@pytest.mark.parametrize("num_moves", [1, 63, 64, 65, 128, 260])
@pytest.mark.parametrize("mark", [mark_by_walking, mark_runs])
def test_exactly_the_bits_of_the_legal_moves_are_set(mark: Callable[..., int], num_moves: int) -> None:
    chance = random.Random(num_moves)
    for share in (0, 0.1, 0.5, 0.9, 1):
        for run in (1, 2, 26, 64, 1000):
            legal = [move for move in range(num_moves) if chance.random() < share]
            words = [-1] * -(-num_moves // WORD_BITS)
            assert mark(Listed(), legal, words, num_moves, run) == len(legal)
            bits = sum(word % (1 << WORD_BITS) << WORD_BITS * place for place, word in enumerate(words))
            assert bits == sum(1 << move for move in legal)
    for unknown in (-1, num_moves):
        assert mark(Listed(), [unknown], words, num_moves, 1) == UNKNOWN_MOVE


@pytest.mark.parametrize("num_moves", [1, 7, 8, 9, 64, 65, 260])
def test_masks_and_random_moves_are_those_of_the_bits(num_moves: int) -> None:
    chance, games = np.random.default_rng(num_moves), 30
    legal: Any = chance.integers(0, 2, (games, num_moves), np.uint8)
    legal[range(games), chance.integers(0, num_moves, games)] = 1  # at least one
    padded = np.pad(legal, ((0, 0), (0, -num_moves % WORD_BITS)))
    words: Any = np.packbits(padded, axis=1, bitorder="little").view("<i8").astype(np.int64)
    batch = new_batch(Pits(), games)._replace(words=words, choices=legal.sum(axis=1, dtype=np.int32))

    masks = np.full((games + 1, num_moves), 7, np.int8)
    write_masks(words, masks, 0, games)
    assert masks.tolist() == [*legal.tolist(), [7] * num_moves]

    chances = chance.random(games)
    chances[:2] = 0, np.nextafter(1, 0)
    moves = random_moves(batch, chances)
    picked = [row.nonzero()[0][int(part * row.sum())] for row, part in zip(legal, chances, strict=True)]
    assert moves.tolist() == picked
    assert first_illegal(words, num_moves, moves) == NO_GAME
    for wrong in (-1, num_moves, *(legal[17] == 0).nonzero()[0]):
        assert first_illegal(words, num_moves, np.where(np.arange(games) == 17, wrong, moves)) == 17
