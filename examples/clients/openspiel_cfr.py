"""OpenSpiel: run counterfactual regret minimization on a small Crystal Capture, and compute how far it is from Nash."""

import pyspiel
from open_spiel.python.algorithms.cfr import CFRSolver
from open_spiel.python.algorithms.exploitability import nash_conv

from duelbook.envs import register_openspiel


def main(iterations: int = 5) -> None:
    register_openspiel()
    game = pyspiel.load_game("duelbook_crystal_capture(crystals=5,goal=7)")
    solver = CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    left = nash_conv(game, solver.average_policy())
    print(f"OpenSpiel CFR: {iterations} iterations; NashConv {left:.3f}")


if __name__ == "__main__":
    main()
