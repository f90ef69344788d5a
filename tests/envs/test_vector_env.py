"""The vector environment agrees with matches played by the interpreted rules."""

import os
from typing import Any

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")
pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv, VectorEnv

from duelbook import Outcome, RefusedError
from duelbook.envs import vector, vector_env
from duelbook.envs.autoreset import AutoresetMode
from duelbook.envs.observation import Observer, is_truncated, mask_of, reward
from duelbook.match import Match
from tests.support.game_folders import variants
from tests.support.games.broken import Uncompiled

COUNT = 6
LIMIT = 25  # plies; longer games are stopped


@pytest.mark.parametrize(("name", "options"), variants())
def test_every_game_is_played_as_the_interpreted_rules_play_it(name: str, options: dict[str, str]) -> None:
    env = vector(name, COUNT, ply_limit=LIMIT, **options)
    _, info = env.reset(seed=5)
    game = env.game  # with what was drawn
    observer, matches = Observer(game), [Match(game, ply_limit=LIMIT) for _ in range(COUNT)]
    ended = 0
    for _ in range(60):
        moves = env.random_moves()
        seen, rewards, terminated, stopped, info = env.step(moves)
        for number, (match, move) in enumerate(zip(matches, moves.tolist(), strict=True)):
            mover = match.mover
            match.play(move)
            assert rewards[number] == reward(match.outcome, mover)
            assert stopped[number] == is_truncated(match)
            assert terminated[number] == (match.outcome is not Outcome.UNDECIDED)
            if match.over:
                ended += 1
                assert info["_final_obs"][number]
                np.testing.assert_array_equal(info["final_obs"][number], observer(match.state), strict=True)
                assert info["final_info"]["mover"][number] == game.mover(match.state)
                matches[number] = match = Match(game, ply_limit=LIMIT)
            elif "_final_obs" in info:
                assert not info["_final_obs"][number]
                assert info["final_obs"][number] is None
            np.testing.assert_array_equal(seen[number], observer(match.state), strict=True)
            mask = mask_of(game, game.legal_moves(match.state))
            np.testing.assert_array_equal(info["action_mask"][number], mask, strict=True)
            assert info["mover"][number] == match.mover
        assert env.states() == [match.state for match in matches]
    assert ended
    assert seen in env.observation_space


def test_many_games_are_the_same_in_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    alone = vector("crystal-capture", 10)
    monkeypatch.setattr(vector_env, "MIN_THREAD_GAMES", 3)
    shared = vector("crystal-capture", 10)
    assert [env.reset(seed=3)[1]["mover"].tolist() for env in (alone, shared)] == [[0] * 10] * 2
    for _ in range(30):
        moves = alone.random_moves()
        assert moves.tolist() == shared.random_moves().tolist()
        assert repr(alone.step(moves)) == repr(shared.step(moves))
        assert alone.states() == shared.states()
    moves = np.append(shared.random_moves()[:-1], 9)
    with pytest.raises(RefusedError, match=r"Action 9 is not legal in game 9\."):
        shared.step(moves)
    shared.close()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_both_sides_are_played_in_the_other_modes(mode: AutoresetMode) -> None:
    env = vector("crystal-capture", 30, autoreset_mode=mode)
    game, matches = env.game, [Match(env.game) for _ in range(30)]
    _, info = env.reset(seed=2)
    for _ in range(30):
        moves, waiting = env.random_moves(), np.array([match.over for match in matches])
        assert info["action_mask"][waiting].all()
        if mode is AutoresetMode.DISABLED and waiting.any():
            with pytest.raises(RefusedError, match=f"Game {waiting.argmax()} is over"):
                env.step(moves)
            _, info = env.reset(options={"reset_mask": waiting})
            matches = [Match(game) if match.over else match for match in matches]
            assert env.states() == [match.state for match in matches]
            moves, waiting = env.random_moves(), np.zeros(30, np.bool_)
        _, rewards, terminated, _, info = env.step(moves)
        for number, match in enumerate(matches):
            mover = match.mover
            if waiting[number]:
                matches[number] = match = Match(game)
            else:
                match.play(int(moves[number]))
            assert (rewards[number], terminated[number]) == (reward(match.outcome, mover), match.over)
        assert env.states() == [match.state for match in matches]


