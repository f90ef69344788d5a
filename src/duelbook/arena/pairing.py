"""Matches of two runs in pairs: the same opening, seat and opponent, so that only the agent differs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from duelbook.arena.evidence import opening_of, points_of
from duelbook.arena.plan import MatchPlan
from duelbook.arena.results import MatchResult
from duelbook.intervals import paired_difference


class MatchPlace(NamedTuple):
    """Where an agent played a match. Two runs from the same openings have the same places."""

    game: str
    opponent: str
    seat: int
    pair: int  # from 0
    opening: int  # a hash

    @property
    def start(self) -> tuple[str, str, int, int]:
        """Return what stays the same when an opening comes again."""
        return self.game, self.opponent, self.seat, self.opening


class AgentMatch(NamedTuple):
    """What an agent did in its match."""

    points: float
    moves: int  # a hash


class PairedDifference(NamedTuple):
    """How much more an agent scored in the matches that it shares with another one."""

    rate: float
    low: float | None
    high: float | None
    better: float | None
    pairs: int | None  # of matches; None if the runs share too few, so that they count as independent


class MatchPlaces:
    """The matches of every agent of a run, by their places."""

    def __init__(self) -> None:
        self._agents: defaultdict[int, dict[MatchPlace, AgentMatch]] = defaultdict(dict)

    def noting(self, plan: MatchPlan, results: Iterable[MatchResult]) -> Iterator[MatchResult]:
        """Yield the results, and note each of them."""
        for result in results:
            fixture = plan.fixture(result.number)
            for number in (0, 1):
                seat, other = number ^ fixture.first, plan.agents[fixture.agents[1 - number]]
                pair = fixture.pair - plan.first_pair
                place = MatchPlace(plan.games[fixture.entry], other, seat, pair, opening_of(result))
                played = AgentMatch(points_of(result, seat), hash((*result.record.moves, result.record.reason)))
                self._agents[fixture.agents[number]][place] = played
            yield result

    def of(self, agent: int, game: str | None = None, opponent: str | None = None) -> dict[MatchPlace, AgentMatch]:
        """Return the matches of an agent, or those of one game or against one opponent."""
        return {
            place: played
            for place, played in self._agents[agent].items()
            if game in (None, place.game) and opponent in (None, place.opponent)
        }


def compare_places(
    one: Mapping[MatchPlace, AgentMatch], two: Mapping[MatchPlace, AgentMatch]
) -> PairedDifference | None:
    """Return how much more the first agent scored, or None unless all places of one of the two are also the other's."""
    shared = [place for place in one if place in two]
    if not shared or len(shared) < min(len(one), len(two)):
        return None
    apart = {place: one[place].points - two[place].points for place in shared}
    found = paired_difference(sum(apart.values()) / len(apart), _clusters(apart, one, two))
    return PairedDifference(*found, len(shared))


def _clusters(
    apart: Mapping[MatchPlace, float], one: Mapping[MatchPlace, AgentMatch], two: Mapping[MatchPlace, AgentMatch]
) -> Iterable[list[float]]:
    """Return the differences by opening, as `Evidence` groups matches.

    Where matches from the same start never vary, they count once. Where a game has one opening only, it was not drawn,
    and each pair stands for itself if any of its matches varied.
    """
    varied = _varied(apart, one) | _varied(apart, two)
    counted = {(place.start, place.pair if place.start in varied else 0): place for place in apart}
    openings: defaultdict[str, set[int]] = defaultdict(set)
    for place in apart:
        openings[place.game].add(place.opening)
    clusters: defaultdict[tuple[str, int, int], list[float]] = defaultdict(list)
    for place in counted.values():
        alone = len(openings[place.game]) == 1 and place.start in varied
        clusters[place.game, place.opening, place.pair if alone else -1].append(apart[place])
    return clusters.values()


def _varied(places: Iterable[MatchPlace], played: Mapping[MatchPlace, AgentMatch]) -> set[tuple[str, str, int, int]]:
    """Return the starts from which matches differ."""
    moves: defaultdict[tuple[str, str, int, int], set[int]] = defaultdict(set)
    for place in places:
        moves[place.start].add(played[place].moves)
    return {start for start, found in moves.items() if len(found) > 1}
