"""Play random moves in a thousand games of Charge at once (extras `envs` and `fast`)."""

import time

from duelbook.envs import vector


def main(games: int = 1024, steps: int = 500) -> None:
    env = vector("charge", games)
    env.reset(seed=1)
    env.step(env.random_moves())  # compiles, or loads what was compiled before
    finished, start = 0, time.perf_counter()
    for _ in range(steps):
        _, _, terminated, truncated, _ = env.step(env.random_moves())
        finished += int((terminated | truncated).sum())
    speed = games * steps / (time.perf_counter() - start)
    print(f"{finished} games finished; {speed / 1e6:.1f} million moves a second, including their choice")


if __name__ == "__main__":
    main()
