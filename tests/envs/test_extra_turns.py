"""A player who moves again does so in every kind of environment."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra envs)")

import numpy as np
from pettingzoo.test import api_test

from duelbook import Match, Outcome, envs
from duelbook.envs.gymnasium_env import DuelEnv
from tests.support.games.pits import Pits

GAME = Pits()
UseGames = Callable[[str], None]


def random_match(seed: int) -> Match:
    """Return a finished match of random moves."""
    rng, match = random.Random(seed), Match(GAME)
    while not match.over:
        match.play(rng.choice(list(GAME.legal_moves(match.state))))
    return match


def movers(match: Match) -> list[int]:
    return [GAME.mover(state) for state in match.states]


def test_the_matches_have_extra_turns_and_draws() -> None:
    matches = [random_match(seed) for seed in range(30)]
    assert any(one == other for match in matches for one, other in pairwise(movers(match)))
    assert any(match.outcome is Outcome.DRAW for match in matches)


def test_pettingzoo_selects_the_player_who_moves_again() -> None:
    for seed in range(30):
        match, env = random_match(seed), envs.aec(GAME)
        env.reset()
        for move, mover in zip(match.moves, movers(match), strict=False):
            assert env.agent_selection == f"player_{mover}"
            assert env.observe(env.agent_selection)["action_mask"][move] == 1
            env.step(move)
        expected = {Outcome.FIRST_WINS: 1.0, Outcome.SECOND_WINS: -1.0, Outcome.DRAW: 0.0}[match.outcome]
        assert env.rewards == {"player_0": expected, "player_1": -expected}
        assert all(env.terminations.values())


def test_pettingzoos_own_test_passes() -> None:
    api_test(envs.aec(GAME), num_cycles=50)


@pytest.mark.parametrize("seat", ["first", "second"])
def test_gymnasium_asks_the_learner_again_and_lets_the_opponent_move_again(seat: str) -> None:
    env = DuelEnv(GAME, opponent="random", seat=seat)
    again = 0
    for seed in range(20):
        env.reset(seed=seed)
        done, rewards = False, 0.0
        while not done:
            assert env.match.mover == env.seat
            before = len(env.match.moves)
            _, reward, done, _, _ = env.step(env.action_space.sample())
            rewards += float(reward)
            again += not done and len(env.match.moves) == before + 1
        assert rewards == {Outcome.DRAW: 0.0}.get(env.match.outcome, 1.0 if env.match.outcome == env.seat else -1.0)
    assert again


def test_openspiel_returns_the_player_who_moves_again(use_games: UseGames) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="pyspiel is not installed (extra envs)")
    use_games("tests.support.games.pits:Pits")
    envs.register_openspiel()
    for seed in range(10):
        match, state = random_match(seed), pyspiel.load_game("duelbook_pits").new_initial_state()
        for move, mover in zip(match.moves, movers(match), strict=False):
            assert state.current_player() == mover
            state.apply_action(move)
        assert state.is_terminal()
        assert state.returns()[0] == {Outcome.DRAW: 0.0}.get(match.outcome, 1.0 if match.outcome == 0 else -1.0)


@pytest.mark.slow
def test_many_games_at_once_reward_the_player_who_made_the_last_move() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    matches = [random_match(seed) for seed in range(64)]
    env = envs.vector(GAME, len(matches))
    _, info = env.reset(seed=1)
    finished = [False] * len(matches)
    for ply in range(max(len(match.moves) for match in matches)):
        legal = [int(mask.argmax()) for mask in info["action_mask"]]
        moves = [match.moves[ply] if ply < len(match.moves) else legal[n] for n, match in enumerate(matches)]
        for number, match in enumerate(matches):
            if not finished[number]:
                assert info["mover"][number] == movers(match)[ply]
        _, rewards, terminated, _, info = env.step(np.array(moves))
        for number, match in enumerate(matches):
            if ply == len(match.moves) - 1:
                last = movers(match)[ply]
                assert terminated[number]
                assert rewards[number] == {Outcome.DRAW: 0}.get(match.outcome, 1 if match.outcome == last else -1)
                finished[number] = True
