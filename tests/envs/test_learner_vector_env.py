"""Many games of a learner against an opponent: they are played as single environments play them."""

import os
import random
from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")
pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")

import gymnasium
import numpy as np

from duelbook import Match, Outcome, RefusedError, make
from duelbook.agents import HasProbabilities, make_agent
from duelbook.agents.greedy import loses_at_once
from duelbook.agents.levels import LEVELS
from duelbook.envs import gymnasium_id, vector, vector_env
from duelbook.envs.autoreset import AutoresetMode
from duelbook.envs.gymnasium_env import DuelEnv
from duelbook.envs.opponents import is_compiled
from duelbook.game import AnyGame, Move, canonical_form, won_by
from duelbook.games import name_of
from duelbook.options import drawn_options
from duelbook.solve import solved
from tests.support.games.pits import Pits
from tests.support.playing import played

COUNT = 6
LIMIT = 25


def last_legal(vectors: Any, masks: Any) -> Any:
    assert len(vectors) == len(masks)
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def settings_of(name: str) -> dict[str, Any]:
    game = make(name)
    return {option: getattr(game, option) for option in drawn_options(type(game))}


class Single:
    """A single environment that is reset as a vector environment in one of its modes does it."""

    def __init__(self, name: str, seat: int, mode: AutoresetMode, **settings: Any) -> None:
        self.env, self.mode, self.over = DuelEnv(name, seat=seat, ply_limit=LIMIT, **settings), mode, False
        self.seen, self.info = self.env.reset()

    def step(self, action: int) -> tuple[float, bool, bool]:
        if self.over:
            self.seen, self.info = self.env.reset()
            self.over = False
            return 0.0, False, False
        self.seen, reward, terminated, truncated, self.info = self.env.step(action)
        self.last, self.over = self.seen, terminated or truncated
        if self.over and self.mode is AutoresetMode.SAME_STEP:
            self.seen, self.info = self.env.reset()
            self.over = False
        return float(reward), terminated, truncated


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        *(("charge", mode) for mode in AutoresetMode),
        ("word-clash", AutoresetMode.SAME_STEP),  # more moves than bits of a word
        ("alpha-chase", AutoresetMode.NEXT_STEP),  # with options that are drawn
    ],
)
def test_every_step_is_that_of_single_environments(name: str, mode: AutoresetMode) -> None:
    settings: dict[str, Any] = {"opponent": last_legal, **settings_of(name)}
    seats = [number % 2 for number in range(COUNT)]
    env = gymnasium.make_vec(gymnasium_id(name), COUNT, autoreset_mode=mode, ply_limit=LIMIT, **settings)
    seen, info = env.reset(seed=1, options={"seat": seats})
    singles = [Single(name, seat, mode, **settings) for seat in seats]
    rng, ended = np.random.default_rng(1), False
    for _ in range(40):
        for number, one in enumerate(singles):
            np.testing.assert_array_equal(seen[number], one.seen, strict=True)
            assert info["seat"][number] == one.env.seat
            assert one.over or (info["action_mask"][number] == one.info["action_mask"]).all()
        assert info["action_mask"].any(axis=1).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, *results, info = env.step(actions)
        theirs = [one.step(action) for one, action in zip(singles, actions.tolist(), strict=True)]
        assert list(zip(*(result.tolist() for result in results), strict=True)) == theirs
        over = results[1] | results[2]
        ended = ended or bool(over.any())
        if mode is AutoresetMode.SAME_STEP and over.any():
            for number in np.flatnonzero(over).tolist():
                np.testing.assert_array_equal(info["final_obs"][number], singles[number].last)
                assert info["final_info"]["seat"][number] == seats[number]
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(RefusedError, match=f"Game {over.argmax()} is over. Start it with reset"):
                env.step(actions)
            seen, info = env.reset(options={"reset_mask": over})
            for number in np.flatnonzero(over).tolist():
                singles[number].step(0)
    assert ended
    env.close()


def replies(game: AnyGame, state: Any, opponent: str, count: int, seed: int = 1) -> Counter[Any]:
    """Return how often the opponent's move leads to each state, in so many games at once."""
    env = vector(game, count, opponent=opponent, seat=1 - game.mover(state), on_early_end="report")
    env.reset(seed=seed, options={"state": state})
    return Counter(env.states())


def after(game: AnyGame, state: Any, moves: Iterable[Move]) -> Counter[Any]:
    return Counter(game.play(state, move) for move in moves)


