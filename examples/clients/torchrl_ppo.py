"""TorchRL: train PPO with masked moves on Crystal Capture against the greedy agent."""

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import duelbook.envs  # noqa: F401 - registers the games with Gymnasium


def make_env(games: int) -> TransformedEnv:
    """Return many games at once. TorchRL itself starts games again that are over."""
    envs = gymnasium.make_vec(
        "duelbook/CrystalCapture-v1", games, opponent="greedy", mask_in_observation=True, autoreset_mode="Disabled"
    )
    env = GymWrapper(envs, categorical_action_encoding=True)
    return TransformedEnv(env, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def main(games: int = 16, steps: int = 2048, batch: int = 512, epochs: int = 4) -> None:
    torch.manual_seed(1)
    env = make_env(games)
    env.set_seed(1)
    inputs, moves = env.observation_spec["observation"].shape[-1], env.action_spec.n
    scores = TensorDictModule(MLP(inputs, moves, num_cells=[64, 64]), ["observation"], ["logits"])
    actor = ProbabilisticActor(
        scores,
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(MLP(inputs, 1, num_cells=[64, 64]))
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    collector = Collector(env, actor, frames_per_batch=batch, total_frames=steps, auto_register_policy_transforms=True)
    for data in collector:
        for _ in range(epochs):
            advantage(data)
            found = loss(data)
            optimizer.zero_grad()
            (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
            optimizer.step()
        over = data["next", "done"]
        mean = data["next", "reward"][over].mean().item()
    collector.shutdown()
    print(f"TorchRL PPO: {steps} steps; mean reward {mean:+.2f} in the last {over.sum().item()} games")


if __name__ == "__main__":
    main()
