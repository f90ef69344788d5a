"""Results added up: what every agent did against every other, from each seat, in each game."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from duelbook.agents import ForfeitKind
from duelbook.arena.plan import Fixture, Tournament
from duelbook.arena.playing import Forfeited
from duelbook.arena.result import Result
from duelbook.game import Outcome, Player, Reason, won_by


@dataclass
class Score:
    """What an agent did in some matches."""

    wins: int = 0
    draws: int = 0  # by the rules
    limits: int = 0  # stopped at the ply limit: a draw for ratings
    losses: int = 0
    forfeits: Counter[ForfeitKind] = field(default_factory=Counter)  # which are losses, too
    decisions: int = 0
    mattered: int = 0
    kept: int = 0
    regret: int = 0
    moves: int = 0
    seconds: float = 0.0

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.limits + self.losses

    @property
    def points(self) -> float:
        """A win is 1, a draw one half."""
        return self.wins + (self.draws + self.limits) / 2

    def results(self) -> dict[str, float]:
        """Answer how the matches ended, for tools."""
        return {
            "matches": self.matches,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "ply_limit": self.limits,
            "losses": self.losses,
        }

    def add(self, other: "Score") -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def total(scores: Iterable[Score]) -> Score:
    score = Score()
    for other in scores:
        score.add(other)
    return score


Pairs = defaultdict[int, float]  # points of the first named of two agents, 0 to 2 for each pair of games


class Key(NamedTuple):
    entry: int
    agent: int
    opponent: int
    seat: Player


class Loss(NamedTuple):
    """A forfeit, and the game it was in."""

    fixture: Fixture
    forfeit: Forfeited


class Tally:
    """The sums of a tournament; they do not depend on the order in which results come."""

    def __init__(self, tournament: Tournament, results: Iterable[Result]) -> None:
        self.tournament = tournament
        self.scores: defaultdict[Key, Score] = defaultdict(Score)
        self.lengths: defaultdict[int, Counter[int]] = defaultdict(Counter)  # for each game: how many had so many moves
        self.pairs: defaultdict[tuple[int, tuple[int, int]], Pairs] = defaultdict(lambda: defaultdict(float))
        self.unjudged: Counter[int] = Counter()  # for each game: matches whose moves are not judged
        self.forfeits: list[Loss] = []
        for result in results:
            self._count(tournament.fixture(result.number), result)

    def score(
        self, *, entry: int | None = None, agent: int, opponent: int | None = None, seat: int | None = None
    ) -> Score:
        """Answer what the agent did, in all matches or in some."""
        wanted = (entry, agent, opponent, seat)
        return total(
            score
            for key, score in self.scores.items()
            if all(part is None or part == value for part, value in zip(wanted, key, strict=True))
        )

    def _count(self, fixture: Fixture, result: Result) -> None:
        self.lengths[fixture.entry][len(result.record["moves"])] += 1
        self.unjudged[fixture.entry] += result.judged is None
        if result.forfeit:
            self.forfeits.append(Loss(fixture, result.forfeit))
        for number in (0, 1):
            seat, score = number ^ fixture.first, _score(result, number ^ fixture.first)
            self.scores[Key(fixture.entry, fixture.agents[number], fixture.agents[1 - number], seat)].add(score)
            if number == 0:
                self.pairs[fixture.entry, fixture.agents][fixture.pair] += score.points


def _score(result: Result, seat: Player) -> Score:
    """Answer one match as whoever had the seat sees it."""
    outcome = result.outcome
    forfeit = result.forfeit if result.forfeit and result.forfeit.by == seat else None
    judged = result.judged[seat]._asdict() if result.judged else {}
    own = result.second if seat else result.first
    return Score(
        wins=int(outcome == won_by(seat)),
        losses=int(outcome == won_by(1 - seat)),
        draws=int(outcome is Outcome.DRAW),
        limits=int(result.reason is Reason.PLY_LIMIT),
        forfeits=Counter([forfeit.kind] if forfeit else []),
        **judged,
        moves=len(own),
        seconds=sum(own),
    )
