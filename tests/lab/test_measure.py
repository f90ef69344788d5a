"""What is measured of a variant: exact values, matches between levels, scores, and the front."""

import math
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import RefusedError
from duelbook.arena.tally import Score
from duelbook.lab import LabPlan, Variant, lab, plan_lab
from duelbook.lab.front import front
from duelbook.lab.measure import Exact, LevelMatches, Scores, measure, rating_step, score
from duelbook.lab.table import table_of
from duelbook.solve import cache, solved

MODULES = {"last_stone": "LastStone", "drop_four": "DropFour", "number_row": "NumberRow"}
TOYS = ",".join(f"tests.support.games.{module}:{rules}" for module, rules in MODULES.items())


def played(first_score: float = 0.5, depth: float = 0.0, moves: float = 20.0) -> LevelMatches:
    return LevelMatches(10, first_score, 0.0, 1.0, {}, depth, depth, depth, 0.0, 0.0, 0.0, moves)


@pytest.fixture
def toys(use_games: Callable[[str], None]) -> None:
    use_games(TOYS)


def measured(plan: LabPlan) -> list[Variant]:
    return [measure(plan, number) for number in range(plan.total)]


def test_a_lost_pile_is_won_by_the_second_seat_and_a_short_one_by_the_first(toys: None) -> None:
    small, four = measured(plan_lab("last-stone", ["stones=3,4"], pairs=2))
    assert small.exact == Exact(1, 4, "first", 1.0, 1.0, 0.0, 0.3333)
    assert four.exact is not None
    assert (four.exact.winner, four.exact.first_score, four.exact.plies) == ("second", 0.0, 2.0)
    assert four.exact.winning_first_moves == 0


def test_every_match_between_levels_counts(toys: None) -> None:
    plan = plan_lab("last-stone", ["stones=6"], pairs=3)
    [one] = measured(plan)
    found = one.played
    assert found is not None
    levels = len(plan.levels)
    assert found.matches == 2 * 3 * 2 * (levels - 1)
    assert list(found.by_level) == list(plan.levels[:-1])
    assert found.first_score == pytest.approx(sum(found.by_level.values()) / (levels - 1), abs=1e-3)
    assert found.low < found.first_score < found.high
    assert 2 <= found.moves <= 6
    assert 0 < found.mattered < 1


def test_drawn_starts_are_averaged(toys: None) -> None:
    [one] = measured(plan_lab("number-row", ["length=3"], pairs=6, starts=4))
    assert one.options == {"length": 3}
    assert one.exact is not None
    assert 1 < one.exact.starts <= 4
    matches = plan_lab("number-row", ["length=3"], pairs=6, starts=4).matches(0)
    assert {matches.fixture(number).game for number in range(matches.total)} == set(matches.all_starts())
    [fixed] = measured(plan_lab("number-row", ["length=3"], {"row": "1,3,2"}, pairs=1))
    assert fixed.exact is not None
    assert fixed.exact.starts == 1


def test_a_variant_that_is_too_large_says_so(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_SOLVE_MEGABYTES", "1")
    [one] = measured(plan_lab("drop-four", ["columns=7"], pairs=1))
    assert one.too_large is not None
    assert one.too_large == "It takes more than 1 MB of memory to solve."
    assert (one.exact, one.played, one.scores) == (None, None, None)


def test_a_saved_solution_does_not_make_a_variant_small_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    plan = plan_lab("charge", ["goal=9"], {"charge_cards": 3}, pairs=1)
    for known in ("_in_memory", "_too_large"):
        monkeypatch.setattr(cache, known, OrderedDict())
    monkeypatch.setenv("DUELBOOK_SOLVE_MEGABYTES", "500")
    assert solved(plan.variants.entries[0].game).states()
    assert len(cache.cached_files()) == 1
    monkeypatch.setenv("DUELBOOK_SOLVE_MEGABYTES", "1")
    [held] = measured(plan)
    cache._in_memory.clear()
    [saved] = measured(plan)
    cache.clear_cache()
    [unknown] = measured(plan)
    assert held == saved == unknown
    assert unknown.too_large


def test_the_command_gives_an_option_that_would_be_drawn_even_if_it_has_the_default(toys: None) -> None:
    plan = plan_lab("number-row", ["row=1,2,3,4,5,6,7,8;8,7,6,5,4,3,2,1"], pairs=1)
    commands = table_of(plan, measured(plan))["command"].cells
    rows = ("1,2,3,4,5,6,7,8", "8,7,6,5,4,3,2,1")
    assert commands == [f"duelbook play number-row --option row={row}" for row in rows]
    plan = plan_lab("number-row", ["length=4,8"], pairs=1)
    commands = table_of(plan, measured(plan))["command"].cells
    assert commands == ["duelbook play number-row --option length=4", "duelbook play number-row"]


def test_a_variant_is_the_same_in_any_sweep(toys: None) -> None:
    [alone] = measured(plan_lab("last-stone", ["stones=5"], pairs=1))
    among = measured(plan_lab("last-stone", ["stones=4,5"], pairs=1))[1]
    assert among.played == alone.played


def test_combinations_that_the_rules_refuse_are_left_out() -> None:
    plan = plan_lab("flag-chase", ["cells=3..6", "stride=1,2"])
    assert (plan.total, plan.variants.refused) == (4, 4)
    assert [plan.describe(number) for number in (0, 3)] == ["flag-chase:cells=3:stride=1", "flag-chase"]
    with pytest.raises(RefusedError, match=r"The rules refuse this combination\. cells must be an odd number"):
        plan_lab("flag-chase", ["cells=4"])


@pytest.mark.parametrize(("won", "points"), [(10, 0), (20, pytest.approx(400 * math.log10(41)))])
def test_a_step_is_the_distance_of_the_ratings(won: int, points: float) -> None:
    assert rating_step(Score(wins=won, losses=20 - won)) == points


def test_scores_are_one_half_where_they_say() -> None:
    assert score(played(0.5, 1000, 20)) == Scores(1.0, 0.5, 0.5)
    assert score(played(1.0, -30, 0)) == Scores(0.0, 0.0, 1.0)
    assert score(played(0.0)).fairness == 0


def test_the_front_has_what_no_other_beats_in_everything() -> None:
    scores = [Scores(1, 0, 0), Scores(0.5, 0.5, 0.5), Scores(0.5, 0.4, 0.5), Scores(0.5, 0.5, 0.5), Scores(0, 0, 1)]
    variants = [Variant(number, "", {}, scores=one) for number, one in enumerate(scores)]
    assert front([*variants, Variant(5, "", {}, too_large="too large")]) == {0, 1, 3, 4}


def test_a_lab_in_one_call_measures_what_its_plan_says(toys: None) -> None:
    variants = lab("last-stone", "stones=3,4", pairs=1)
    assert list(variants) == measured(plan_lab("last-stone", ["stones=3,4"], pairs=1))
    rows = variants.rows()
    assert [(row["variant"], row["stones"], row["exact_winner"]) for row in rows] == [(0, 3, "first"), (1, 4, "second")]
    assert len(variants.table()) == 2
    assert ">last-stone:stones=4</td>" in variants._repr_html_()
