"""Vector environments: moves per second on one core with observations, masks and rewards, and with choosing the moves.

`duelbook bench` measures what is beneath them.
"""

import time
from collections.abc import Callable

import duelbook
from duelbook.envs import vector

SECONDS = 1.0
SIZES = (1024, 8192)  # games at once


def steps_per_second(step: Callable[[], object]) -> float:
    step()  # compiles, or loads what was compiled before
    start, steps = time.perf_counter(), 0
    while time.perf_counter() < start + SECONDS:
        step()
        steps += 1
    return steps / (time.perf_counter() - start)


def main() -> None:
    for name in duelbook.GAMES:
        for size in SIZES:
            env = vector(name, size)
            env.reset(seed=1)
            speed = size * steps_per_second(lambda env=env: env.step(env.random_moves()))  # type: ignore[misc]
            print(f"{name + f', {size} at once':32} {speed:14,.0f} moves/s")


if __name__ == "__main__":
    main()
