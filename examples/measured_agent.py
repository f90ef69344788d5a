"""Give an agent of your own a name, so that every command knows it: `python measured_agent.py eval --agent biggest`."""

import random
import sys

from duelbook.agents import AGENTS, AgentKind
from duelbook.cli import main
from duelbook.game import Move
from duelbook.match import MatchView


class Biggest:
    """Always plays the last legal move: in Crystal Capture the biggest crystal."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng  # all chance that an agent may use

    def choose(self, match: MatchView) -> Move:
        return max(match.game.legal_moves(match.state))

    def close(self) -> None:
        pass


AGENTS["biggest"] = AgentKind(Biggest, "plays the last legal move")  # workers of a tournament import this file, too

if __name__ == "__main__":
    sys.argv[1:] = sys.argv[1:] or ["match", "--game", "crystal-capture", "--p1", "biggest", "--p2", "greedy"]
    sys.exit(main())
