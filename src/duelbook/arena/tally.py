"""Results added up: how every agent did against every other one, from each seat, in each game."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from duelbook.agents import ForfeitKind
from duelbook.arena.evidence import Evidence
from duelbook.arena.match import MatchForfeit
from duelbook.arena.plan import Fixture, MatchPlan
from duelbook.arena.results import MatchResult
from duelbook.game import Outcome, Player, Reason, won_by
from duelbook.solve import Value


@dataclass
class Score:
    """What an agent did in some matches."""

    wins: int = 0
    draws: int = 0  # by the rules
    limits: int = 0  # stopped at the ply limit, which ratings count as a draw
    losses: int = 0
    forfeits: Counter[ForfeitKind] = field(default_factory=Counter)  # which are losses, too
    opponent_forfeits: int = 0  # which are wins, too
    decisions: int = 0  # the fields of Judgement, added up
    mattered: int = 0
    kept: int = 0
    regret: int = 0
    judged_losses: int = 0
    lost_from_start: int = 0  # judged losses whose first position was already lost
    never_better: int = 0  # judged losses in which every position was lost
    moves: int = 0
    seconds: float = 0.0

    @property
    def matches(self) -> int:
        return self.wins + self.draws + self.limits + self.losses

    @property
    def points(self) -> float:
        """One point for a win, half a point for a draw."""
        return self.wins + (self.draws + self.limits) / 2

    @property
    def mean_regret(self) -> float | None:
        """What a decision that mattered gave away on average; the other decisions give nothing away."""
        return self.regret / self.mattered if self.mattered else None

    def results(self) -> dict[str, float]:
        """Return how the matches ended, as a JSON document."""
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

    def count(self, result: MatchResult, seat: Player) -> None:
        """Add one match, as the player on this seat sees it."""
        outcome, forfeit = result.outcome, result.forfeit
        lost = outcome == won_by(1 - seat)
        self.wins += outcome == won_by(seat)
        self.losses += lost
        self.draws += outcome is Outcome.DRAW
        self.limits += result.record.reason is Reason.PLY_LIMIT
        if forfeit and forfeit.by == seat:
            self.forfeits[forfeit.kind] += 1
        elif forfeit:
            self.opponent_forfeits += 1
        if result.judged:
            judgement = result.judged[seat]
            self.decisions += judgement.decisions
            self.mattered += judgement.mattered
            self.kept += judgement.kept
            self.regret += judgement.regret
            self.judged_losses += lost
            self.lost_from_start += lost and judgement.start == Value.LOSS
            self.never_better += lost and judgement.best == Value.LOSS
        seconds = result.second if seat else result.first
        self.moves += len(seconds)
        self.seconds += sum(seconds)


Meeting = tuple[int, int]  # two agents


class Key(NamedTuple):
    """Which matches a score is about."""

    entry: int
    agent: int
    opponent: int
    seat: Player

    def fits(self, *wanted: int | None) -> bool:
        """Return True if each part is the wanted one, where one is wanted."""
        return all(part is None or part == value for part, value in zip(wanted, self, strict=True))


class LostByForfeit(NamedTuple):
    """A forfeit and its match."""

    fixture: Fixture
    forfeit: MatchForfeit


class RunTally:
    """The sums of a plan's results. They do not depend on the order of the results."""

    def __init__(self, plan: MatchPlan, results: Iterable[MatchResult], *, both_sides: bool = False) -> None:
        """Add up the results. Evidence is about the first agent of each meeting, or about both with `both_sides`."""
        self.plan, self._both_sides = plan, both_sides
        self.scores: defaultdict[Key, Score] = defaultdict(Score)
        self._evidence: defaultdict[Key, Evidence] = defaultdict(Evidence)
        self.lengths: defaultdict[int, Counter[int]] = defaultdict(Counter)  # by game: matches of each number of moves
        self.unjudged: Counter[int] = Counter()  # by game: matches whose moves are not judged
        self.forfeits: list[LostByForfeit] = []
        for result in results:
            self._count(plan.fixture(result.number), result)

    def score(
        self, *, entry: int | None = None, agent: int, opponent: int | None = None, seat: int | None = None
    ) -> Score:
        """Return what the agent did in all matches, or in those of one game, opponent or seat."""
        total = Score()
        for key, score in self.scores.items():
            if key.fits(entry, agent, opponent, seat):
                total.add(score)
        return total

    def evidence(
        self,
        *,
        entry: int | None = None,
        agent: int | None = None,
        opponent: int | None = None,
        seat: int | None = None,
    ) -> Evidence:
        """Return the different matches, or those of one game, seat or meeting, as its first agent sees them."""
        total = Evidence()
        for key, evidence in self._evidence.items():
            if key.fits(entry, agent, opponent, seat):
                total.add(evidence)
        return total

    def notes(self) -> list[str]:
        """Return a sentence about every game whose moves are not all judged."""
        return [
            f"{game} is too large to solve: {self.unjudged[entry]:,} of its matches have no accuracy and no regret."
            for entry, game in enumerate(self.plan.games)
            if self.unjudged[entry]
        ]

    def _count(self, fixture: Fixture, result: MatchResult) -> None:
        self.lengths[fixture.entry][len(result.record.moves)] += 1
        self.unjudged[fixture.entry] += result.judged is None
        if result.forfeit:
            self.forfeits.append(LostByForfeit(fixture, result.forfeit))
        for number in (0, 1):
            seat = number ^ fixture.first
            key = Key(fixture.entry, fixture.agents[number], fixture.agents[1 - number], seat)
            self.scores[key].count(result, seat)
            if number == 0 or self._both_sides:
                self._evidence[key].count(key, result, seat)
