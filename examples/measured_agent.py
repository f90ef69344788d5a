"""Register your own agent, so that every command knows it: `python measured_agent.py eval --agent biggest`."""

import random
import sys

from duelbook import Move, ReadOnlyMatch
from duelbook.agents import AGENTS, AgentKind
from duelbook.cli import main


class Biggest:
    """Always plays the last legal move: the biggest crystal in Crystal Capture."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng  # an agent must take all its random numbers from here

    def choose(self, match: ReadOnlyMatch) -> Move:
        return max(match.game.legal_moves(match.state))

    def close(self) -> None:
        pass


AGENTS["biggest"] = AgentKind(Biggest, "plays the last legal move")  # workers of a tournament import this file, too

if __name__ == "__main__":
    sys.argv[1:] = sys.argv[1:] or ["match", "--games", "crystal-capture", "--p1", "biggest", "--p2", "greedy"]
    sys.exit(main())
