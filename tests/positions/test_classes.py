"""Classes: positions that are symmetric in any way are in the same class, and others are told apart."""

import random
from typing import Any

import pytest

from duelbook import make
from duelbook.game import AnyGame, Outcome
from duelbook.positions.classes import Classes, quota, split_of
from duelbook.solve import solved


def reached(game: AnyGame, walks: int = 30) -> list[Any]:
    rng = random.Random(1)
    states: list[Any] = []
    for _ in range(walks):
        state = game.initial()
        while game.outcome(state) is Outcome.UNDECIDED and len(states) < 400:
            states.append(state)
            state = game.play(state, rng.choice(list(game.legal_moves(state))))
    return states


def test_the_same_position_from_the_other_seat_is_in_the_same_class() -> None:
    game = make("flag-chase", cells=21, stride=3)
    classes, solution = Classes(solved(game)), solved(game)
    compared = 0
    for state in reached(game):
        turned = state._replace(mover=1 - state.mover)
        try:
            solution.value(turned)
        except KeyError:  # that seat cannot be to move there
            continue
        compared += 1
        assert classes.of(state) == classes.of(turned)
    assert compared > 20


def test_a_seat_that_matters_is_told_apart() -> None:
    """With equal totals at the end the second player wins Crystal Capture (CC-2)."""
    game = make("crystal-capture")
    classes = Classes(solved(game))
    differing = 0
    for state in reached(game):
        turned = state._replace(mover=1 - state.mover)
        try:
            differing += classes.of(state) != classes.of(turned)
        except KeyError:
            continue
    assert differing


@pytest.mark.slow
def test_other_words_that_share_as_many_letters_make_no_other_class() -> None:
    plant, quick = (make("alpha-chase", words=words) for words in ("PLANT,GHOST", "GHOST,PLANT"))
    assert Classes(solved(plant)).of(plant.initial()) == Classes(solved(quick)).of(quick.initial())
    apart = make("alpha-chase", words="PLANT,CHARM", word_list="all")
    shared = make("alpha-chase", words="PLANT,PLANE", word_list="all")
    assert Classes(solved(apart)).of(apart.initial()) != Classes(solved(shared)).of(shared.initial())


def test_states_that_the_solver_treats_alike_are_in_one_class() -> None:
    game = make("word-clash")
    classes = Classes(solved(game))
    by_form: dict[Any, set[str]] = {}
    for state in reached(game, 8):
        fresh = Classes(solved(game))  # which cannot know it from another state of its form
        by_form.setdefault(game.canonical(state), set()).add(fresh.of(state))  # type: ignore[attr-defined]
        assert fresh.of(state) == classes.of(state)
    assert all(len(found) == 1 for found in by_form.values())


def test_a_class_is_always_in_the_same_split_and_each_split_gets_its_part() -> None:
    rng = random.Random(1)
    found = [split_of(f"{rng.getrandbits(64):016x}") for _ in range(4000)]
    shares = {split: found.count(split) / len(found) for split in ("train", "test", "held-out")}
    assert 0.27 < shares["train"] < 0.33
    assert 0.47 < shares["test"] < 0.53
    assert 0.17 < shares["held-out"] < 0.23
    assert [quota(split, 20) for split in ("train", "test", "held-out")] == [6, 10, 4]
    assert quota("held-out", 1) == 1
