"""Play random moves for both players of Charge in PettingZoo, and print every position (extra `envs`)."""

from duelbook.envs import aec


def main(seed: int = 1) -> None:
    env = aec("charge", goal=9, render_mode="ansi")
    env.reset()
    for player in env.possible_agents:
        env.action_space(player).seed(seed)
    for player in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            print(player, "gets", reward)
            env.step(None)
        else:
            print(env.render(), end="\n\n")
            env.step(env.action_space(player).sample(observation["action_mask"]))


if __name__ == "__main__":
    main()
