"""Vector environments: moves per second, including observations, masks, rewards and random moves.

Large ones use all cores, as Pgx does, whose tic-tac-toe is played beside them if it is installed (extra `bench`).
`duelbook bench` measures the compiled rules that they use.
"""

import time
from collections.abc import Callable

import duelbook
from duelbook.bench.peers import PEERS
from duelbook.bench.speed import moves_per_second
from duelbook.envs import vector

SECONDS = 1.0
GAMES_AT_ONCE = (1024, 8192)


def steps_per_second(step: Callable[[], object]) -> float:
    """Return how often the function runs in a second."""
    step()  # compiles, or loads what was compiled before
    start, steps = time.perf_counter(), 0
    while time.perf_counter() < start + SECONDS:
        step()
        steps += 1
    return steps / (time.perf_counter() - start)


def main() -> None:
    peer, pgx = PEERS["Pgx tic_tac_toe"], 0.0
    if peer.installed:
        pgx = moves_per_second(peer.player(), SECONDS)
        print(f"{f'Pgx tic-tac-toe, {peer.way}':32} {pgx:14,.0f} moves/s")
    for name in duelbook.GAMES:
        for size in GAMES_AT_ONCE:
            env = vector(name, size)
            env.reset(seed=1)
            speed = size * steps_per_second(lambda env=env: env.step(env.random_moves()))  # type: ignore[misc]
            ratio = f" {speed / pgx:6.2f} x Pgx" if pgx else ""
            print(f"{name + f', {size} at once':32} {speed:14,.0f} moves/s{ratio}")


if __name__ == "__main__":
    main()
