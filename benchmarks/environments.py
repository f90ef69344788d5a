"""Vector environments: moves per second, including observations, masks, rewards and random moves.

Large ones use all cores, as Pgx does, whose tic-tac-toe is played beside them if it is installed (extra `bench`). Its
observations are not among what is measured: nothing uses them, so XLA leaves them out. Moves per second of processor
time are also printed, which other programs disturb less. `duelbook bench` measures the compiled rules.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import duelbook
from duelbook.bench.peers import PEERS, PGX_BATCH
from duelbook.envs import vector

SECONDS = 1.0
GAMES_AT_ONCE = (1024, 8192)


class Speed(NamedTuple):
    """Moves per second, and per second of processor time."""

    clock: float
    processor: float


def measure(play: Callable[[], int]) -> Speed:
    """Return the speed of a function that plays moves and returns how many."""
    play()  # compiles, or loads what was compiled before
    start, used, moves = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() < start + SECONDS:
        moves += play()
    return Speed(moves / (time.perf_counter() - start), moves / (time.process_time() - used))


def environment(name: str, size: int) -> Callable[[], int]:
    """Return a function that plays a random move in each game of an environment."""
    env = vector(name, size)
    env.reset(seed=1)

    def play() -> int:
        env.step(env.random_moves())
        return size

    return play


def show(name: str, speed: Speed, pgx: Speed | None) -> None:
    """Print a speed and, of an environment, its ratios to that of Pgx."""
    ratios = f"  {speed.clock / pgx.clock:.2f} and {speed.processor / pgx.processor:.2f} x Pgx" if pgx else ""
    print(f"{name:32} {speed.clock:14,.0f} moves/s {speed.processor:14,.0f} by processor time{ratios}")


def main() -> None:
    peer, pgx = PEERS["Pgx tic_tac_toe"], None
    if peer.installed:
        play_games = peer.player()
        pgx = measure(lambda: play_games(PGX_BATCH))
        show(f"Pgx tic-tac-toe, {peer.way}", pgx, None)
    for name in duelbook.GAMES:
        for size in GAMES_AT_ONCE:
            show(f"{name}, {size} at once", measure(environment(name, size)), pgx)


if __name__ == "__main__":
    main()
