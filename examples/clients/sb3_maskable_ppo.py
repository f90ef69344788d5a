"""sb3-contrib: train MaskablePPO on Crystal Capture against the greedy agent, then play it without exploration."""

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env

import duelbook.envs  # noqa: F401 - registers the games with Gymnasium


def main(steps: int = 2048, episodes: int = 50) -> None:
    envs = make_vec_env("duelbook/CrystalCapture-v1", n_envs=4, seed=1, env_kwargs={"opponent": "greedy"})
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=128, seed=1, device="cpu")
    model.learn(steps)  # the legal moves come from the environments' action_masks()
    mean, deviation = evaluate_policy(model, envs, n_eval_episodes=episodes)
    print(f"sb3-contrib MaskablePPO: {steps} steps; mean reward {mean:+.2f} ± {deviation:.2f} in {episodes} games")


if __name__ == "__main__":
    main()
