"""The Gymnasium environments: one learner against an agent."""

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from duelbook import GAMES, IllegalMoveError, RefusedError
from duelbook.agents import KINDS, AgentKind, Forfeit, ForfeitKind
from duelbook.envs import gymnasium_id
from duelbook.envs.gymnasium_env import DuelEnv
from duelbook.envs.observation import Observer
from duelbook.game import Move
from tests.support.game_folders import variants


def check(name: str, **settings: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(gymnasium_id(name), **settings).unwrapped)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *(
            (name, {"seat": seat, "on_illegal": "penalty", **options})
            for name, options in variants()
            for seat in ("first", "second", "random")
        ),
        *((name, {"opponent": "greedy", "seat": "first"}) for name in GAMES),
        ("charge", {"opponent": "perfect", "seat": "random"}),
    ],
)
def test_gymnasiums_checker_finds_no_fault(name: str, settings: dict[str, Any]) -> None:
    check(name, **settings)


def test_the_seed_decides_the_seat_and_how_the_opponent_plays() -> None:
    def episode(seed: int) -> tuple[int, list[list[float]]]:
        env = DuelEnv("word-clash", length=3)
        seen, info = env.reset(seed=seed)
        vectors, over = [seen.tolist()], False
        while not over:
            seen, _, over, _, info = env.step(np.flatnonzero(info["action_mask"])[0])
            vectors.append(seen.tolist())
        return env.seat, vectors

    assert episode(1) == episode(1)
    assert {episode(seed)[0] for seed in range(10)} == {0, 1}
    assert len({str(episode(seed)[1]) for seed in range(5)}) == 5


def test_a_sample_without_a_mask_is_legal() -> None:
    env = DuelEnv("charge", charge_cards=1, seat="first")
    _, info = env.reset(seed=1)
    for _ in range(100):
        info["action_mask"][:] = 1  # the learner may change its copy
        _, _, over, stopped, info = env.step(env.action_space.sample())
        if over or stopped:
            _, info = env.reset()
    assert env.action_space.contains(7)


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = DuelEnv("charge", seat="first")
    env.reset(seed=1)
    for action in (7, 8, -1):
        with pytest.raises(
            IllegalMoveError, match=rf"'move number {action}' is not legal here. Legal moves: 0 \(charge 1\), "
        ):
            env.step(action)
    with pytest.raises(RefusedError, match="An action must be the number of a move, not 'block'"):
        env.step("block")
    assert env.match.moves == []


def test_an_illegal_action_can_cost_a_penalty_instead_and_changes_nothing() -> None:
    env = DuelEnv("charge", seat="first", on_illegal="penalty", penalty=0.25)
    before, _ = env.reset(seed=1)
    after, reward, over, stopped, info = env.step(7)
    assert (reward, over, stopped) == (-0.25, False, False)
    assert (after == before).all()
    assert info["action_mask"].tolist() == [1] * 7 + [0]
    assert env.match.moves == []
    env.step(2)
    assert env.match.moves[0] == 2
    assert len(env.match.moves) == 2


def test_an_episode_of_illegal_actions_is_truncated() -> None:
    env = DuelEnv("charge", seat="first", on_illegal="penalty", ply_limit=3)
    env.reset()
    *steps, (_, _, terminated, truncated, info) = [env.step(7) for _ in range(3)]
    assert [step[2:4] for step in steps] == [(False, False), (False, False)]
    assert (terminated, truncated, info["reason"], info["action_mask"].any()) == (False, True, "ply limit", False)
    for ended in (env, DuelEnv("charge")):
        with pytest.raises(RefusedError, match=r"No episode is running\. Call reset"):
            ended.step(0)


def test_the_ply_limit_truncates_with_reward_zero() -> None:
    env = DuelEnv("charge", seat="first", ply_limit=3)
    env.reset(seed=1)
    assert env.step(0)[1:4] == (0.0, False, False)
    assert env.step(0)[1:4] == (0.0, False, True)


