"""Scores: chance is 0 and perfect play is 1, repeated answers are no further evidence, and intervals cover."""

import random
from pathlib import Path

import pytest

from duelbook.positions import DatasetPosition, load_positions
from duelbook.positions.scores import LEGAL, Reply, parts, repetition, scores


@pytest.fixture(scope="module")
def positions(dataset: Path) -> list[DatasetPosition]:
    return load_positions(dataset)


def right(position: DatasetPosition) -> Reply:
    return Reply(position, position.good[0], LEGAL)


def wrong(position: DatasetPosition) -> Reply:
    return Reply(position, next(one.move for one in position.legal if one.regret), LEGAL)


def test_perfect_play_is_one_and_any_legal_move_is_zero_on_average(positions: list[DatasetPosition]) -> None:
    perfect = scores([right(one) for one in positions])
    assert perfect["accuracy"]["rate"] == perfect["accuracy_score"]["rate"] == perfect["regret_score"]["rate"] == 1
    assert perfect["regret"]["rate"] == 0
    assert perfect["accuracy"]["low"] < 1 == perfect["accuracy"]["high"]
    every = [Reply(one, move.move, LEGAL) for one in positions[:1] for move in one.legal]
    assert scores(every)["accuracy_score"]["rate"] == pytest.approx(0, abs=1e-5)
    assert scores(every)["regret_score"]["rate"] == pytest.approx(0, abs=1e-5)


def test_an_answer_without_a_move_counts_as_a_loss_and_against_rule_following(positions: list[DatasetPosition]) -> None:
    found = scores([Reply(positions[0], None, "illegal"), *map(right, positions[1:4])])
    assert found["legal"]["rate"] == found["accuracy"]["rate"] == 0.75
    assert found["regret"]["rate"] == positions[0].regret_of(None) / 4
    assert {one.value: one.regret_of(None) for one in positions} == {"win": 2, "draw": 1}
    assert found["outcomes"] == {"illegal": 1, "legal": 3}


def test_asking_again_narrows_no_interval_if_the_answers_never_vary(positions: list[DatasetPosition]) -> None:
    once = [(right if number % 3 else wrong)(one) for number, one in enumerate(positions)]
    five = [reply for reply in once for _ in range(5)]
    one, again = scores(once)["accuracy"], scores(five)["accuracy"]
    assert again["high"] - again["low"] == pytest.approx(one["high"] - one["low"], rel=0.05)


def test_parts_add_up_and_strata_are_in_order(positions: list[DatasetPosition]) -> None:
    found = parts([right(one) for one in positions])
    for name, cells in found.items():
        assert sum(cell["answers"] for cell in cells) == len(positions), name
    assert [cell["distance"] for cell in found["distance"]] == ["1", "2-6"]
    assert [cell["share"] for cell in found["share"]] == ["up to 1/4", "1/4 to 1/2", "above 1/2"]


def test_pass_at_k_and_consistency(positions: list[DatasetPosition]) -> None:
    one, two = positions[:2]
    replies = [right(one), right(one), wrong(one), wrong(two), Reply(two, None, "illegal"), Reply(two, None, "illegal")]
    found = repetition(replies, 3)
    assert found
    rates = {k: part["rate"] for k, part in found["pass_at"].items()}
    assert rates == {"1": pytest.approx(1 / 3, abs=1e-6), "2": 0.5, "3": 0.5}
    assert found["consistency"]["rate"] == pytest.approx((1 / 3 + 0) / 2, abs=1e-6)  # no answer agrees with none
    assert found["pass_at"]["1"]["chance"] == pytest.approx((one.chance_accuracy + two.chance_accuracy) / 2, abs=1e-5)
    assert repetition(replies[:1], 1) is None
    assert repetition(replies[:2], 3) is None


def test_intervals_hold_the_planted_accuracy(positions: list[DatasetPosition]) -> None:
    """Positions differ in how likely a right answer is, and each is asked three times: 95% intervals cover that."""
    rng, covered, runs = random.Random(1), 0, 300
    for _ in range(runs):
        replies: list[Reply] = []
        for position in positions:
            chance = rng.random() ** 0.5  # its mean is 2/3
            replies += [(right if rng.random() < chance else wrong)(position) for _ in range(3)]
        found = scores(replies)["accuracy"]
        covered += found["low"] <= 2 / 3 <= found["high"]
    assert covered / runs > 0.92
