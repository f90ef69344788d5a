"""Vector environments: moves per second on one core, including observations, masks, rewards and random moves.

`duelbook bench` measures the compiled rules that they use.
"""

import time
from collections.abc import Callable

import duelbook
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
    for name in duelbook.GAMES:
        for size in GAMES_AT_ONCE:
            env = vector(name, size)
            env.reset(seed=1)
            speed = size * steps_per_second(lambda env=env: env.step(env.random_moves()))  # type: ignore[misc]
            print(f"{name + f', {size} at once':32} {speed:14,.0f} moves/s")


if __name__ == "__main__":
    main()
