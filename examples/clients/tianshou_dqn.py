"""Tianshou: train DQN for both players of Crystal Capture, each against the other, in PettingZoo."""

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from duelbook.envs import aec


def make_env() -> PettingZooEnv:
    return PettingZooEnv(aec("crystal-capture"))


def make_player(env: PettingZooEnv) -> DQN:
    space = env.observation_space["observation"]
    net = Net(state_shape=space.shape, action_shape=env.action_space.n, hidden_sizes=(64, 64))
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.2)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)


def main(steps: int = 1000) -> None:
    torch.manual_seed(1)
    np.random.seed(1)
    envs = DummyVectorEnv([make_env] * 4)
    players = MultiAgentOffPolicyAlgorithm(algorithms=[make_player(make_env()) for _ in range(2)], env=make_env())
    training = Collector(players, envs, VectorReplayBuffer(10_000, 4), exploration_noise=True)
    testing = Collector(players, DummyVectorEnv([make_env]), exploration_noise=False)
    found = players.run_training(
        OffPolicyTrainerParams(
            training_collector=training,
            test_collector=testing,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=20,
            batch_size=64,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda returns: returns[:, 0],  # the first player's
            verbose=False,
            show_progress=False,
        )
    )
    print(f"Tianshou DQN: {found.train_step} steps; the first player gets {found.best_reward:+.0f} in a test game")


if __name__ == "__main__":
    main()
