"""The Monte Carlo agent: it plays games at random from here and prefers what went well (UCT)."""

import math
import random
from typing import Any

from duelbook.game import AnyGame, Move, Outcome, Player, offered_moves
from duelbook.match import MatchView

CURIOSITY = 1.4  # how much a move that was seldom tried is preferred


class Node:
    """A position in the tree: how often it was tried, and how well that went for who moved there."""

    def __init__(self, moves: list[Move]) -> None:
        self.untried = moves
        self.children: dict[Move, Node] = {}
        self.visits = 0
        self.points = 0.0

    def best_known(self) -> Move:
        log = math.log(self.visits)

        def promise(move: Move) -> float:
            child = self.children[move]
            return child.points / child.visits + CURIOSITY * math.sqrt(log / child.visits)

        return max(self.children, key=promise)


class MonteCarlo:
    """Plays the move that it tried most often."""

    def __init__(self, rng: random.Random, rollouts: int) -> None:
        self._rng = rng
        self._rollouts = rollouts

    def choose(self, match: MatchView) -> Move:
        game, state = match.game, match.state
        root = Node(offered_moves(game, state))
        self._rng.shuffle(root.untried)
        for _ in range(self._rollouts):
            self._try(game, state, root)
        return max(root.children, key=lambda move: root.children[move].visits)

    def close(self) -> None:
        pass

    def _try(self, game: AnyGame, state: Any, node: Node) -> None:
        """Walk down the tree, add a position, play on at random, and remember how it went."""
        path = [(node, game.mover(state))]
        while not node.untried and node.children:
            move = node.best_known()
            path.append((node.children[move], game.mover(state)))
            node, state = node.children[move], game.play(state, move)
        if node.untried:
            move = node.untried.pop()
            path_mover, state = game.mover(state), game.play(state, move)
            child = node.children[move] = Node(list(game.legal_moves(state)))
            self._rng.shuffle(child.untried)
            path.append((child, path_mover))
        outcome = self._finish(game, state)
        for visited, mover in path:
            visited.visits += 1
            visited.points += points(outcome, mover)

    def _finish(self, game: AnyGame, state: Any) -> Outcome:
        for _ in range(1000):
            outcome = game.outcome(state)
            if outcome != Outcome.UNDECIDED:
                return outcome
            state = game.play(state, self._rng.choice(list(game.legal_moves(state))))
        return Outcome.DRAW


def points(outcome: Outcome, player: Player) -> float:
    return 0.5 if outcome in (Outcome.DRAW, Outcome.UNDECIDED) else float(outcome == player)
