"""Learn a game by self-play: `python -m examples.alphazero.train charge` (extras `envs`, `fast`, `arena`, `learn`)."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from duelbook import make
from examples.alphazero.learner import Learner
from examples.alphazero.measure import Measure, Measured, searching
from examples.alphazero.network import TRAINED, Network
from examples.alphazero.plot import learning_curve
from examples.alphazero.self_play import SelfPlay

ROUNDS = 60
AIMS = {"crystal-capture": 0.0, "charge": 0.02}  # the largest regret of the network alone
GAMES, STEPS, SIMULATIONS = 512, 16, 24  # of self-play in each round
BATCHES = 48  # of gradient descent in each round
MEASURED_AFTER = (0, 1, 2, 3, 5, 7, 10, 15, 20)  # rounds, and then after every ten
PLAYING_SIMULATIONS = 16


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a game by self-play, and measure and plot what was learned.")
    parser.add_argument("game", choices=AIMS)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how long to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, default=TRAINED, help="the folder for the network, the figures and the plot"
    )
    asked = parser.parse_args()
    if asked.rounds < 1:
        parser.error("--rounds must be at least 1.")
    reached = train(asked.game, asked.rounds, asked.seed, asked.out)
    if reached > AIMS[asked.game]:
        sys.exit(f"The aim is a regret of at most {AIMS[asked.game]}.")


def train(name: str, rounds: int, seed: int, out: Path) -> float:
    """Learn a game, write the network, the figures and the plot into the folder, and return the regret."""
    began, game = time.perf_counter(), make(name)
    network, measure = Network.new(game, np.random.default_rng(seed)), Measure(game)
    self_play, learner = SelfPlay(game, GAMES, SIMULATIONS, seed), Learner(network, rounds, BATCHES, seed)
    curve: list[dict[str, Any]] = []
    for done in range(rounds + 1):
        if done in MEASURED_AFTER or done % 10 == 0 or done == rounds:
            measured, positions = measure(network.moves), done * GAMES * STEPS
            curve.append({"positions": positions, **spent(began), **measured._asdict()})
            print(f"{positions:8,} positions, {curve[-1]['seconds']:4.0f} s: {in_words(measured)}", flush=True)
        if done < rounds:
            learner.learn(self_play.play(network, STEPS))
    self_play.close()
    out.mkdir(parents=True, exist_ok=True)
    network.save(out / f"{name}.npz")
    saved = Network.load(game, out / f"{name}.npz")  # in which numbers are rounded
    alone, with_search = measure(saved.moves), measure(searching(saved, PLAYING_SIMULATIONS))
    print(f"The network alone: {in_words(alone)}")
    print(f"With {PLAYING_SIMULATIONS} simulations: {in_words(with_search)}")
    figures = {
        "seed": seed,
        "rounds": rounds,
        "curve": curve,
        "alone": alone._asdict(),
        f"{PLAYING_SIMULATIONS} simulations": with_search._asdict(),
        **spent(began),
    }
    (out / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n")
    (out / f"{name}.svg").write_text(learning_curve(curve))
    print(f"{figures['seconds']:.0f} s in all, {figures['processor_seconds']:.0f} s of processor time. See {out}.")
    return alone.regret


def spent(began: float) -> dict[str, float]:
    """Return the time since then, and the processor time of this program."""
    return {"seconds": round(time.perf_counter() - began, 1), "processor_seconds": round(time.process_time(), 1)}


def in_words(measured: Measured) -> str:
    regret, accuracy, exploitability = measured
    return f"regret {regret:.4f}, accuracy {accuracy:.2%}, exploitability {exploitability:.3f}"


if __name__ == "__main__":
    main()
