"""Environments of a game that starts from a shuffle: each reset draws, by its seed."""

import pickle
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra envs)")

import numpy as np

from duelbook.envs import aec, vector
from duelbook.envs.gymnasium_env import DuelEnv
from duelbook.envs.observation import Observer
from duelbook.features import features_of
from tests.support.games.broken import UnseededDraw
from tests.support.games.number_row import NumberRow

pytestmark = pytest.mark.usefixtures("number_row")


def rows(env: Any, seeds: tuple[int | None, ...]) -> list[tuple[int, ...]]:
    found = []
    for seed in seeds:
        env.reset(seed=seed)
        found.append(env.unwrapped.game.row)
    return found


def environments(**options: Any) -> list[Any]:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    return [
        aec("number-row", **options),
        DuelEnv("number-row", seat="first", **options),
        vector("number-row", 2, **options),
    ]


def test_the_seed_of_a_reset_draws_the_start() -> None:
    for env in environments():
        one, again, two, next_one, other = rows(env, (1, 1, 2, None, None))
        assert one == again, env
        assert len({one, two, next_one, other}) == 4, env


def test_a_start_that_is_given_is_kept() -> None:
    for env in environments(length=3, row="2,3,1"):
        assert rows(env, (1, 2, None)) == [(2, 3, 1)] * 3, env


def test_a_learner_sees_what_was_drawn() -> None:
    game = NumberRow(3, (2, 3, 1))
    assert [feature.name for feature in features_of(game)][-3:] == ["row.0", "row.1", "row.2"]
    assert Observer(game)(game.initial()).tolist() == [0, 0, 0, 0, 0, 2, 3, 1]
    assert features_of(UnseededDraw(deal=7))[-1][:2] == ("deal", "the deal"), "also without a declared range"
    zoo, one, many = environments(length=6)
    zoo.reset(seed=5)
    assert tuple(zoo.last()[0]["observation"][-6:]) == zoo.unwrapped.game.row
    assert tuple(one.reset(seed=5)[0][-6:]) == one.game.row
    assert [tuple(seen[-6:]) for seen in many.reset(seed=5)[0]] == [many.game.row] * 2


def test_games_are_played_from_what_was_drawn() -> None:
    many = vector("number-row", 3, length=4, row="2,4,1,3")
    many.reset(seed=2)
    for _ in range(9):
        vectors, _, over, _, info = many.step(many.random_moves())
        if over.any():
            sums = np.stack(info["final_obs"][over])[:, 3:5].sum(axis=1)
            assert (sums == 10).all(), "all numbers of the row are taken"
            assert (vectors[over][:, :5] == 0).all(), "the next game starts"
            assert (vectors[:, -4:] == (2, 4, 1, 3)).all()


def test_in_openspiel_the_start_is_a_parameter() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra envs)")
    from duelbook.envs.openspiel import register

    register("number-row")
    assert "Row: 1 2 3 4 5 6 7 8\n" in str(pyspiel.load_game("duelbook_number_row").new_initial_state())
    game = pyspiel.load_game("duelbook_number_row(length=3,row=2/3/1)")
    state = pickle.loads(pickle.dumps(game)).new_initial_state()
    assert "Row: 2 3 1\n" in str(state)
    assert state.observation_tensor(0)[-3:] == [2, 3, 1]


def test_a_game_in_hand_is_played_as_it_is() -> None:
    game = NumberRow(3, (2, 3, 1))
    for env in (aec(game), DuelEnv(game, seat="first")):
        assert rows(env, (1, 2, None)) == [game.row] * 3
