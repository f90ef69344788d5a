"""Learn Crystal Capture with a table from self-play, and print its exact regret (extras `envs` and `fast`)."""

import numpy as np

from duelbook import regret
from duelbook.envs import vector
from duelbook.solve import solved


def main(games: int = 256, rounds: int = 8, steps: int = 30) -> None:
    env = vector("crystal-capture", games)
    game, solution, _ = env.game, solved(env.game), env.reset(seed=1)
    states = solution.arrays().states
    places = np.cumprod([1, *(states.max(axis=0) + 1)[:0:-1]])[::-1]  # make a state a number, in the same order
    table = np.full((len(solution), game.num_moves), -np.inf)  # what each move is believed to be worth
    for row, (state, _, _) in enumerate(solution):
        table[row, list(game.legal_moves(state))] = 0
    for played in range(0, rounds * steps * games, steps * games):
        found = regret(np.eye(game.num_moves)[table.argmax(axis=1)], game, weights="uniform")
        print(f"After {played:6,} moves: regret {found.regret:.3f}, exploitability {found.exploitability:.3f}")
        for _ in range(steps):
            rows = np.searchsorted(states @ places, np.array(env.states()) @ places)
            moves = np.where(env.np_random.random(games) < 0.4, env.random_moves(), table[rows].argmax(axis=1))
            _, reward, over, _, _ = env.step(moves)
            hope = table[np.searchsorted(states @ places, np.array(env.states()) @ places)].max(axis=1)
            table[rows, moves] += 0.2 * (np.where(over, reward, -hope) - table[rows, moves])


if __name__ == "__main__":
    main()
