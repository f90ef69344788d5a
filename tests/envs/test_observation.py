"""Observations, and what all environments share."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra envs)")

import gymnasium
import numpy as np
import pyspiel

from duelbook import GAMES, RefusedError, make, parse_move
from duelbook.envs import aec, observe, register_gymnasium, vector
from duelbook.envs.gymnasium_env import DuelEnv
from duelbook.envs.observation import Observer
from duelbook.envs.openspiel import openspiel_name, register
from duelbook.features import MAX_WHOLE, Bits, UpTo, features_of
from duelbook.game import AnyGame, Move
from tests.support.game_folders import variants
from tests.support.playing import played
from tests.support.toy.rules import Staircase


def random_line(game: AnyGame, rng: random.Random, most: int = 60) -> Iterator[tuple[Any, list[Move]]]:
    state = game.initial()
    for _ in range(most):
        legal = list(game.legal_moves(state))
        yield state, legal
        if not legal:
            return
        state = game.play(state, rng.choice(legal))


@pytest.mark.parametrize(
    ("name", "moves", "expected"),
    [
        ("crystal-capture", [], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]),
        ("crystal-capture", ["8"], [1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 8]),
        ("crystal-capture", ["8", "1"], [0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 8, 1]),
        ("charge", ["charge 3"], [1, 0, 5, 2, 1, 3, 4, 2, 1, 0, 3]),  # both hands, the block and the gain
        ("charge", ["charge 3", "block"], [0, 3, 4, 2, 1, 0, 5, 1, 1, 1, 0]),
    ],
)
def test_a_vector_is_seen_from_the_movers_side(name: str, moves: list[str], expected: list[int]) -> None:
    game = make(name)
    assert Observer(game)(played(game, *moves)).tolist() == expected


def test_a_vector_of_word_clash_has_a_place_for_every_move() -> None:
    game = make("word-clash", length=3)
    move = parse_move(game, game.initial(), "C opponent 2")
    after = Observer(game)(game.play(game.initial(), move))
    assert np.flatnonzero(after).tolist() == [0, 1 + move - 3 * 26]  # the opponent's board is the mover's now


def test_a_vector_of_alpha_chase_shows_the_movers_own_word_first() -> None:
    vector = Observer(make("alpha-chase", words="QUICK,GHOST"))(played(make("alpha-chase"), "A"))
    letters = [chr(65 + place) for place in np.flatnonzero(vector[54:80])]
    assert letters == sorted("GHOST")
    assert vector[1:27].sum() == 0
    assert vector[27] == 1


@pytest.mark.parametrize(("name", "options"), variants())
def test_vectors_are_within_their_bounds_and_different_for_all_states(name: str, options: dict[str, str]) -> None:
    game, rng = make(name, **options), random.Random(1)
    observer = Observer(game)
    states = {state for _ in range(30) for state, _ in random_line(game, rng)}
    vectors = [observer(state) for state in states]
    assert all((observer.low <= vector).all() and (vector <= observer.high).all() for vector in vectors)
    assert len({vector.tobytes() for vector in vectors}) == len(states)
    assert all(feature.about for feature in features_of(game))


class Pile(NamedTuple):
    mover: int
    heaps: Annotated[tuple[int, int], UpTo(3), "matches"]
    marks: tuple[int, ...]


@dataclass(frozen=True)
class Piles(Staircase):
    flags: Annotated[tuple[int, int], Bits(2), "flags"] = (1, 2)

    def initial(self) -> Any:
        return Pile(0, (3, 2), (-7, 1 << 40))


def test_a_state_without_annotations_has_a_vector_too() -> None:
    features = features_of(Piles())
    assert [feature.name for feature in features] == [
        *("mover", "heaps.0", "heaps.1", "marks.0", "marks.1", "flags.mine", "flags.theirs")
    ]
    assert (features[1].low, features[1].high, features[1].about) == (0, 3, "matches")
    assert (features[3].low, features[3].high) == (-MAX_WHOLE, MAX_WHOLE)
    assert Observer(Piles())(Piles().initial()).tolist() == [0, 3, 2, -7, 1 << 40, 1, 0, 0, 1]


class Scripted:
    """Plays a fixed list of moves."""

    def __init__(self, moves: list[Move]) -> None:
        self.moves = moves

    def choose(self, match: Any) -> Move:
        return self.moves[len(match.moves)]

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("name", "seed"), [*((name, 3) for name in GAMES), ("pits", 0), ("pits", 1), ("pits", 15)])
def test_all_libraries_show_the_same_vectors_masks_and_rewards(
    name: str, seed: int, use_games: Callable[[str], None]
) -> None:
    """Also in Pits, where players move again and the game of the last seed is drawn."""
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    if name == "pits":
        use_games("tests.support.games.pits:Pits")
        register(name)
    game, rng = make(name), random.Random(seed)
    line = list(random_line(game, rng))
    movers = [game.mover(state) for state, _ in line]
    assert any(one == other for one, other in pairwise(movers)) == (name == "pits")
    moves = [
        next(move for move in legal if game.play(state, move) == following)
        for (state, legal), (following, _) in pairwise(line)
    ]
    zoo, spiel = aec(game), pyspiel.load_game(openspiel_name(name)).new_initial_state()
    one = DuelEnv(game, opponent=Scripted(moves), seat="first")
    many = vector(game, 2)
    zoo.reset()
    vector_one, info_one = one.reset()
    vector_many, info_many = many.reset()
    for ply, move in enumerate(moves):
        vector_zoo, _, _, _, info_zoo = zoo.last()
        assert (zoo.agent_selection, spiel.current_player()) == (f"player_{movers[ply]}", movers[ply])
        expected, known = observe(game, line[ply][0])
        mask = np.isin(np.arange(game.num_moves), line[ply][1])
        np.testing.assert_array_equal(known, mask.astype(np.int8), strict=True)
        assert spiel.observation_tensor(0) == spiel.observation_tensor(1) == expected.tolist()
        assert spiel.legal_actions_mask() == mask.tolist()
        for shown in (vector_zoo["observation"], vector_many[1]):
            np.testing.assert_array_equal(shown, expected, strict=True)
        for shown in (vector_zoo["action_mask"], info_zoo["action_mask"], info_many["action_mask"][1]):
            np.testing.assert_array_equal(shown, mask.astype(np.int8), strict=True)
        if movers[ply] == 0:
            np.testing.assert_array_equal(vector_one, expected, strict=True)
            np.testing.assert_array_equal(info_one["action_mask"], mask.astype(np.int8), strict=True)
            vector_one, reward_one, over_one, _, info_one = one.step(move)
        zoo.step(move)
        spiel.apply_action(move)
        vector_many, reward_many, over_many, _, info_many = many.step([move, move])
    assert spiel.is_terminal()
    assert over_one
    assert over_many.all()
    assert spiel.returns() == [zoo.rewards["player_0"], zoo.rewards["player_1"]]
    assert reward_one == spiel.returns()[0]
    assert reward_many.tolist() == [spiel.returns()[movers[-2]]] * 2
    assert reward_one in (1, -1) or seed == 15
    assert observe(name, line[0][0])[0].tolist() == observe(game, line[0][0])[0].tolist()


def test_a_new_game_gets_all_environments(use_games: Callable[[str], None]) -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    use_games("tests.support.toy.rules:Staircase")
    register("staircase")
    register_gymnasium()
    try:
        env = gymnasium.make("duelbook/Staircase-v1", steps=2, opponent="perfect", seat="first")
        assert env.reset(seed=1)[0].tolist() == [0, 0]
        assert env.step(1)[1:4] == (1.0, True, False)
    finally:
        del gymnasium.registry["duelbook/Staircase-v1"]
    pyspiel.random_sim_test(pyspiel.load_game("duelbook_staircase(steps=3)"), 2, True, False)
    zoo = aec("staircase", steps=3)
    zoo.reset()
    zoo.step(1)
    assert zoo.last()[0]["action_mask"].tolist() == [1, 0]
    many = vector("staircase", 3, steps=2)
    many.reset()
    assert many.step([0, 1, 1])[1].tolist() == [0, 1, 1]


def test_gymnasium_finds_the_games_by_entry_point() -> None:
    (entry,) = entry_points(group="gymnasium.envs", name="duelbook")
    gymnasium.registry.pop("duelbook/WordClash-v1")
    entry.load()()
    assert "duelbook/WordClash-v1" in gymnasium.registry


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "Unknown game 'chess'. Games: alpha-chase, word-clash, crystal-capture, charge, flag-chase"),
    ({"goal": 99}, "goal must be from 1 to 60, not 99"),
    ({"gaol": 9}, "got an unexpected keyword argument 'gaol'. Did you mean 'goal'? Options of charge: goal, "),
    (
        {"oponent": "greedy"},
        "got an unexpected keyword argument 'oponent'. Did you mean 'opponent'? Options of charge: goal, ",
    ),
    ({"plylimit": 9}, "got an unexpected keyword argument 'plylimit'. Did you mean 'ply_limit'? Options of charge: "),
    ({"render_mode": "rgb_array"}, "render_mode must be one of human, ansi, not 'rgb_array'"),
    ({"ply_limit": 0}, "ply_limit must be from 1 to 2147483648, not 0"),
    ({"ply_limit": "9"}, "ply_limit must be a whole number, not '9'"),
    ({"opponent": "deep-blue"}, "Unknown agent 'deep-blue'. Agents: beginner, easy, "),
    ({"opponent": 7}, "opponent must be an agent, the name of one, or a function on batches, not 7"),
    ({"seat": "third"}, "seat must be one of first, second, random, 0 or 1, not 'third'"),
    ({"on_illegal": "ignore"}, "on_illegal must be one of raise, penalty, not 'ignore'"),
    ({"penalty": -1}, "penalty must be a number of at least 0, not -1"),
    ({"penalty": float("nan")}, "penalty must be a number of at least 0, not nan"),
    ({"mask_in_observation": "no"}, "mask_in_observation must be True or False, not 'no'"),
]


def test_numpy_numbers_are_accepted() -> None:
    numbers: Any = {"goal": np.int64(21), "ply_limit": np.int64(5), "penalty": np.float32(0.5)}
    env = DuelEnv("charge", **numbers)
    assert (env.game, env.ply_limit) == (make("charge", goal=21), 5)
    assert vector("charge", np.int64(4)).num_envs == 4  # type: ignore[arg-type]
    with pytest.raises(RefusedError, match="goal cannot be True"):
        aec("charge", goal=True)


@pytest.mark.parametrize(("wrong", "sentence"), REFUSED)
def test_invalid_arguments_are_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RefusedError, match=re.escape(sentence)) as refused:
        DuelEnv(**({"game": "charge"} | wrong))
    assert isinstance(refused.value, TypeError) or "render_mode" not in wrong, "as Stable-Baselines3 expects"
    if not set(wrong) & {"game", "oponent", "opponent", "seat", "on_illegal", "penalty", "mask_in_observation"}:
        with pytest.raises(RefusedError, match=re.escape(sentence)):
            aec("charge", **wrong)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.extras.find_spec", lambda package: None)
    with pytest.raises(RefusedError, match="The extra 'envs' is not installed"):
        aec("charge")
    monkeypatch.setattr("duelbook.extras.find_spec", lambda package: None if package == "numba" else package)
    with pytest.raises(RefusedError, match="The extra 'fast' is not installed"):
        vector("charge", 2)
