"""The positions of a game that the checks look at."""

import random
from contextlib import suppress
from typing import NamedTuple

from duelbook.contract import ReachedPosition, legal_list, nearest_positions
from duelbook.game import AnyGame
from duelbook.options import draw, drawn_options

MAX_PLIES = 300  # of a random game
BROAD_SHARE = 2  # one part in so many of the positions are those nearest to the start
DRAWN_SHARE = 2  # one part in so many of the positions are those of drawn starts, if the start is drawn
DRAWN_POSITIONS = 25  # of each drawn start, at least
MAX_DRAWN_STARTS = 100


class PositionSample(NamedTuple):
    """Positions of a game, each with its moves: those nearest to the start, then those of random games."""

    game: AnyGame
    positions: list[ReachedPosition]
    complete: bool  # every state that can be reached is among them
    rng: random.Random
    drawn: tuple[str, ...] = ()  # the names of the options that were drawn

    def some(self, count: int) -> list[ReachedPosition]:
        """Return at most so many of the positions, evenly spread."""
        return self.positions[:: max(1, -(-len(self.positions) // count))]


def take_samples(game: AnyGame, seed: int, count: int) -> list[PositionSample]:
    """Return samples that share so many positions: one of the game as it is, then one of each drawn start."""
    drawn = _drawn_starts(game, seed, count)
    share = count // DRAWN_SHARE if drawn else 0
    samples = [take_sample(game, random.Random(seed), count - share)]
    for number, start in enumerate(drawn):
        sample = take_sample(start, random.Random(f"{seed} positions {number}"), max(1, share // len(drawn)))
        samples.append(sample._replace(drawn=drawn_options(type(game))))
    return samples


def _drawn_starts(game: AnyGame, seed: int, count: int) -> list[AnyGame]:
    """Return the game from different drawn starts; none if nothing is drawn, or if that fails, which a check finds."""
    starts: list[AnyGame] = []
    with suppress(Exception):
        names, rng = drawn_options(type(game)), random.Random(f"{seed} starts")
        wanted = min(MAX_DRAWN_STARTS, max(1, count // DRAWN_SHARE // DRAWN_POSITIONS)) if names else 0
        for _ in range(wanted):
            start = draw(game, rng)
            if start not in (game, *starts):
                starts.append(start)
    return starts


def take_sample(game: AnyGame, rng: random.Random, count: int) -> PositionSample:
    """Return a sample. Rules that raise exceptions only make it smaller, since the checks find the exceptions."""
    near, complete = nearest_positions(game, max(1, count // BROAD_SHARE))
    positions = near or [ReachedPosition((), None)]
    while not complete and len(positions) < count:
        before = len(positions)
        _add_random_game(game, rng, positions, count)
        if len(positions) == before:
            break
    return PositionSample(game, positions, complete, rng)


def _add_random_game(game: AnyGame, rng: random.Random, positions: list[ReachedPosition], count: int) -> None:
    with suppress(Exception):
        position = ReachedPosition((), game.initial())
        for _ in range(MAX_PLIES):
            legal = legal_list(game, position.state)
            if not legal or len(positions) >= count:
                return
            move = rng.choice(legal)
            position = ReachedPosition((*position.moves, move), game.play(position.state, move))
            positions.append(position)
