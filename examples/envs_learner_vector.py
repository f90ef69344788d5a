"""Play many games of Crystal Capture at once against a level, in Gymnasium, from given starts (`envs`, `fast`)."""

from typing import Any

import gymnasium
import numpy as np

import duelbook.envs  # noqa: F401 - registers the games with Gymnasium


def first_legal(observations: Any, masks: Any) -> Any:
    """Return the first legal move of each row: your own policy goes here."""
    return masks.argmax(axis=1)


def main(games: int = 64, steps: int = 200) -> None:
    for opponent in ("medium", first_legal):
        env = gymnasium.make_vec("duelbook/CrystalCapture-v1", games, opponent=opponent, autoreset_mode="NextStep")
        observations, info = env.reset(seed=1, options={"opening": ["3", "4"]})
        results = []
        for _ in range(steps):
            actions = first_legal(observations, info["action_mask"])
            observations, rewards, terminated, _, info = env.step(actions)
            results += rewards[terminated].tolist()
        name = opponent if isinstance(opponent, str) else "itself"
        print(f"The first legal move against {name}: mean reward {np.mean(results):+.2f} of {len(results)} games")


if __name__ == "__main__":
    main()