def test_a_loss_before_the_learners_first_turn_is_reported_at_the_first_step_whatever_its_action() -> None:
    env = DuelEnv("flag-chase", cells=3, seat="second")
    _, info = env.reset()
    assert (info["action_mask"].tolist(), info["reason"]) == ([1, 1], "rules")
    assert env.step(0)[1:4] == (-1.0, True, False)
    assert not env.action_masks().any()


def test_a_loss_before_the_learners_first_turn_can_be_skipped() -> None:
    env = DuelEnv("flag-chase", seat="second", on_early_end="skip")
    for seed in range(20):  # the opponent can win at once, and does so in half of the games
        assert env.reset(seed=seed)[1]["reason"] == "unfinished"
        assert env.match.moves == [0]
    with pytest.raises(RefusedError, match=r"In 1000 games in a row, the opponent ended the game before"):
        DuelEnv("flag-chase", cells=3, seat="second", on_early_end="skip").reset()


@pytest.mark.parametrize("early", ["report", "skip"])
@pytest.mark.parametrize("name", GAMES)
def test_a_live_step_always_has_a_legal_action(name: str, early: str) -> None:
    env = DuelEnv(name, on_early_end=early)
    env.action_space.seed(1)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert info["action_mask"].any()
            assert (env.action_masks() == info["action_mask"]).all()
            _, _, terminated, truncated, info = env.step(env.action_space.sample())
            over = terminated or truncated


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_can_be_part_of_the_observation(name: str) -> None:
    check(name, seat="first", mask_in_observation=True, on_illegal="penalty")
    env = DuelEnv(name, mask_in_observation=True)
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert (seen["action_mask"] == info["action_mask"]).all()
    assert (seen["observation"] == DuelEnv(name).reset(seed=1)[0]).all()


