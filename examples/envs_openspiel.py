"""Run OpenSpiel's minimax and tree search on Crystal Capture (extra `envs`)."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts, minimax

from duelbook.envs import register_openspiel


def main(simulations: int = 300) -> None:
    register_openspiel()
    game = pyspiel.load_game("duelbook_crystal_capture(goal=15)")
    value, _ = minimax.alpha_beta_search(game)
    print(f"With best play the first player gets {value:+.0f}")
    random = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, random), solve=True, random_state=random)
    state = game.new_initial_state()
    while not state.is_terminal():
        action = bot.step(state)
        print(f"Player {state.current_player()} takes {state.action_to_string(action)}")
        state.apply_action(action)
    print("Returns:", state.returns())


if __name__ == "__main__":
    main()
