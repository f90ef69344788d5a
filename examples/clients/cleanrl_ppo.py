"""PPO in one file, in the style of CleanRL: learn Crystal Capture in many games at once, measure the exact regret."""

from typing import Any

import gymnasium
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from duelbook import make, regret
from duelbook.envs import observe  # this also registers the games with Gymnasium

GAMMA, TRACE, CLIP, ENTROPY, VALUE = 1.0, 0.95, 0.2, 0.01, 0.5


class Network(nn.Module):
    def __init__(self, inputs: int, moves: int, width: int = 64) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.policy, self.value = nn.Linear(width, moves), nn.Linear(width, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        hidden = self.body(observations)
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)  # no illegal move gets any probability
        return Categorical(logits=logits), self.value(hidden).squeeze(-1)


def measure(network: Network) -> float:
    """Return the mean regret of the most probable moves over all decisions."""
    game = make("crystal-capture")

    def most_probable(state: Any) -> int:
        choice, _ = network(*map(torch.tensor, observe(game, state)))
        return int(choice.probs.argmax())

    return regret(most_probable, game, weights="uniform").regret


def main(games: int = 64, steps: int = 16, updates: int = 32, epochs: int = 4) -> None:
    torch.manual_seed(1)
    env = gymnasium.make_vec("duelbook/CrystalCapture-v1", games, opponent="greedy")
    observations, info = env.reset(seed=1)
    network = Network(observations.shape[1], info["action_mask"].shape[1])
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    means: list[float] = []  # the mean reward of the games that ended in each round
    for _ in range(updates):
        rows, rewards, overs = [], [], []
        for _ in range(steps):
            seen, masks = torch.tensor(observations), torch.tensor(info["action_mask"])
            with torch.no_grad():
                choice, value = network(seen, masks)
                move = choice.sample()
            rows.append((seen, masks, move, choice.log_prob(move), value))
            observations, reward, terminated, truncated, info = env.step(move.numpy())  # starts games again by itself
            rewards.append(torch.tensor(reward, dtype=torch.float32))
            overs.append(torch.tensor(terminated | truncated))
        means.append(torch.stack(rewards)[torch.stack(overs)].mean().item())
        with torch.no_grad():
            _, following = network(torch.tensor(observations), torch.tensor(info["action_mask"]))
        advantage, advantages = torch.zeros(games), list[Tensor]()
        for (*_, value), reward, over in zip(rows[::-1], rewards[::-1], overs[::-1], strict=True):
            advantage = reward - value + torch.where(over, 0.0, GAMMA * (following + TRACE * advantage))
            following, advantages = value, [*advantages, advantage]
        seen, masks, move, old, value = (torch.cat(column) for column in zip(*rows, strict=True))
        gain = torch.cat(advantages[::-1])
        target, gain = gain + value, (gain - gain.mean()) / (gain.std() + 1e-8)
        for batch in torch.randperm(len(gain) * epochs).remainder(len(gain)).chunk(4 * epochs):
            choice, value = network(seen[batch], masks[batch])
            ratio = (choice.log_prob(move[batch]) - old[batch]).exp()
            surrogate = torch.min(ratio * gain[batch], ratio.clamp(1 - CLIP, 1 + CLIP) * gain[batch]).mean()
            error = (value - target[batch]).square().mean()
            optimizer.zero_grad()
            (VALUE * error - surrogate - ENTROPY * choice.entropy().mean()).backward()
            optimizer.step()
    shown = f"mean reward {means[0]:+.2f} first, {means[-1]:+.2f} last; regret per decision {measure(network):.2f}"
    print(f"PPO in the style of CleanRL: {updates * steps * games} steps; {shown}")


if __name__ == "__main__":
    main()
