"""OpenSpiel: let its Monte Carlo tree search play Charge against a random player."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from duelbook.envs import register_openspiel


def main(games: int = 10, simulations: int = 50) -> None:
    register_openspiel()
    game = pyspiel.load_game("duelbook_charge(goal=15)")
    random = np.random.RandomState(1)
    search = MCTSBot(game, 1.4, simulations, RandomRolloutEvaluator(1, random), random_state=random)
    total = 0.0
    for seat in [0, 1] * (games // 2):
        bots = [search, UniformRandomBot(1 - seat, random)]
        total += evaluate_bots(game.new_initial_state(), bots if seat == 0 else bots[::-1], random)[seat]
    print(f"OpenSpiel MCTS: {simulations} simulations a move; mean return {total / games:+.2f} in {games} games")


if __name__ == "__main__":
    main()