def test_it_has_the_interface_of_a_vector_environment() -> None:
    env = vector("alpha-chase", 3)
    assert isinstance(env, VectorEnv)
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert info["action_mask"].shape == (3, env.game.num_moves)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, rewards, terminated, stopped, _ = env.step(env.random_moves())
    assert [array.shape for array in (rewards, terminated, stopped)] == [(3,)] * 3
    assert [array.dtype.name for array in (rewards, terminated, stopped)] == ["float64", "bool", "bool"]
    assert env.render() == tuple(env.game.render(state) for state in env.states())
    env.close()


def layout(info: dict[str, Any], names: set[str]) -> dict[str, Any]:
    wanted = {name: value for name, value in info.items() if name.removeprefix("_") in names}
    return {
        name: layout(value, {"action_mask"}) if isinstance(value, dict) else (value.shape, value.dtype)
        for name, value in wanted.items()
    }


@pytest.mark.skipif(not hasattr(gymnasium.vector, "AutoresetMode"), reason="Gymnasium 1.0 has one mode only")
def test_the_end_of_a_game_is_reported_as_in_gymnasiums_own_vector_environments() -> None:
    def one() -> gymnasium.Env[Any, Any]:
        return gymnasium.make("duelbook/Charge-v1", seat="first", ply_limit=3)

    many = vector("charge", 3, ply_limit=2)
    peer = SyncVectorEnv([one] * 3, autoreset_mode=AutoresetMode.SAME_STEP)
    infos = []
    for env in (many, peer):
        env.reset(seed=1)
        assert not any("final" in name for name in env.step(np.zeros(3, np.int64))[4])
        infos.append(env.step(np.array([0, 1, 0]))[4])
    ours, theirs = (layout(info, {"final_obs", "final_info"}) for info in infos)
    assert ours == theirs
    assert {*ours} == {"final_obs", "_final_obs", "final_info", "_final_info"}
    assert {*infos[0]["final_info"]} == {"action_mask", "_action_mask", "mover", "_mover"}
    for info in infos:
        assert info["_final_info"].all()
        assert info["final_info"]["_action_mask"].all()
        assert not info["final_info"]["action_mask"].any()
    peer.close()


def test_a_last_observation_has_the_mask_if_observations_have_it() -> None:
    env = vector("flag-chase", 3, mask_in_observation=True)
    env.reset(seed=1)
    _, _, _, _, info = env.step(np.array([0, 1, 0]))
    assert info["final_obs"][1] in env.single_observation_space
    np.testing.assert_array_equal(info["final_obs"][1]["action_mask"], np.zeros(2, np.int8), strict=True)
    assert info["final_obs"][0] is None


def test_returned_arrays_never_change() -> None:
    env = vector("crystal-capture", 2)
    first, info = env.reset()
    mask, mover = info["action_mask"].copy(), info["mover"].copy()
    second, _, _, _, _ = env.step([0, 0])
    kept = second.copy()
    env.step([1, 1])
    assert first.tolist() == [[0, *[1] * 9, 0, 0]] * 2
    assert (second == kept).all()
    assert (info["action_mask"] == mask).all()
    assert (info["mover"] == mover).all()


def test_random_moves_depend_on_the_seed_alone_and_cover_every_legal_move() -> None:
    env = vector("charge", 500)
    env.reset(seed=3)
    first = env.random_moves().tolist()
    env.reset(seed=3)
    assert env.random_moves().tolist() == first
    assert set(first) == set(range(7))
    env.step(first)
    assert set(env.random_moves().tolist()) == set(range(7))


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([0, 2], r"Action 2 is not legal in game 1\. See the action mask"),
        ([-1, 0], "Action -1 is not legal in game 0"),  # it is not counted from the end
        ([0, 99], "Action 99 is not legal in game 1"),
        ([0], "actions must be 2 whole numbers, one for each game"),
        ([0.0, 1.0], "actions must be 2 whole numbers"),
        (["0", "1"], "actions must be 2 whole numbers"),
    ],
)
def test_invalid_actions_are_refused_and_change_nothing(actions: Any, sentence: str) -> None:
    env = vector("flag-chase", 2)
    env.reset()
    before = env.states()
    with pytest.raises(RefusedError, match=sentence):
        env.step(actions)
    assert env.states() == before


@pytest.mark.parametrize("count", [0, -1, 2.5, "8", True])
def test_an_invalid_number_of_games_is_refused(count: Any) -> None:
    with pytest.raises(RefusedError, match="num_envs must be"):
        vector("charge", count)


def test_rules_that_do_not_compile_are_refused() -> None:
    env = vector(Uncompiled(), 2)
    env.reset()
    with pytest.raises(RefusedError, match=r"The rules of Uncompiled\(.*\) cannot be compiled"):
        env.step([0, 0])
