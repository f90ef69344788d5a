"""Play random moves against the greedy agent in Gymnasium, from both seats (extra `envs`)."""

import gymnasium

import duelbook.envs  # noqa: F401 - registers the games with Gymnasium


def main(episodes: int = 200) -> None:
    env = gymnasium.make("duelbook/CrystalCapture-v1", opponent="greedy", seat="random", crystals=7, goal=12)
    env.action_space.seed(1)
    total = {0: 0.0, 1: 0.0}
    for episode in range(episodes):
        _, info = env.reset(seed=episode)
        over = False
        while not over:
            action = env.action_space.sample()  # a legal move; your own policy uses info["action_mask"]
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        total[info["seat"]] += float(reward)
    print(f"Total reward of {episodes} games: {total[0]:+.0f} as first player, {total[1]:+.0f} as second")


if __name__ == "__main__":
    main()
