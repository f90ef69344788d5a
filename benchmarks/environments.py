"""Environments: moves per second, including observations, masks, rewards and random moves.

First many games of self-play, then a learner against opponents, in steps of the learner per second: many games at once,
and a single environment beside them in the same turns.

Pgx's tic-tac-toe is played beside them if it is installed (extra `bench`), in turns of a fraction of a second, so that
a busy moment of the machine touches all alike. It is measured in two ways: step by step, as a learner uses a vector
environment, with a new game in the place of one that ended; and several steps in one compiled loop, whose observations
nothing uses, so that XLA leaves them out. Large environments use all cores, as Pgx does. Moves per second of processor
time are also printed, which other programs disturb less. `duelbook bench` measures the compiled rules.
"""

import time
from collections.abc import Callable, Collection, Mapping
from statistics import median
from typing import Any, NamedTuple

import duelbook
from duelbook.bench.peers import PEERS, PGX_BATCH
from duelbook.envs import vector
from duelbook.envs.gymnasium_env import DuelEnv
from duelbook.envs.opponents import is_compiled

TURN_SECONDS = 0.25
TURNS = 9
GAMES_AT_ONCE = (1024, 8192)
LEARNER_GAMES = 4096
SINGLE_STEPS = 20
OPPONENTS = ("random", "greedy", "medium", "perfect")  # where they are compiled
STEPS, LOOP = "step by step", "in a loop without observations"

Play = Callable[[], int]  # plays moves and returns how many


class Speed(NamedTuple):
    """Moves per second, and per second of processor time."""

    clock: float
    processor: float


def measure(play: Play) -> Speed:
    """Return the speed in one turn."""
    start, used, moves = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() < start + TURN_SECONDS:
        moves += play()
    return Speed(moves / (time.perf_counter() - start), moves / (time.process_time() - used))


def environment(name: str, size: int, opponent: str | None = None) -> Play:
    """Return a function that plays a random move in each game of an environment."""
    env = vector(name, size, opponent=opponent)
    env.reset(seed=1)

    def play() -> int:
        env.step(env.random_moves())
        return size

    return play


def pgx_environment(size: int) -> Play:
    """Return a function that plays a random move in each game of Pgx, and a new game in the place of one that ended."""
    import jax
    import jax.numpy as jnp
    from pgx.experimental.wrappers import auto_reset
    from pgx.tic_tac_toe import TicTacToe

    env = TicTacToe()
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def turn(state: Any, key: Any) -> Any:
        key, chance, new = jax.random.split(key, 3)
        action = jax.random.categorical(chance, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        return step(state, action, jax.random.split(new, size)), key

    now = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), size)), jax.random.PRNGKey(1)

    def play() -> int:
        nonlocal now
        now = jax.block_until_ready(turn(*now))
        return size

    return play


def pgx_players(size: int) -> dict[str, Play]:
    """Return how Pgx is played, in each of the two ways; nothing if it is not installed."""
    peer = PEERS["Pgx tic_tac_toe"]
    if not peer.installed:
        return {}
    play_games = peer.player()
    return {STEPS: pgx_environment(size), LOOP: lambda: play_games(PGX_BATCH)}


def ratios(ours: list[Speed], theirs: list[Speed]) -> str:
    """Return how many times as fast we are: the median of all turns, their range, and that by processor time."""
    clock = sorted(one.clock / other.clock for one, other in zip(ours, theirs, strict=True))
    processor = median(one.processor / other.processor for one, other in zip(ours, theirs, strict=True))
    return f"{median(clock):.2f} ({clock[0]:.2f} to {clock[-1]:.2f}), {processor:.2f} by processor time"


def single_environment(name: str, opponent: str) -> Play:
    """Return a function that plays some random moves of a learner in a single environment."""
    env = DuelEnv(name, opponent=opponent)
    env.reset(seed=1)

    def play() -> int:
        for _ in range(SINGLE_STEPS):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()
        return SINGLE_STEPS

    return play


def measure_in_turn(players: Mapping[str, Play]) -> dict[str, list[Speed]]:
    """Return the speeds of the players in several turns."""
    for play in players.values():
        play()  # compiles, or loads what was compiled before
    turns = [{name: measure(play) for name, play in players.items()} for _ in range(TURNS)]
    return {name: [turn[name] for turn in turns] for name in players}


def self_play(size: int) -> None:
    """Print the speeds of self-play with so many games at once, beside Pgx."""
    peers = pgx_players(size)
    speeds = measure_in_turn(peers | {name: environment(name, size) for name in duelbook.GAMES})
    for name, found in speeds.items():
        title = f"Pgx tic-tac-toe, {name}" if name in peers else f"{name}, {size} at once"
        clock, processor = (median(speed[kind] for speed in found) for kind in range(2))
        print(f"{title:48} {clock:14,.0f} moves/s {processor:14,.0f} by processor time")
        for way in peers:
            if name not in peers:
                print(f"    times Pgx {way}: {ratios(found, speeds[way])}")


def against_opponents(name: str, opponents: Collection[str]) -> None:
    """Print the speeds of a learner against opponents, with many games at once and in a single environment."""
    for opponent in opponents:
        many, one = f"{name} against {opponent}, {LEARNER_GAMES} at once", f"{name} against {opponent}, one game"
        players = {many: environment(name, LEARNER_GAMES, opponent), one: single_environment(name, opponent)}
        speeds = measure_in_turn(players)
        for title, found in speeds.items():
            print(f"{title:48} {median(speed.clock for speed in found):14,.0f} steps/s")
        print(f"    times the single environment: {ratios(speeds[many], speeds[one])}")


def main() -> None:
    for size in GAMES_AT_ONCE:
        self_play(size)
    for name in duelbook.GAMES:
        against_opponents(name, [one for one in OPPONENTS if is_compiled(one, duelbook.make(name))])


if __name__ == "__main__":
    main()