def some_states(game: AnyGame, count: int, seed: int = 1) -> list[Any]:
    rng, states = random.Random(seed), list[Any]()
    while len(states) < count:
        state = game.initial()
        while game.outcome(state) is Outcome.UNDECIDED:
            states.append(state)
            state = game.play(state, rng.choice(list(game.legal_moves(state))))
    return rng.sample(states, count)


@pytest.mark.parametrize("name", ["word-clash", "charge"])
def test_the_random_opponent_plays_every_legal_move(name: str) -> None:
    game = make(name)
    legal = list(game.legal_moves(game.initial()))
    found = replies(game, game.initial(), "random", 40 * len(legal))
    assert found.keys() == after(game, game.initial(), legal).keys()
    assert min(found.values()) > 10


def test_the_greedy_opponent_wins_at_once_and_avoids_to_lose_at_once() -> None:
    game = make("charge")
    for state in some_states(game, 12):
        mover, legal = game.mover(state), list(game.legal_moves(state))
        winning = [move for move in legal if game.outcome(game.play(state, move)) == won_by(mover)]
        safe = [move for move in legal if not loses_at_once(game, game.play(state, move), mover)]
        assert replies(game, state, "greedy", 300).keys() == after(game, state, winning or safe or legal).keys()


def check_perfect(game: AnyGame, states: Iterable[Any]) -> None:
    """Check that the perfect opponent is compiled, and plays what the perfect agent plays."""
    agent = make_agent("perfect")
    assert is_compiled("perfect", game)
    assert isinstance(agent, HasProbabilities)
    for state in states:
        expected = after(game, state, agent.probabilities(Match(game, start=state)))
        assert replies(game, state, "perfect", 25 * len(expected)).keys() == expected.keys()


@pytest.mark.parametrize(
    ("name", "options", "states"),
    [
        ("crystal-capture", {}, 12),
        ("alpha-chase", {}, 12),  # with canonical states and profiles
        ("word-clash", {}, 12),  # with a table of classes
        ("word-clash", {"length": 3}, 3),
        pytest.param("word-clash", {"length": 8}, 3, marks=pytest.mark.long),
        pytest.param("charge", {}, 12, marks=pytest.mark.long),
        pytest.param("flag-chase", {}, 12, marks=pytest.mark.long),
    ],
)
def test_the_perfect_opponent_plays_what_the_perfect_agent_plays(
    name: str, options: dict[str, Any], states: int
) -> None:
    game = make(name, **options)
    check_perfect(game, some_states(game, states))


ENDURING = ["".join(letters) for letters in product("AB", ascii_uppercase, "ET")] + ["CAT", "DOG", "QAT"]

OPENINGS = [
    [],
    ["A self 1"],
    ["A opponent 1"],
    ["Q opponent 1"],
    ["A self 1", "E opponent 3"],
    ["A self 1", "E opponent 3", "A opponent 1"],
    ["C self 1", "Z self 1"],
]


@pytest.mark.parametrize("words", [[], ENDURING, ["CAT"]], ids=["standard", "enduring boards", "one word"])
def test_boards_are_told_apart_with_any_dictionary(words: list[str], tmp_path: Path) -> None:
    """With some words, any letter fits between A and E. After a first letter on their own board, a player has lost."""
    file = tmp_path / "words"
    file.write_text("\n".join(words))
    game = make("word-clash", length=3, dictionary=str(file) if words else "standard")
    check_perfect(game, [played(game, *moves) for moves in OPENINGS])


@pytest.mark.parametrize(
    ("level", "game"),
    [
        *((level, make("crystal-capture")) for level in LEVELS),
        pytest.param("medium", make("word-clash", length=3), marks=pytest.mark.long),  # with classes of states
    ],
    ids=lambda value: value if isinstance(value, str) else name_of(value),
)
def test_a_level_plays_as_often_well_as_its_agent(level: str, game: AnyGame) -> None:
    form = canonical_form(game) or (lambda state: state)
    for state in some_states(game, 3, seed=2):
        match, ours, theirs = Match(game, start=state), Counter[Any](), Counter[Any]()
        for seed in range(400):
            theirs[form(game.play(state, make_agent(level, seed).choose(match)))] += 1
        for found, count in replies(game, state, level, 4000).items():
            ours[form(found)] += count
        for one in ours.keys() | theirs.keys():
            assert ours[one] / 4000 == pytest.approx(theirs[one] / 400, abs=0.09)


