"""The PettingZoo environments: PettingZoo's own tests, rewards, ends and illegal actions."""

from functools import partial
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra envs)")

from pettingzoo.test import api_test, render_test, seed_test

from duelbook import IllegalMoveError, RefusedError
from duelbook.envs import aec
from tests.support.game_folders import variants

EXPECTED = (
    "ignore:Observation space for each agent probably",  # PettingZoo itself recommends a mask beside the vector
    "ignore:Observation is not a NumPy array",
    "ignore:Action mask numpy array is all zeros",  # of the player whose turn it is not
    "ignore:Observation numpy array is all zeros",  # at the start of Flag Chase
    "ignore::pytest.PytestUnraisableExceptionWarning",  # what another test has left to be collected
)


@pytest.mark.filterwarnings("error", *EXPECTED)
@pytest.mark.parametrize(("name", "options"), variants())
def test_pettingzoos_own_tests_find_no_fault(name: str, options: dict[str, Any]) -> None:
    api_test(aec(name, **options), num_cycles=200)
    seed_test(partial(aec, name, **options), num_cycles=100)
    render_test(partial(aec, name, **options))


def started(name: str, *moves: int, **options: Any) -> Any:
    env = aec(name, **options)
    env.reset()
    for move in moves:
        env.step(move)
    return env


SMALL = {"crystals": 2, "goal": 3, "deadlock": "draw"}


@pytest.mark.parametrize(
    ("name", "moves", "options", "reward", "decided"),
    [
        ("flag-chase", [0, 0, 0], {}, 1.0, True),
        ("flag-chase", [0, 0, 0], {"ply_limit": 3}, 1.0, True),
        ("crystal-capture", [0, 1], SMALL, 0.0, True),
        ("charge", [0, 0, 0], {"ply_limit": 3}, 0.0, False),
    ],
    ids=["won", "won at the ply limit", "drawn", "stopped at the ply limit"],
)
def test_a_game_terminates_with_its_rewards_or_is_truncated(
    name: str, moves: list[int], options: dict[str, Any], reward: float, decided: bool
) -> None:
    env = started(name, *moves, **options)
    assert env.rewards == {"player_0": reward, "player_1": -reward}
    assert {*env.terminations.values()} == {decided}
    assert {*env.truncations.values()} == {not decided}
    assert not env.last()[0]["action_mask"].any()


def test_each_player_learns_its_reward_when_the_game_is_over() -> None:
    env = started("flag-chase", 0, 0, 0)
    assert env.last()[1] == -1.0  # player_1 would be to move
    env.step(None)
    assert env.last()[1] == 1.0
    env.step(None)
    assert env.agents == []


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = started("crystal-capture", 7)
    before = env.unwrapped.match.state
    with pytest.raises(
        IllegalMoveError,
        match=r"'move number 7' is not legal here\. Legal moves: 0 \(1\), 1 \(2\), 2 \(3\), 3 \(4\), 4 \(5\)",
    ):
        env.step(7)
    with pytest.raises(RefusedError, match=r"An action must be the number of a move, not 1\.5"):
        env.step(1.5)
    assert env.unwrapped.match.state == before
    assert env.agent_selection == "player_1"
    assert env.observe("player_1")["action_mask"].tolist() == [1, 1, 1, 1, 1, 1, 1, 0, 1, 0]
    assert not env.observe("player_0")["action_mask"].any()
    assert (env.infos["player_1"]["action_mask"] == env.observe("player_1")["action_mask"]).all()


def test_the_human_mode_prints_the_position_after_every_move(capsys: pytest.CaptureFixture[str]) -> None:
    env = started("flag-chase", 0, render_mode="human")
    assert capsys.readouterr().out == "[1][2][3][4][5]\n[ ][P1][F][ ][P2]\n\n"
    assert env.render() is None
    assert started("flag-chase", 0, render_mode="ansi").render() == "[1][2][3][4][5]\n[ ][P1][F][ ][P2]"
