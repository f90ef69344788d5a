"""Tic-tac-toe in other libraries, played at random in the way that is fastest from Python in each of them."""

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

PGX_BATCH = 4096  # games that Pgx plays at once

PlayGames = Callable[[int], int]  # takes a number of games, plays them, and returns the number of moves


class Peer(NamedTuple):
    """Another library: the packages it needs, how it plays, and a factory for the function that plays."""

    packages: tuple[str, ...]
    way: str
    player: Callable[[], PlayGames]

    @property
    def installed(self) -> bool:
        return all(map(find_spec, self.packages))


def open_spiel() -> PlayGames:
    """Return a function that plays OpenSpiel's game, whose rules are written in C++."""
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")

    def play_games(games: int) -> int:
        chance = random.Random(1).random
        moves = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
                moves += 1
        return moves

    return play_games


def pgx() -> PlayGames:
    """Return a function that plays Pgx's game: many at once, compiled by JAX for the processor."""
    import jax
    import jax.numpy as jnp
    from pgx.tic_tac_toe import TicTacToe

    env = TicTacToe()
    max_moves = 9

    def play(key: Any) -> Any:
        def turn(carry: Any, key: Any) -> Any:
            state, moves = carry
            moves += jnp.sum(~state.terminated)
            action = jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
            return (jax.vmap(env.step)(state, action), moves), None

        state = jax.vmap(env.init)(jax.random.split(key, PGX_BATCH))
        (_, moves), _ = jax.lax.scan(turn, (state, 0), jax.random.split(key, max_moves))
        return moves

    play_batch = jax.jit(play)
    play_batch(jax.random.PRNGKey(0)).block_until_ready()  # compiles the game

    def play_games(games: int) -> int:
        batches = range(max(1, games // PGX_BATCH))
        return sum(int(play_batch(jax.random.PRNGKey(number))) for number in batches)

    return play_games


def petting_zoo() -> PlayGames:
    """Return a function that plays PettingZoo's environment."""
    from pettingzoo.classic import tictactoe_v3

    env = tictactoe_v3.raw_env()

    def play_games(games: int) -> int:
        chance = random.Random(1).random
        moves = 0
        for _ in range(games):
            env.reset()
            while not any(env.terminations.values()):
                mask = env.observe(env.agent_selection)["action_mask"]
                legal = mask.nonzero()[0]
                env.step(int(legal[int(chance() * len(legal))]))
                moves += 1
        return moves

    return play_games


PEERS = {
    "OpenSpiel tic_tac_toe": Peer(("pyspiel",), "C++ from Python", open_spiel),
    "Pgx tic_tac_toe": Peer(("pgx", "jax"), f"{PGX_BATCH} at once", pgx),
    "PettingZoo tictactoe": Peer(("pettingzoo", "pygame"), "Python", petting_zoo),
}
