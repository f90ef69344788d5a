"""Evidence: the different matches behind a score. A match that was only repeated proves nothing new."""

from collections.abc import Hashable
from typing import NamedTuple

from msgspec import UNSET

from duelbook.arena.results import Result
from duelbook.game import Outcome, Player, won_by
from duelbook.intervals import Cluster


class Sample(NamedTuple):
    """What one match says about a player."""

    opening: int  # a hash of the position from which the agents began
    points: float  # 0 to 1
    kept: int  # decisions that mattered and kept the value
    mattered: int


class Evidence:
    """The different matches of a player. For millions of them, openings and matches are told apart by their hashes."""

    def __init__(self) -> None:
        self._samples: dict[int, Sample] = {}  # by a hash of the match
        self._seats: set[Hashable] = set()
        self._played = 0

    def count(self, seat: Hashable, result: Result, player: Player) -> None:
        """Add a match of the player. `seat` says who met on which seats. The same match again proves nothing new."""
        record = result.record
        game = (record.game, *sorted(record.options.items()))
        drawn = 0 if record.opening is UNSET else record.opening
        opening = hash((game, *record.moves[:drawn]))
        points = 0.5 if result.outcome in (Outcome.DRAW, Outcome.UNDECIDED) else float(result.outcome == won_by(player))
        judged = result.judged[player] if result.judged else None
        match = hash((seat, opening, *record.moves, record.result, record.reason))
        self._samples[match] = Sample(opening, points, judged.kept if judged else 0, judged.mattered if judged else 0)
        self._seats.add(seat)
        self._played += 1

    def add(self, other: "Evidence") -> None:
        self._samples.update(other._samples)
        self._seats |= other._seats
        self._played += other._played

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
        return [Cluster(sum(one.points for one in group), len(group)) for group in self._groups()]

    def wins(self) -> list[Cluster]:
        """Return the matches that were won, by opening."""
        return [Cluster(sum(one.points == 1 for one in group), len(group)) for group in self._groups()]

    def accuracy(self) -> list[Cluster]:
        """Return how many of the decisions that mattered kept the value, by opening."""
        return [Cluster(sum(one.kept for one in group), sum(one.mattered for one in group)) for group in self._groups()]

    def _groups(self) -> list[list[Sample]]:
        """Return the matches by opening, or each by itself if all have the same opening.

        They are one group if repetition showed that they never vary, or if no seat had more than one of them.
        """
        samples = list(self._samples.values())
        groups: dict[int, list[Sample]] = {}
        for sample in samples:
            groups.setdefault(sample.opening, []).append(sample)
        never_varied = len(samples) == len(self._seats)
        if never_varied and self._played > len(samples):
            return [samples]
        if len(groups) > 1 or never_varied:
            return list(groups.values())
        return [[sample] for sample in samples]
