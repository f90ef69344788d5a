"""How often each level beats the one below: pairs of games with the same seed from both seats, in games and presets.

`python -m benchmarks.levels [GAME…]` prints how long a move takes each level, and the table of the documentation.
"""

import math
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import duelbook
from duelbook.agents import KINDS, make_agent
from duelbook.game import AnyGame
from duelbook.intervals import STANDARD_DEVIATIONS
from duelbook.match import Match, ply_limit
from duelbook.presets import BOOK, presets_of
from scripts.markdown import table

LEVELS = tuple(name for name, kind in KINDS.items() if kind.exact)
STEPS = tuple((better, worse) for worse, better in pairwise(LEVELS))
HEADINGS = ("game", *(f"{better} over {worse}" for better, worse in STEPS))
PAIRS = 500  # of games


class Step(NamedTuple):
    """The share of points of one level against another, with its 95% interval; pairs of games are independent."""

    share: float
    margin: float

    @property
    def rating(self) -> float:
        """The difference in rating points that explains the share."""
        return 400 * math.log10(self.share / (1 - self.share))

    def __str__(self) -> str:
        if not self.margin and self.share == 0.5:
            return "–"
        low, high = self.share - self.margin, self.share + self.margin
        return f"{self.share:.0%} ({low:.0%} to {high:.0%}){'' if low > 0.5 else ' *'}, {self.rating:+.0f}"


def play(game: AnyGame, better: str, worse: str, seat: int, seed: int) -> float:
    """Return the points of the better player, who has this seat. A game that nobody wins gives half a point."""
    match = Match(game, ply_limit=ply_limit(game))
    agents = {seat: make_agent(better, f"{seed} better"), 1 - seat: make_agent(worse, f"{seed} worse")}
    while not match.over:
        match.play(agents[match.mover].choose(match))
    return 1 if match.outcome == seat else 0 if match.outcome == 1 - seat else 0.5


def measure(game: AnyGame, better: str, worse: str, pairs: int = PAIRS) -> Step:
    """Return how the better level does against the worse one."""
    shares = [sum(play(game, better, worse, seat, seed) for seat in (0, 1)) / 2 for seed in range(pairs)]
    return Step(statistics.fmean(shares), STANDARD_DEVIATIONS * statistics.stdev(shares) / math.sqrt(pairs))


def rows(games: Iterable[str], pairs: int = PAIRS) -> Iterator[list[str]]:
    """Return the rows of the table: each game and its presets, and the mean step of those in which skill decides."""
    found = []
    for name in games:
        for preset in presets_of(type(duelbook.make(name))):
            found.append([measure(duelbook.make(name, preset=preset), *step, pairs) for step in STEPS])
            yield [name if preset == BOOK else f"{name}, {preset}", *map(str, found[-1])]
    columns = ([step.rating for step in column if step.margin] for column in zip(*found, strict=True))
    yield ["mean rating step", *(f"{statistics.fmean(column):+.0f}" if column else "–" for column in columns)]


def milliseconds(game: AnyGame, level: str, games: int = 20) -> float:
    """Return how long a move takes the level on average, in games against itself."""
    seconds, moves = 0.0, 0
    for seed in range(games):
        match = Match(game, ply_limit=ply_limit(game))
        agent = make_agent(level, seed)
        while not match.over:
            start = time.perf_counter()
            move = agent.choose(match)
            seconds += time.perf_counter() - start
            match.play(move)
        moves += len(match.moves)
    return 1000 * seconds / moves


def main() -> None:
    names = sys.argv[1:] or [*duelbook.GAMES]
    times = ([name, *(f"{milliseconds(duelbook.make(name), level):.2f} ms" for level in LEVELS)] for name in names)
    print(table(("time for a move", *LEVELS), times), flush=True)
    print(table(HEADINGS, rows(names)))


if __name__ == "__main__":
    main()
