"""SuperSuit: wrap Charge in PettingZoo and in Gymnasium, and play random legal moves through the wrappers.

SuperSuit's wrappers of observations need an array. In PettingZoo a lambda takes it from the dictionary; the legal moves
stay in `info["action_mask"]`.
"""

import gymnasium
import supersuit

import duelbook.envs


def main(episodes: int = 20) -> None:
    env = duelbook.envs.aec("charge", goal=9)
    env = supersuit.observation_lambda_v0(env, lambda seen, _: seen["observation"], lambda space: space["observation"])
    env = supersuit.frame_stack_v1(supersuit.normalize_obs_v0(supersuit.dtype_v0(env, "float32")), 2)
    for episode in range(episodes):
        env.reset(seed=episode)
        for player in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(player).sample(info["action_mask"]))
    single = supersuit.frame_stack_v1(gymnasium.make("duelbook/Charge-v1", goal=9), 4)
    stacked, info = single.reset(seed=1)
    terminated = truncated = False
    while not (terminated or truncated):
        stacked, _, terminated, truncated, info = single.step(single.action_space.sample(info["action_mask"]))
    sizes = f"two frames ({seen.shape[0]} elements) in PettingZoo, four ({stacked.shape[0]}) in Gymnasium"
    print(f"SuperSuit: {episodes + 1} games with observations of {sizes}")


if __name__ == "__main__":
    main()