def test_a_level_that_has_seen_a_win_plays_it_to_the_end() -> None:
    """If it had to see the win again in each turn, it would lose 5.5% of these games instead of 2.6%."""
    game = make("crystal-capture", crystals=12, goal=40)
    won = lost = 0
    assert solved(game).value(game.initial()) == -1
    env = vector(game, 400, opponent="hard", seat="first")
    env.reset(seed=1)
    for _ in range(40):
        _, rewards, *_ = env.step(env.random_moves())
        won, lost = won + int((rewards > 0).sum()), lost + int((rewards < 0).sum())
    assert 0 < won < 0.04 * (won + lost)


def test_any_agent_plays_interpreted_where_it_is_not_compiled() -> None:
    game = Pits()  # a player may move again
    for opponent in ("search:2", "perfect", "easy"):
        assert not is_compiled(opponent, game)
        env = vector(game, 3, opponent=opponent, seat="random")
        env.reset(seed=1)
        before = repr([env.step(env.random_moves()) for _ in range(6)])
        env.reset(seed=1)
        assert repr([env.step(env.random_moves()) for _ in range(6)]) == before


def test_the_opponent_may_move_several_times_in_a_row() -> None:
    env, game = vector(Pits(), 8, opponent="random", seat="second"), Pits()
    env.reset(seed=1)
    for _ in range(20):
        assert all(game.mover(state) == 1 for state in env.states() if game.outcome(state) is Outcome.UNDECIDED)
        env.step(env.random_moves())


@pytest.mark.parametrize(
    ("opponent", "name"),
    [("random", "word-clash"), ("greedy", "charge"), ("perfect", "word-clash"), ("medium", "crystal-capture")],
)
def test_the_same_seed_gives_the_same_games_in_any_number_of_threads(
    opponent: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(threads: int) -> str:
        monkeypatch.setattr(os, "cpu_count", lambda: threads)
        monkeypatch.setattr(vector_env, "MIN_THREAD_GAMES", 3)
        env = vector(name, 10, opponent=opponent)
        found = [env.reset(seed=3)]
        for _ in range(12):
            found.append(env.step(env.random_moves()))  # type: ignore[arg-type]
        env.close()
        return repr(found)

    assert play(1) == play(1) == play(3)


def test_an_early_end_is_reported_or_skipped() -> None:
    env = vector("flag-chase", 200, opponent="random", seat="second")
    _, info = env.reset(seed=1)
    early = np.array([state.theirs == 2 for state in env.states()])  # the opponent is on the flag
    assert 50 < early.sum() < 150
    assert info["action_mask"].all()
    _, rewards, terminated, _, _ = env.step(np.zeros(200, np.int64))
    assert (rewards[early] == -1).all()
    assert terminated[early].all()
    env = vector("flag-chase", 200, opponent="random", seat="second", on_early_end="skip")
    env.reset(seed=1)
    assert {state.theirs for state in env.states()} == {1}
    with pytest.raises(RefusedError, match="In 1000 games in a row"):
        vector("flag-chase", 2, opponent="random", seat="second", on_early_end="skip", cells=3).reset()


def test_an_illegal_action_can_cost_a_penalty_instead() -> None:
    settings = {"opponent": "random", "seat": "first", "on_illegal": "penalty", "penalty": 0.5, "ply_limit": 3}
    env = vector("charge", 2, autoreset_mode="NextStep", **settings)
    env.reset(seed=1)
    before = env.states()
    for _ in range(2):
        _, rewards, _, truncated, _ = env.step([7, -1])
        assert (rewards.tolist(), bool(truncated.any()), env.states()) == ([-0.5, -0.5], False, before)
    assert env.step([7, 99])[3].all()
    env = vector("charge", 2, opponent="random", seat="first")
    env.reset()
    with pytest.raises(RefusedError, match="Action 7 is not legal in game 0"):
        env.step([7, 0])


def test_a_state_that_cannot_be_reached_has_no_perfect_opponent() -> None:
    state = make("charge").initial()._replace(blocked=1, gain=5)
    for env in (DuelEnv("charge", opponent="perfect"), vector("charge", 2, opponent="expert")):
        with pytest.raises(RefusedError, match=r"cannot be reached in this game, so '.+' knows no value of it"):
            env.reset(options={"state": state})
    vector("charge", 2, opponent="greedy").reset(options={"state": state})


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seats": 1}, "Unknown option of reset: 'seats'. Options: opening, state, reset_mask, seat."),
        ({"seat": [0, 1]}, "seat must be one for all games, or a list of 3, not of 2"),
        ({"seat": "third"}, "seat must be one of first, second, random"),
        ({"opening": [[0], [1]]}, "opening must be one for all games, or a list of 3, not of 2"),
        ({"opening": ["charge 1", "block", "block"]}, "An opening must be shorter than the ply limit, 3"),
        ({"reset_mask": [True, False, False]}, "reset_mask must be a NumPy array of 3 truth values"),
    ],
)
def test_a_wrong_option_of_reset_is_refused_and_the_games_go_on(options: dict[str, Any], sentence: str) -> None:
    env = vector("charge", 3, opponent="greedy", seat="first", ply_limit=3)
    env.reset(seed=1)
    before = env.states()
    with pytest.raises(RefusedError, match=sentence):
        env.reset(options=options)
    assert env.states() == before


