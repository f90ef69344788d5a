"""Evidence: the matches behind a score. A match of agents that never vary proves nothing new if it is repeated."""

from collections import Counter
from collections.abc import Callable, Hashable
from typing import NamedTuple

from msgspec import UNSET

from duelbook.arena.results import MatchResult
from duelbook.game import Outcome, Player, won_by
from duelbook.intervals import Cluster


class MatchSample(NamedTuple):
    """What one match says about a player."""

    game: str
    opening: int  # a hash of the position from which the agents began
    start: int  # a hash of the opening and of who met on which seats
    points: float  # 0 to 1
    kept: int  # decisions that mattered and kept the value
    mattered: int


def opening_of(result: MatchResult) -> int:
    """Return a hash of the game and of the moves that were drawn before the agents took over."""
    record = result.record
    drawn = 0 if record.opening is UNSET else record.opening
    return hash(((record.game, *sorted(record.options.items())), *record.moves[:drawn]))


def points_of(result: MatchResult, player: Player) -> float:
    """Return the points of the player: 1 for a win, half a point for a draw or where the ply limit ended the match."""
    return 0.5 if result.outcome in (Outcome.DRAW, Outcome.UNDECIDED) else float(result.outcome == won_by(player))


class Evidence:
    """The matches of a player. For millions of them, openings and matches are told apart by their hashes.

    Where matches from the same start differ, somebody plays by chance, and each of them is a draw of its own, also if
    it is the same as another. Where they are all the same, they count once.
    """

    def __init__(self) -> None:
        self._samples: dict[int, MatchSample] = {}  # by a hash of the match
        self._times: Counter[int] = Counter()  # that each match was played
        self._seats: set[Hashable] = set()

    def count(self, seat: Hashable, result: MatchResult, player: Player) -> None:
        """Add a match of the player. `seat` says who met on which seats."""
        record, opening, points = result.record, opening_of(result), points_of(result, player)
        judged = result.judged[player] if result.judged else None
        match = hash((seat, opening, *record.moves, record.result, record.reason))
        kept, mattered = (judged.kept, judged.mattered) if judged else (0, 0)
        self._samples[match] = MatchSample(record.game, opening, hash((seat, opening)), points, kept, mattered)
        self._times[match] += 1
        self._seats.add(seat)

    def add(self, other: "Evidence") -> None:
        self._samples.update(other._samples)
        self._times.update(other._times)
        self._seats |= other._seats

    @property
    def matches(self) -> int:
        """The number of different matches."""
        return len(self._samples)

    @property
    def openings(self) -> int:
        """The number of different openings."""
        return len({sample.opening for sample in self._samples.values()})

    def points(self) -> list[Cluster]:
        """Return the points by opening."""
        return self._clusters(lambda one: one.points, lambda one: 1)

    def wins(self) -> list[Cluster]:
        """Return the matches that were won, by opening."""
        return self._clusters(lambda one: one.points == 1, lambda one: 1)

    def accuracy(self) -> list[Cluster]:
        """Return how many of the decisions that mattered kept the value, by opening."""
        return self._clusters(lambda one: one.kept, lambda one: one.mattered)

    def _clusters(self, points: Callable[[MatchSample], float], size: Callable[[MatchSample], int]) -> list[Cluster]:
        return [
            Cluster(sum(times * points(one) for one, times in group), sum(times * size(one) for one, times in group))
            for group in self._groups()
        ]

    def _groups(self) -> list[list[tuple[MatchSample, int]]]:
        """Return the matches by opening, and how often each counts.

        Where a game has one opening only, it was not drawn, and each match stands for itself, if any of them varied.
        They are one group if repetition showed that they never vary.
        """
        variety = Counter(sample.start for sample in self._samples.values())
        counted = [(one, self._times[match] if variety[one.start] > 1 else 1) for match, one in self._samples.items()]
        if len(counted) == len(self._seats) and self._times.total() > len(counted):
            return [counted]
        groups: dict[int, list[tuple[MatchSample, int]]] = {}
        for sample, times in counted:
            groups.setdefault(sample.opening, []).append((sample, times))
        openings = Counter(group[0][0].game for group in groups.values())
        found: list[list[tuple[MatchSample, int]]] = []
        for group in groups.values():
            varied = any(variety[sample.start] > 1 for sample, _ in group)
            if openings[group[0][0].game] == 1 and varied:
                found += [[(sample, 1)] for sample, times in group for _ in range(times)]
            else:
                found.append(group)
        return found
