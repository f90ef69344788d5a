"""OpenSpiel: train its DQN (PyTorch) for both players of Crystal Capture, each against the other."""

import pyspiel
from open_spiel.python.pytorch.dqn import DQN
from open_spiel.python.rl_agent import StepOutput
from open_spiel.python.rl_environment import Environment, ObservationType

from duelbook.envs import register_openspiel


def main(episodes: int = 300) -> None:
    register_openspiel()
    game = pyspiel.load_game("duelbook_crystal_capture(goal=15)")
    env = Environment(game, observation_type=ObservationType.OBSERVATION)  # the state alone: it needs no history
    size = env.observation_spec()["info_state"][0]
    moves = env.action_spec()["num_actions"]
    agents = [
        DQN(player, size, moves, batch_size=32, min_buffer_size_to_learn=100, epsilon_decay_duration=1000, seed=1)
        for player in (0, 1)
    ]
    wins = 0
    for _ in range(episodes):
        time_step = env.reset()
        while not time_step.last():
            chosen: StepOutput = agents[time_step.observations["current_player"]].step(time_step)
            time_step = env.step([chosen.action])
        for agent in agents:
            agent.step(time_step)  # shows the result to both
        wins += time_step.rewards[0] > 0
    print(f"OpenSpiel DQN: {episodes} games of self-play; the first player won {wins}; last loss {agents[0].loss:.3f}")


if __name__ == "__main__":
    main()