def test_a_reset_can_choose_the_seat_the_opening_and_the_state() -> None:
    env = DuelEnv("charge", seat="first", opponent="greedy")
    _, info = env.reset(seed=1, options={"opening": ["charge 3", 0], "seat": "second"})
    assert info["seat"] == 1
    assert env.match.moves[:2] == [2, 0]
    assert env.match.mover == 1
    state = env.match.state
    assert (env.reset(options={"state": state, "seat": 1})[0] == Observer(env.game)(state)).all()
    assert env.match.states == [state]
    env.reset(options={"state": [0, [14, 1, 0, 0], [14, 1, 0, 0], 0, 0], "opening": ["charge 2"], "seat": "random"})
    assert env.match.states[1].theirs.points == 0
    assert env.reset()[1]["seat"] == 0  # the options hold for one episode


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"open": [1]}, "Unknown option of reset: 'open'. Options: opening, state, seat."),
        ({"opening": ["steal", "steal", "steal"]}, "'steal' is not legal here"),
        ({"opening": [99]}, "'move number 99' is not legal here"),
        ({"opening": 3}, "An opening must be a list of moves, not 3"),
        ({"state": [0, 1]}, r"The state \[0, 1\] does not have the form of State"),
        (
            {"state": [0, [0, 1, 0, 0], [15, 1, 0, 0], 0, 0]},
            "An episode cannot start in a state in which the game is over",
        ),
        ({"state": [2, [0, 1, 0, 0], [3, 1, 0, 0], 0, 0]}, "is not a state of this game: mover is 2"),
        (
            {"state": [0, [0, 99, 0, 0], [3, 1, 0, 0], 0, 0]},
            "is not a state of this game: a number is out of its range",
        ),
        ({"seat": "third"}, "seat must be one of first, second, random, 0 or 1, not 'third'"),
    ],
)
def test_a_wrong_option_of_reset_is_refused_and_the_episode_goes_on(options: dict[str, Any], sentence: str) -> None:
    env = DuelEnv("charge", seat="first")
    env.reset(seed=1)
    match = env.match
    with pytest.raises(RefusedError, match=sentence):
        env.reset(options=options)
    env.step(0)
    assert env.match is match


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_an_unknown_argument_is_a_type_error_as_wrappers_expect(make: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'gaol'") as found:
        make("duelbook/Charge-v1", gaol=21)
    assert "Options of charge: goal, " in str(found.value)
    arguments = str(found.value).partition("Arguments of the environment: ")[2]
    assert all(f"{name}" in arguments for name in ("opponent, ", "seat, ", "on_illegal, ", "ply_limit"))
    assert isinstance(found.value, RefusedError)


def test_a_function_on_batches_can_be_the_opponent() -> None:
    def last(vectors: Any, masks: Any) -> Any:
        assert vectors.shape == (1, 11)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env = DuelEnv("charge", seat="first", opponent=last)
    env.reset()
    env.step(0)
    assert env.match.moves == [0, 6]


def test_an_opponent_that_forfeits_loses() -> None:
    def forfeit(vectors: Any, masks: Any) -> Any:
        raise Forfeit(ForfeitKind.ERROR, "gone")

    env = DuelEnv("charge", seat="first", opponent=forfeit)
    env.reset()
    _, reward, over, stopped, info = env.step(0)
    assert (reward, over, stopped, info["reason"]) == (1.0, True, False, "forfeit")


def test_an_illegal_move_of_the_opponent_is_told_as_the_opponents() -> None:
    env = DuelEnv("charge", seat="first", opponent=lambda vectors, masks: np.array([99]))
    env.reset()
    with pytest.raises(RefusedError, match=r"^The opponent's move is not legal: 'move number 99' is not legal here"):
        env.step(0)


class CountingCloses:
    """Plays the first legal move and counts how often it is closed."""

    def __init__(self) -> None:
        self.closed = 0

    def choose(self, match: Any) -> Move:
        assert not self.closed
        move: Move = next(match.game.legal_moves(match.state))
        return move

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("episodes", [0, 1, 3])
def test_an_opponent_passed_as_an_agent_is_closed_once_with_the_environment(episodes: int) -> None:
    opponent = CountingCloses()
    env = DuelEnv("flag-chase", seat="second", opponent=opponent)
    for _ in range(episodes):
        env.reset()
        env.step(env.action_space.sample())
        assert not opponent.closed
    env.close()
    env.close()
    assert opponent.closed == 1


def test_an_opponent_passed_by_name_is_closed_after_each_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[CountingCloses] = []

    def make(rng: random.Random) -> CountingCloses:
        made.append(CountingCloses())
        return made[-1]

    monkeypatch.setitem(KINDS, "counting", AgentKind(make, "plays the first legal move"))
    env = DuelEnv("flag-chase", seat="second", opponent="counting")
    env.reset()
    env.reset()
    env.close()
    assert len(made) == 3  # the first one only checks the name
    assert [agent.closed for agent in made] == [1, 1, 1]


def test_the_human_mode_prints_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = DuelEnv("flag-chase", seat="first", render_mode="human")
    env.reset()
    env.step(1)
    assert capsys.readouterr().out.split("\n\n")[:2] == [
        "[1][2][3][4][5]\n[P1][ ][F][ ][P2]",
        "[1][2][3][4][5]\n[ ][ ][P1/F][ ][P2]",
    ]


@pytest.mark.filterwarnings("ignore:.*ERROR:UserWarning")  # with which Gymnasium tells of a worker's error
def test_an_illegal_action_in_a_worker_is_the_same_error_in_the_main_process() -> None:
    how: dict[str, Any] = {"vectorization_mode": "async", "vector_kwargs": {"context": "spawn"}}
    env = gymnasium.make_vec("duelbook.envs:duelbook/FlagChase-v1", 1, seat="first", **how)
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="'move number 7' is not legal here"):
        env.step(np.array([7]))
    env.close(terminate=True)
