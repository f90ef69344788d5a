"""Ratings: what is known of the model, and how often its intervals hold the truth in simulated tournaments."""

import math
from collections.abc import Sequence

import pytest

from benchmarks.coverage import alike, coverage, independent
from duelbook.arena.ratings import AgentRating, Meetings, ratings
from duelbook.intervals import Cluster


def elo(odds: float) -> float:
    return 400 * math.log10(odds)


def meetings(scores: Sequence[float], times: int = 1, size: int = 2) -> Meetings:
    """Return the matches with these scores by opening, each of them played several times."""
    return Meetings(sum(scores) * times, size * len(scores) * times, [Cluster(score, size) for score in scores])


def width(rating: AgentRating) -> float:
    assert rating.low is not None
    assert rating.high is not None
    return rating.high - rating.low


def test_jeffreys_prior_adds_half_a_point_for_each_of_two_agents() -> None:
    one, two = ratings(2, {(0, 1): meetings([2, 1, 1, 1])})
    assert one.rating - two.rating == pytest.approx(elo(5.5 / 3.5), abs=0.11)


def test_an_interval_ends_where_the_likelihood_is_low_enough() -> None:
    """The prior counts as one more match for two agents. It does not vary, so it lowers the limit by its share."""
    one, _ = ratings(2, {(0, 1): meetings([1] * 7 + [0] * 3, size=1)})
    best = 7.5 / 11
    for end in (one.low, one.high):
        assert end is not None
        chance = 1 / (1 + 10 ** (-2 * end / 400))
        loss = best * math.log(best / chance) + (1 - best) * math.log((1 - best) / (1 - chance))
        assert 2 * 11 * loss == pytest.approx(1.96**2 * 10 / 11, rel=0.01)


def test_many_matches_recover_odds_that_multiply_along_a_chain() -> None:
    """0 beats 1 three to one, 1 beats 2 two to one, and 0 beats 2 six to one."""
    played = {
        (0, 1): meetings([3] * 900, size=4),
        (1, 2): meetings([2] * 1200, size=3),
        (0, 2): meetings([6] * 500, size=7),
    }
    zero, one, two = ratings(3, played)
    assert zero.rating - one.rating == pytest.approx(elo(3), abs=1)
    assert one.rating - two.rating == pytest.approx(elo(2), abs=1)
    assert zero.rating + one.rating + two.rating == pytest.approx(0, abs=0.2)


def test_an_agent_that_won_everything_has_a_finite_rating_and_interval() -> None:
    one, two = ratings(2, {(0, 1): meetings([2] * 15)})
    assert one.rating - two.rating == pytest.approx(elo(30.5 / 0.5), abs=0.11)
    assert one.low is not None
    assert 0 < one.low < one.rating < one.high < 3000  # type: ignore[operator]


def test_matches_of_an_agent_that_won_everything_count_once_for_each_opening() -> None:
    """Nothing shows whether they end alike."""
    single, pairs, many = (ratings(2, {(0, 1): meetings([size] * 5, size=size)})[0] for size in (1, 2, 20))
    assert single.rating < pairs.rating < many.rating
    assert (single.low, single.high) == (pairs.low, pairs.high) == (many.low, many.high)
    best, worst = ratings(2, {(0, 1): meetings([1000] * 5, size=1000)})
    assert (best.rating, worst.rating) == (best.high, worst.low), "an interval holds its rating"


def test_ratings_and_intervals_are_symmetric() -> None:
    one, two = ratings(2, {(0, 1): meetings([2, 1.5, 1, 2, 0])})
    assert one.low is not None
    assert one.high is not None
    assert two == (-one.rating, -one.high, -one.low)
    for rated in ratings(3, dict.fromkeys([(0, 1), (0, 2), (1, 2)], meetings([2, 0, 1, 1]))):
        assert rated.rating == 0
        assert rated.high == -rated.low  # type: ignore[operator]


def test_there_is_no_interval_where_nothing_varies() -> None:
    for rated in ratings(3, {(0, 1): meetings([2], 15), (0, 2): meetings([1], 15), (1, 2): meetings([2], 15)}):
        assert (rated.low, rated.high) == (None, None)


def test_repeated_matches_do_not_narrow_an_interval() -> None:
    scores = [2, 1, 0, 2, 2, 1]
    once, often, more = (
        ratings(2, {(0, 1): found})[0] for found in (meetings(scores), meetings(scores, 20), meetings(scores * 20))
    )
    assert width(often) == pytest.approx(width(once), abs=0.2)
    assert width(more) < width(once) / 3


def test_matches_of_an_opening_that_end_alike_widen_an_interval() -> None:
    mixed, same = (ratings(2, {(0, 1): meetings(scores * 5)})[0] for scores in ([2, 0, 1, 1], [2, 0, 2, 0]))
    assert width(same) > 1.3 * width(mixed)


def test_an_interval_is_wider_if_it_is_estimated_how_much_alike_matches_end() -> None:
    """They count for a number that is known if they always or never do."""

    def of(scores: Sequence[float], size: int = 2) -> float:
        return width(ratings(2, {(0, 1): meetings(scores, size=size)})[0])

    assert of([2, 1, 1, 1, 0]) == of([0.5] * 10, size=1), "never"
    assert of([2, 2, 2, 0, 0]) == of([1, 1, 1, 0, 0], size=1), "always"
    assert of([2, 1, 1, 0]) > 1.03 * of([0.5] * 5, size=1), "a third of the time, so 8 matches count for 6"


@pytest.mark.slow
@pytest.mark.parametrize(("agents", "pairs", "distance"), [(2, 15, 400), (3, 5, 300), (4, 15, 400)])
def test_intervals_hold_the_truth_of_agents_far_apart(agents: int, pairs: int, distance: int) -> None:
    cell = coverage(independent, agents, pairs, distance, 150)
    assert 0.92 <= cell.share <= 0.995
    assert cell.error < 30, "it was up to 55 with an added draw"


@pytest.mark.slow
@pytest.mark.parametrize(("agents", "pairs", "distance"), [(2, 5, 100), (2, 15, 300), (3, 15, 100)])
def test_intervals_hold_the_truth_if_matches_of_an_opening_end_alike(agents: int, pairs: int, distance: int) -> None:
    assert 0.92 <= coverage(alike, agents, pairs, distance, 400).share <= 0.98
