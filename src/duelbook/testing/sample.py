"""The positions of a game that the checks look at."""

import random
from collections import deque
from contextlib import suppress
from typing import Any, NamedTuple

from duelbook.contract import Position, legal_list
from duelbook.game import AnyGame

MAX_PLIES = 300  # of a random game
BROAD_SHARE = 2  # one part in so many of the positions are those nearest to the start


class Sample(NamedTuple):
    """Positions of a game, each with its moves: those nearest to the start, then those of random games."""

    game: AnyGame
    positions: list[Position]
    complete: bool  # every state that can be reached is among them
    rng: random.Random

    def some(self, count: int) -> list[Position]:
        """Return at most so many of the positions, evenly spread."""
        return self.positions[:: max(1, -(-len(self.positions) // count))]


def take_sample(game: AnyGame, rng: random.Random, count: int) -> Sample:
    """Return a sample. Rules that raise exceptions only make it smaller, since the checks find the exceptions."""
    near, complete = _nearest(game, max(1, count // BROAD_SHARE))
    positions = near or [Position((), None)]
    while not complete and len(positions) < count:
        before = len(positions)
        _add_random_game(game, rng, positions, count)
        if len(positions) == before:
            break
    return Sample(game, positions, complete, rng)


def _nearest(game: AnyGame, count: int) -> tuple[list[Position], bool]:
    """Return one position for each of the states nearest to the start, and whether these are all states."""
    found: list[Position] = []
    with suppress(Exception):
        found.append(Position((), game.initial()))
        seen: set[Any] = {found[0].state}
        todo = deque(found)
        while todo:
            position = todo.popleft()
            for move in legal_list(game, position.state):
                state = game.play(position.state, move)
                if state in seen:
                    continue
                if len(found) == count:
                    return found, False
                seen.add(state)
                found.append(Position((*position.moves, move), state))
                todo.append(found[-1])
        return found, True
    return found, False


def _add_random_game(game: AnyGame, rng: random.Random, positions: list[Position], count: int) -> None:
    with suppress(Exception):
        position = Position((), game.initial())
        for _ in range(MAX_PLIES):
            legal = legal_list(game, position.state)
            if not legal or len(positions) >= count:
                return
            move = rng.choice(legal)
            position = Position((*position.moves, move), game.play(position.state, move))
            positions.append(position)
