"""Measuring: how many moves a second somebody plays at random."""

import random
import time
from collections.abc import Callable

from duelbook.game import AnyGame, Outcome
from duelbook.match import ply_limit

AT_ONCE = 4096  # games that move together

Player = Callable[[int], int]  # plays so many games, and answers how many moves they had


def moves_per_second(play_games: Player, seconds: float) -> float:
    """Answer the speed of a player, measured for so long at least."""
    games = 10
    while True:
        start = time.perf_counter()
        moves = play_games(games)
        spent = time.perf_counter() - start
        if spent >= seconds:
            return moves / spent
        games = max(games * 2, int(games * 1.2 * seconds / max(spent, 1e-6)))


def interpreted(game: AnyGame) -> Player:
    """Answer a player of the rules as they are written."""

    def play_games(games: int) -> int:
        chance = random.Random(1).random
        moves = 0
        for _ in range(games):
            state = game.initial()
            while game.outcome(state) is Outcome.UNDECIDED:
                legal = list(game.legal_moves(state))
                state = game.play(state, legal[int(chance() * len(legal))])
                moves += 1
        return moves

    return play_games


def batched(game: AnyGame) -> Player:
    """Answer a player of the compiled rules who chooses a move in each of many games, and makes them all at once."""
    import numpy as np

    from duelbook.compiled.batch import new_batch, random_moves, step

    batch, chance = new_batch(game, AT_ONCE), np.random.default_rng(1)
    limit = ply_limit(game)

    def play_games(games: int) -> int:
        over = moves = 0
        while over < games:
            over += len(step(game, batch, random_moves(batch, chance.random(AT_ONCE)), limit).rows)
            moves += AT_ONCE
        return moves

    play_games(1)  # compiles it
    return play_games


def compiled(game: AnyGame, cores: int) -> Player:
    """Answer a player of the same rules compiled, on so many cores."""
    from duelbook.compiled import playouts

    playouts(game, 1, seed=1)  # compiles it
    return lambda games: playouts(game, games, seed=1, threads=cores).moves
