"""RLlib: train PPO with masked moves on Crystal Capture against the greedy agent, in a worker of Ray."""

from typing import Any

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A policy and a value whose illegal moves have no probability. Observations come with `mask_in_observation`."""

    def setup(self) -> None:
        inputs, width = self.observation_space["observation"].shape[0], 64
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.policy, self.value = nn.Linear(width, self.action_space.n), nn.Linear(width, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(self.body(seen["observation"]))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(self.body(batch[Columns.OBS]["observation"])).squeeze(-1)


def main(iterations: int = 2, steps: int = 512) -> None:
    config = (
        PPOConfig()
        .environment(
            "duelbook.envs:duelbook/CrystalCapture-v1",  # the worker imports duelbook.envs by this name
            env_config={"opponent": "greedy", "mask_in_observation": True},
        )
        .env_runners(num_env_runners=1, num_envs_per_env_runner=4)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
        .training(train_batch_size_per_learner=steps, minibatch_size=128, num_epochs=4)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    for _ in range(iterations):
        found = algorithm.train()["env_runners"]
    algorithm.stop()
    mean = found["episode_return_mean"]
    print(f"RLlib PPO: {found['num_env_steps_sampled_lifetime']:.0f} steps; mean reward {mean:+.2f}")


if __name__ == "__main__":
    main()
