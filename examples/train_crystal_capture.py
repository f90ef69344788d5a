"""Learn Crystal Capture with a table from self-play, and print its exact regret (extras `envs` and `fast`)."""

import numpy as np

from duelbook.envs import vector
from duelbook.solve import solved


def main(games: int = 256, rounds: int = 8, steps: int = 30) -> None:
    env = vector("crystal-capture", games)
    (seen, info), exact = env.reset(seed=1), solved(env.game)
    sizes = env.single_observation_space.high.astype(int) + 1
    places = np.cumprod([1, *sizes[:-1]])  # turns a vector of whole numbers into a row of the table
    table = np.zeros((sizes.prod(), env.game.num_moves))
    for played in range(0, rounds * steps * games, steps * games):
        regret = []  # of the best moves by the table: the value before, plus the opponent's value after
        for _ in range(steps):
            rows = (seen @ places).astype(int)
            best = np.where(info["action_mask"], table[rows], -np.inf).argmax(axis=1)
            for state, move in zip(env.states()[:32], best, strict=False):
                regret.append(exact.value(state) + exact.value(env.game.play(state, int(move))))
            moves = np.where(env.np_random.random(games) < 0.4, env.random_moves(), best)
            seen, reward, over, _, info = env.step(moves)
            hope = np.where(info["action_mask"], table[(seen @ places).astype(int)], -np.inf).max(axis=1)
            table[rows, moves] += 0.2 * (np.where(over, reward, -hope) - table[rows, moves])
        print(f"After {played:7,} moves: mean exact regret {np.mean(regret):.3f}")


if __name__ == "__main__":
    main()
