"""One variant measured: its exact values, and how levels play it against each other and against themselves."""

import math
from statistics import fmean

from msgspec import Struct

from duelbook.arena.runner import play_fixture
from duelbook.arena.tally import RunTally, Score
from duelbook.game import AnyGame
from duelbook.intervals import STANDARD_DEVIATIONS, wilson
from duelbook.lab.plan import LabPlan, VariantPlan
from duelbook.options import OptionText, write_options
from duelbook.solve import TooLargeError, memory_budget
from duelbook.solve.budget import TooSlowError, memory_text
from duelbook.solve.cache import solved_anew

ELO_SCALE = 400 / math.log(10)  # rating points per unit of log odds: 400 points mean odds of ten to one
HALF_DEPTH = 1000  # rating points between the weakest and the strongest level that score one half
HALF_BREVITY = 20  # moves of both players that score one half
DIGITS = 4
WINNERS = {1.0: "first", 0.0: "second", 0.5: "nobody"}
MIXED = "mixed"  # which seat wins depends on the start that is drawn


class Exact(Struct, forbid_unknown_fields=True):
    """Best play from the start, on average over the starts that are drawn."""

    starts: int
    states: int  # classes of them, if the game has canonical states
    winner: str  # `first`, `second`, `nobody` or `mixed`
    first_score: float  # of the first seat: a win is 1, a draw or endless play 0.5
    plies: float | None  # to the end, over those starts from which play ends
    endless: float  # the share of starts from which nobody can force an end
    winning_first_moves: float  # the share of first moves that win


class LevelMatches(Struct, forbid_unknown_fields=True):
    """Matches between levels."""

    matches: int
    first_score: float  # of the first seat, between equal levels below `perfect`, with the 95% interval
    low: float
    high: float
    by_level: dict[str, float]  # the first seat's score when the level plays itself
    depth: float  # rating points between the weakest level and `perfect`, with the 95% interval
    depth_low: float
    depth_high: float
    mattered: float  # the share of decisions in which some legal move gives value away
    drawn: float  # the share of matches that were drawn
    stopped: float  # the share of matches that were stopped at the ply limit
    moves: float  # of both players, on average


class Scores(Struct, forbid_unknown_fields=True):
    """How good a variant is, from 0 to 1."""

    fairness: float
    depth: float
    brevity: float


class Variant(Struct, forbid_unknown_fields=True):
    """What was found about the variant with this number."""

    number: int
    label: str  # `charge:goal=21`
    options: dict[str, OptionText]  # all but those that are drawn
    too_large: str | None = None  # why it was not measured
    exact: Exact | None = None
    played: LevelMatches | None = None
    scores: Scores | None = None


def measure(plan: LabPlan, number: int) -> Variant:
    """Measure the variant with this number. Everything follows from the plan."""
    matches = plan.matches(number)
    [entry] = matches.entries
    options = {name: value for name, value in write_options(entry.game).items() if name not in entry.drawn}
    found = Variant(number, entry.label, options)
    try:
        found.exact = _exact(matches.all_starts())
    except TooLargeError as error:
        found.too_large = why_too_large(error)
        return found
    found.played = _played(matches)
    found.scores = score(found.played)
    return found


def why_too_large(error: TooLargeError) -> str:
    """Return why a variant is not measured, without the figures of the error, which depend on the machine."""
    if isinstance(error, TooSlowError):
        return f"It takes too long to solve without compiled code: {error.obstacle}."
    return f"It takes more than {memory_text(memory_budget())} of memory to solve."


def score(played: LevelMatches) -> Scores:
    """Return the scores. None of them depends on other variants.

    Fairness is 1 if the first seat scores one half between equal levels, and 0 if one seat wins everything. Depth and
    brevity are one half at HALF_DEPTH rating points and at HALF_BREVITY moves.
    """
    depth = max(0.0, played.depth)
    return Scores(
        fairness=_rounded(1 - 2 * abs(played.first_score - 0.5)),
        depth=_rounded(depth / (depth + HALF_DEPTH)),
        brevity=_rounded(HALF_BREVITY / (HALF_BREVITY + played.moves)),
    )


def _exact(starts: list[AnyGame]) -> Exact:
    states, scores, plies, winning = [], [], [], []
    for game in starts:
        solution, start = solved_anew(game), game.initial()
        states.append(solution.states())
        value = solution.value(start) if game.mover(start) == 0 else -solution.value(start)
        scores.append((value + 1) / 2)
        plies.append(solution.remoteness(start))
        winning.append(solution.winning_share(start))
    ends = [count for count in plies if count is not None]
    return Exact(
        starts=len(starts),
        states=round(fmean(states)),
        winner=WINNERS[scores[0]] if len(set(scores)) == 1 else MIXED,
        first_score=_rounded(fmean(scores)),
        plies=_rounded(fmean(ends)) if ends else None,
        endless=_rounded(plies.count(None) / len(starts)),
        winning_first_moves=_rounded(fmean(winning)),
    )


def _played(plan: VariantPlan) -> LevelMatches:
    tally = RunTally(plan, (play_fixture(plan, number) for number in range(plan.total)))
    levels = range(len(plan.agents) - 1)
    firsts = [tally.score(agent=level, opponent=level, seat=0) for level in levels]
    every = Score()
    for seats in tally.scores.values():
        every.add(seats)
    equal = Score()
    for first in firsts:
        equal.add(first)
    low, high = wilson(equal.points, equal.matches)
    steps = [tally.score(agent=level + 1, opponent=level) for level in levels]
    depth, margin = sum(map(rating_step, steps)), STANDARD_DEVIATIONS * math.sqrt(sum(map(step_variance, steps)))
    return LevelMatches(
        matches=plan.total,
        first_score=_rounded(equal.points / equal.matches),
        low=_rounded(low),
        high=_rounded(high),
        by_level={plan.agents[level]: _rounded(firsts[level].points / firsts[level].matches) for level in levels},
        depth=round(depth, 1),
        depth_low=round(depth - margin, 1),
        depth_high=round(depth + margin, 1),
        mattered=_rounded(every.mattered / every.decisions) if every.decisions else 0.0,
        drawn=_rounded(every.draws / every.matches),
        stopped=_rounded(every.limits / every.matches),
        moves=_rounded(sum(length * count for length, count in tally.lengths[0].items()) / plan.total),
    )


def rating_step(better: Score) -> float:
    """Return by how many rating points a level is better than another, from its results against it.

    One further draw keeps the rating finite for a level that won everything. As each level meets only its neighbours,
    the sum of the steps is what the Bradley-Terry model finds.
    """
    won, lost = _won_and_lost(better)
    return ELO_SCALE * math.log(won / lost)


def step_variance(better: Score) -> float:
    """Return the variance of `rating_step`, by the delta method."""
    won, lost = _won_and_lost(better)
    return ELO_SCALE**2 * (1 / won + 1 / lost)


def _won_and_lost(score: Score) -> tuple[float, float]:
    return score.points + 0.5, score.matches - score.points + 0.5


def _rounded(value: float) -> float:
    return round(value, DIGITS)
