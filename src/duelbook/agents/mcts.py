"""The Monte Carlo tree search agent (UCT): it plays random games and prefers moves that score well."""

import math
import random
from typing import Any

from duelbook.game import AnyGame, Move, Outcome, Player, offered_moves, random_move, won_by
from duelbook.match import ReadOnlyMatch

EXPLORATION = 1.4  # the UCT constant: how strongly moves with few visits are preferred
MAX_ROLLOUT_PLIES = 1000  # a random game that is longer counts as a draw


class Node:
    """A position in the tree: how often it was visited, and the points of the player who moved there."""

    def __init__(self, mover: Player, moves: list[Move], outcome: Outcome) -> None:
        self.mover = mover
        self.untried = moves
        self.children: dict[Move, Node] = {}
        self.visits = 0
        self.points = 0.0
        self.outcome = outcome  # with best play; undecided unless it is proven
        self.plies = 0  # to that outcome

    def most_promising(self) -> Move:
        """Return the move with the highest upper confidence bound."""
        log = math.log(self.visits)

        def upper_bound(move: Move) -> float:
            child = self.children[move]
            return child.points / child.visits + EXPLORATION * math.sqrt(log / child.visits)

        return max(self.children, key=upper_bound)

    def prove(self) -> bool:
        """Take the outcome from the children if they prove one. Return False if they do not."""
        wins = [child.plies for child in self.children.values() if child.outcome == won_by(self.mover)]
        if wins:
            self.outcome, self.plies = won_by(self.mover), 1 + min(wins)
            return True
        if self.untried or any(child.outcome == Outcome.UNDECIDED for child in self.children.values()):
            return False
        draws = [child.plies for child in self.children.values() if child.outcome == Outcome.DRAW]
        if draws:
            self.outcome, self.plies = Outcome.DRAW, 1 + min(draws)
        else:
            self.outcome = won_by(1 - self.mover)
            self.plies = 1 + max(child.plies for child in self.children.values())
        return True


class Tree:
    """A tree of positions that grows with every visit."""

    def __init__(self, game: AnyGame, state: Any, rng: random.Random) -> None:
        self._game = game
        self._state = state
        self._rng = rng
        self.root = Node(game.mover(state), offered_moves(game, state), Outcome.UNDECIDED)
        rng.shuffle(self.root.untried)

    def visit(self) -> None:
        """Walk down the tree, add one position, play a random game from it, and update the nodes on the way."""
        game, node, state = self._game, self.root, self._state
        path = [(node, node.mover)]
        while not node.untried and node.children:
            move = node.most_promising()
            path.append((node.children[move], node.mover))
            node, state = node.children[move], game.play(state, move)
        if node.untried:
            move = node.untried.pop()
            mover, state = node.mover, game.play(state, move)
            child = Node(game.mover(state), list(game.legal_moves(state)), game.outcome(state))
            node.children[move] = child
            self._rng.shuffle(child.untried)
            path.append((child, mover))
        outcome = rollout(game, state, self._rng)
        for visited, mover in path:
            visited.visits += 1
            visited.points += points(outcome, mover)
        self._prove([node for node, _ in path])

    def _prove(self, path: list[Node]) -> None:
        """Carry what the last node of the path proves towards the root."""
        if path[-1].outcome != Outcome.UNDECIDED:
            for node in reversed(path[:-1]):
                if node.outcome != Outcome.UNDECIDED or not node.prove():
                    return


class MctsAgent:
    """Plays the move with the most visits."""

    def __init__(self, rng: random.Random, rollouts: int) -> None:
        self._rng = rng
        self._rollouts = rollouts

    def choose(self, match: ReadOnlyMatch) -> Move:
        tree = Tree(match.game, match.state, self._rng)
        for _ in range(self._rollouts):
            tree.visit()
        return max(tree.root.children, key=lambda move: tree.root.children[move].visits)

    def close(self) -> None:
        pass


def rollout(game: AnyGame, state: Any, rng: random.Random) -> Outcome:
    """Play random moves from the state and return the outcome; a draw if it takes too long."""
    for _ in range(MAX_ROLLOUT_PLIES):
        outcome = game.outcome(state)
        if outcome != Outcome.UNDECIDED:
            return outcome
        state = game.play(state, random_move(game, state, rng))
    return Outcome.DRAW


def points(outcome: Outcome, player: Player) -> float:
    """Return 1 for a win, 0 for a loss, and one half otherwise."""
    return 0.5 if outcome in (Outcome.DRAW, Outcome.UNDECIDED) else float(outcome == player)