def test_games_start_where_the_options_say_and_come_back_there() -> None:
    game = make("crystal-capture")
    state = game.play(game.play(game.initial(), 8), 7)
    env = vector(game, 3, opponent="random", seat="first")
    _, info = env.reset(seed=1, options={"state": [state, game.initial(), state], "opening": [[0, 1], [], []]})
    assert env.states() == [game.play(game.play(state, 0), 1), game.initial(), state]
    for _ in range(200):
        _, _, over, _, info = env.step(env.random_moves())
        if over[2]:
            assert info["seat"][2] == 0
            assert env.states()[2] == state
            break
    assert over[2]
    untouched = env.states()[0]
    env.reset(options={"reset_mask": np.array([False, True, True]), "seat": "second", "opening": ["3"]})
    assert env.states()[0] == untouched
    assert all(state.mover == 1 for state in env.states()[1:])


@pytest.mark.parametrize("opponent", [None, "random"])
def test_buffers_are_used_again_on_request(opponent: str | None) -> None:
    env = vector("charge", 4, opponent=opponent, copy=False, mask_in_observation=True)
    first, info = env.reset(seed=1)
    second, rewards, terminated, *_ = env.step(env.random_moves())
    assert first["observation"] is second["observation"]
    assert first["action_mask"] is second["action_mask"] is info["action_mask"]
    assert second in env.observation_space
    assert env.step(env.random_moves())[1:3] == (rewards, terminated)
    assert (env.action_masks() == first["action_mask"]).all()


def test_the_opponents_that_cannot_play_are_refused() -> None:
    for opponent, sentence in (
        (7, "opponent must be the name of an agent or a function on batches, not 7"),
        ("nobody", "Unknown agent 'nobody'"),
        ("process:./player.sh", "Agent 'process:./player.sh' is not available here"),
    ):
        with pytest.raises(RefusedError, match=sentence):
            vector("charge", 2, opponent=opponent)
    env = vector("charge", 2, opponent=lambda vectors, masks: np.full(len(masks), 7), seat="first")
    env.reset()
    with pytest.raises(RefusedError, match="The opponent's move 7 is not legal in game 0"):
        env.step([0, 0])
    with pytest.raises(RefusedError, match="No episode is running"):
        vector("charge", 2, opponent="random").step([0, 0])


def test_gymnasium_makes_it_with_its_mode_and_its_wrappers_work() -> None:
    env = gymnasium.make_vec("duelbook/Charge-v1", num_envs=4, opponent="greedy", autoreset_mode="NextStep", goal=9)
    assert env.unwrapped.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.unwrapped.autoreset_mode is AutoresetMode.NEXT_STEP  # type: ignore[attr-defined]
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    for _ in range(60):
        wrapped.step(env.unwrapped.random_moves())  # type: ignore[attr-defined]
    assert set(wrapped.return_queue) <= {-1.0, 1.0}
    assert len(wrapped.return_queue) > 5
    with pytest.raises(RefusedError, match="autoreset_mode must be one of NextStep, SameStep, Disabled, not 'Never'"):
        gymnasium.make_vec("duelbook/Charge-v1", autoreset_mode="Never")
    for name in ("copy", "mask_in_observation"):
        with pytest.raises(RefusedError, match=f"{name} must be True or False, not 'no'"):
            gymnasium.make_vec("duelbook/Charge-v1", **{name: "no"})  # type: ignore[arg-type]
