"""The Monte Carlo tree search agent (UCT): it plays random games and prefers moves that score well."""

import math
import random
from typing import Any

from duelbook.game import AnyGame, Move, Outcome, Player, offered_moves
from duelbook.match import ReadOnlyMatch

EXPLORATION = 1.4  # the UCT constant: how strongly moves with few visits are preferred
MAX_ROLLOUT_PLIES = 1000  # a random game that is longer counts as a draw


class Node:
    """A position in the tree: how often it was visited, and the points of the player who moved there."""

    def __init__(self, moves: list[Move]) -> None:
        self.untried = moves
        self.children: dict[Move, Node] = {}
        self.visits = 0
        self.points = 0.0

    def most_promising(self) -> Move:
        """Return the move with the highest upper confidence bound."""
        log = math.log(self.visits)

        def upper_bound(move: Move) -> float:
            child = self.children[move]
            return child.points / child.visits + EXPLORATION * math.sqrt(log / child.visits)

        return max(self.children, key=upper_bound)


class MctsAgent:
    """Plays the move with the most visits."""

    def __init__(self, rng: random.Random, rollouts: int) -> None:
        self._rng = rng
        self._rollouts = rollouts

    def choose(self, match: ReadOnlyMatch) -> Move:
        game, state = match.game, match.state
        root = Node(offered_moves(game, state))
        self._rng.shuffle(root.untried)
        for _ in range(self._rollouts):
            self._visit(game, state, root)
        return max(root.children, key=lambda move: root.children[move].visits)

    def close(self) -> None:
        pass

    def _visit(self, game: AnyGame, state: Any, node: Node) -> None:
        """Walk down the tree, add one position, play a random game from it, and update the nodes on the way."""
        path = [(node, game.mover(state))]
        while not node.untried and node.children:
            move = node.most_promising()
            path.append((node.children[move], game.mover(state)))
            node, state = node.children[move], game.play(state, move)
        if node.untried:
            move = node.untried.pop()
            mover, state = game.mover(state), game.play(state, move)
            child = node.children[move] = Node(list(game.legal_moves(state)))
            self._rng.shuffle(child.untried)
            path.append((child, mover))
        outcome = self._rollout(game, state)
        for visited, mover in path:
            visited.visits += 1
            visited.points += points(outcome, mover)

    def _rollout(self, game: AnyGame, state: Any) -> Outcome:
        for _ in range(MAX_ROLLOUT_PLIES):
            outcome = game.outcome(state)
            if outcome != Outcome.UNDECIDED:
                return outcome
            state = game.play(state, self._rng.choice(list(game.legal_moves(state))))
        return Outcome.DRAW


def points(outcome: Outcome, player: Player) -> float:
    """Return 1 for a win, 0 for a loss, and one half otherwise."""
    return 0.5 if outcome in (Outcome.DRAW, Outcome.UNDECIDED) else float(outcome == player)
