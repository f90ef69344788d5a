"""Evidence: repeated matches count once, and intervals know which matches depend on each other."""

from pathlib import Path
from typing import Any

import pytest

from duelbook.arena import plan_evaluation, plan_tournament, play_series, run_evaluation, run_tournament
from duelbook.arena.evidence import Evidence
from duelbook.arena.report.text import evaluation_text, series_text, standings_text
from duelbook.arena.results import MatchResult
from duelbook.arena.runner import play_fixture, prepare
from duelbook.intervals import Cluster, clustered, student_deviations, wilson

NOTHING_UNCERTAIN = "The others only repeat them, so there is nothing to be uncertain about and no interval."


def results(*matches: int, openings: str = "book") -> list[MatchResult]:
    plan = prepare(plan_tournament(["charge"], ["random", "greedy"], pairs=5, openings=openings))
    return [play_fixture(plan, number) for number in matches]


def evidence(*played: MatchResult) -> Evidence:
    found = Evidence()
    for result in played:
        found.count(result.number % 2, result, result.number % 2)
    return found


def test_a_repeated_match_counts_once() -> None:
    [first, second, third] = results(0, 2, 4)
    assert evidence(first, second, third, first).matches == 3
    assert evidence(first, second, third).openings == 1
    assert evidence(first, first, first).points() == [Cluster(sum(c.points for c in evidence(first).points()), 1)]


def test_matches_from_one_opening_are_clusters_of_their_own_and_those_from_several_are_not() -> None:
    assert [cluster.size for cluster in evidence(*results(0, 1, 2, 4)).points()] == [1, 1, 1, 1]
    assert [cluster.size for cluster in evidence(*results(0, 1, 2, 3, openings="balanced")).points()] == [2, 2]
    assert [cluster.size for cluster in evidence(*results(0, 1)).points()] == [2], "each seat once: nothing varies"


def test_an_opening_that_is_the_only_one_of_its_game_is_no_cluster_beside_other_games_either() -> None:
    plan = prepare(plan_tournament(["charge", "crystal-capture"], ["random", "greedy"], pairs=5, openings="book"))
    both = evidence(*(play_fixture(plan, number) for number in range(20)))
    assert both.openings == 2
    assert [cluster.size for cluster in both.points()] == [1] * 20


def test_a_match_that_chance_repeats_counts_each_time() -> None:
    """Matches from the same start that differ show that somebody plays by chance."""
    [first, second] = results(0, 2)
    assert [cluster.size for cluster in evidence(first, second, first, first).points()] == [1, 1, 1, 1]
    document = play_series("flag-chase", ("random", "random"), 200)
    assert (document["different_matches"], document["openings"]) == (8, 1)
    assert document["interval"] == pytest.approx(wilson(document["score"] * 200, 200), abs=0.01)


def test_accuracy_is_counted_in_decisions() -> None:
    played = results(0, 2, 4)
    judged = [result.judged[0] for result in played if result.judged]
    assert evidence(*played).accuracy() == [Cluster(one.kept, one.mattered) for one in judged]


def test_an_interval_counts_matches_that_end_alike_as_one() -> None:
    mixed = [Cluster(1, 2)] * 20
    alike = [Cluster(2, 2), Cluster(0, 2)] * 10
    assert clustered(0.5, mixed) == wilson(20, 40)
    assert clustered(0.5, alike) == wilson(10, 20)
    partly = [Cluster(points, 2) for points in (2, 0, 1, 1, 2, 0, 1, 1)]
    assert clustered(0.5, partly) == pytest.approx(wilson(7, 14, student_deviations(49 / 3))), "one seventh alike"
    assert clustered(0.5, [Cluster(1, 1), Cluster(0, 1)] * 5) == wilson(5, 10)
    assert clustered(1, [Cluster(2, 2)] * 10) == wilson(10, 10), "nothing shows whether they are alike"
    assert clustered(1, [Cluster(30, 30)]) is None
    assert clustered(0.5, [Cluster(0, 0), Cluster(1, 2)]) is None, "an empty cluster says nothing"


@pytest.mark.parametrize(("free", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (10, 2.228), (1000, 1.962)])
def test_few_values_widen_an_interval_as_in_the_tables_of_student(free: int, quantile: float) -> None:
    assert student_deviations(free) == pytest.approx(quantile, rel=0.01)


def test_fifteen_pairs_that_repeat_two_matches_have_no_interval(tmp_path: Path) -> None:
    """Flag Chase from its only start, with agents that never vary."""
    document = play_series("flag-chase", ("perfect", "greedy"), 30)
    assert (document["different_matches"], document["openings"], document["interval"]) == (2, 1, None)
    assert f"2 different matches of 30, from 1 opening. {NOTHING_UNCERTAIN}" in series_text(document)
    plan = plan_tournament(["flag-chase"], ["perfect", "greedy"], pairs=15)
    standings = run_tournament(plan, tmp_path / "tournament", backend="serial")
    assert [row["low"] for row in standings["overall"]["standings"]] == [None, None]
    assert NOTHING_UNCERTAIN in standings_text(standings)
    assert NOTHING_UNCERTAIN in (tmp_path / "tournament/report.html").read_text()
    report = run_evaluation(plan_evaluation("perfect", ["flag-chase"], ["greedy"]), tmp_path / "evaluation")
    assert (report["overall"]["win_rate"]["low"], report["overall"]["win_rate"]["of"]) == (None, 30)
    text = evaluation_text(report)
    assert text.count(NOTHING_UNCERTAIN) == 1
    assert "89%" not in text


def test_openings_make_deterministic_agents_play_different_matches() -> None:
    document: dict[str, Any] = play_series("charge", ("perfect", "greedy"), 20)
    assert (document["different_matches"], document["openings"]) == (20, 10)
    assert document["interval"] is not None
    assert "20 different matches of 20, from 10 openings." in series_text(document)


def test_one_pair_is_too_few_for_an_interval() -> None:
    text = series_text(play_series("charge", ("perfect", "greedy"), 2))
    assert "2 different matches of 2, from 1 opening. One opening is too few for an interval." in text
