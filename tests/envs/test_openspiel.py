"""The games in OpenSpiel: OpenSpiel's own tests, parameters, pickling, and its algorithms."""

import pickle
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra envs)")

import numpy as np
import pyspiel
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import make_observation

from duelbook import GAMES, RefusedError, make
from duelbook.envs.openspiel import openspiel_name
from duelbook.game import HasLongestGame
from duelbook.solve.termination import find_termination
from tests.support.game_folders import variants


def load(name: str, options: dict[str, str]) -> Any:
    typed = {key: int(value) if value.isdigit() else value for key, value in options.items()}
    return pyspiel.load_game(openspiel_name(name), typed)


@pytest.mark.parametrize(("name", "options"), variants())
def test_openspiels_own_tests_find_no_fault(name: str, options: dict[str, str]) -> None:
    game = load(name, options)
    assert game.rules == make(name, **options)
    pyspiel.random_sim_test(game, 2, serialize=True, verbose=False)


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("duelbook_alpha_chase(words=QUICK/GHOST,ending=dead)")
    assert game.rules == make("alpha-chase", words="QUICK,GHOST", ending="dead")
    assert str(game) == "duelbook_alpha_chase(ending=dead,words=QUICK/GHOST)"
    with pytest.raises(RefusedError, match="goal must be from 1 to 60, not 99"):
        pyspiel.load_game("duelbook_charge(goal=99)")


def test_a_game_ends_at_its_maximum_length_with_returns_of_zero() -> None:
    plain = pyspiel.load_game("duelbook_flag_chase").new_initial_state()
    plain.plies_left = 1
    plain.apply_action(0)
    assert plain.is_terminal()
    assert plain.returns() == [0.0, 0.0]
    assert plain.legal_actions() == []
    assert str(plain).endswith("State(mover=1, mine=0, theirs=1) at the ply limit")


@pytest.mark.parametrize(
    ("text", "longest"),
    [
        ("duelbook_alpha_chase", 26),
        ("duelbook_word_clash", 9),
        ("duelbook_word_clash(length=3,finishing=own-only)", 5),
        ("duelbook_crystal_capture", 10),
        ("duelbook_flag_chase(cells=9)", 7),
        ("duelbook_charge", 300),  # play can go in circles
        ("duelbook_crystal_capture(crystals=30,goal=465)", 9300),  # too large to explore
    ],
)
def test_the_maximum_length_is_that_of_the_longest_game(text: str, longest: int) -> None:
    assert pyspiel.load_game(text).max_game_length() == longest


def test_the_longest_game_that_a_game_declares_is_the_longest_that_can_be_played() -> None:
    for length in (3, 4):
        game = make("word-clash", length=length)
        assert isinstance(game, HasLongestGame)
        assert find_termination(game).longest == game.max_plies
    state = pyspiel.load_game("duelbook_alpha_chase(ending=exhausted)").new_initial_state()
    for move in range(26):
        assert not state.is_terminal()
        state.apply_action(move)
    assert state.is_terminal()


def test_an_information_state_holds_the_observation_and_the_history() -> None:
    game = pyspiel.load_game("duelbook_crystal_capture")
    state = game.new_initial_state()
    for move in (8, 0):
        state.apply_action(move)
    size = game.observation_tensor_size()
    tensor = np.array(state.information_state_tensor(0))
    assert (size, game.information_state_tensor_size()) == (12, 12 + 10 * 10)
    assert tensor[:size].tolist() == state.observation_tensor(0)
    assert np.argwhere(tensor[size:].reshape(10, 10)).tolist() == [[0, 8], [1, 0]]
    other = game.new_initial_state()
    for move in (0, 8):
        other.apply_action(move)
    assert state.information_state_string() != other.information_state_string()
    assert state.information_state_tensor(0) != other.information_state_tensor(0)
    hidden = make_observation(game, pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
    assert hidden.string_from(state, 0) == ""


def test_legal_actions_are_those_of_the_mover_and_cannot_be_changed_from_outside() -> None:
    state = pyspiel.load_game("duelbook_crystal_capture").new_initial_state()
    state.legal_actions().clear()
    assert state.legal_actions() == state.legal_actions(0) == list(range(9))
    assert state.legal_actions(1) == []
    assert state.legal_actions_mask(0) == [1] * 9 + [0]


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_writes_a_playthrough_of_every_game(name: str) -> None:
    assert "IsTerminal() = True" in generate_playthrough.playthrough(openspiel_name(name), None)


def test_two_words_that_are_written_otherwise_are_told_with_the_slash() -> None:
    with pytest.raises(RefusedError, match="write a slash instead, as in words=PLANT/GHOST") as refused:
        pyspiel.load_game("duelbook_alpha_chase(words=PLANT)")
    assert "separated by a comma" not in str(refused.value)


def test_states_and_games_can_be_pickled_and_copied() -> None:
    game = pyspiel.load_game("duelbook_charge(goal=21)")
    state = game.new_initial_state()
    state.apply_action(2)
    assert pickle.loads(pickle.dumps(game)).rules == make("charge", goal=21)
    again = pickle.loads(pickle.dumps(state))
    assert (again.history(), str(again)) == ([2], str(state))
    other = state.clone()
    other.apply_action(0)
    assert (state.plies_left, other.plies_left) == (419, 418)
    assert str(state) != str(other)


def test_a_new_process_reads_a_pickled_game_and_exits_cleanly() -> None:
    script = "import pickle, sys; print(pickle.load(sys.stdin.buffer)); raise SystemExit(7)"
    data = pickle.dumps(pyspiel.load_game("duelbook_charge(goal=21)"))
    done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, check=False)
    assert (done.stdout, done.returncode) == (b"duelbook_charge(goal=21)\n", 7)


@pytest.mark.parametrize("action", [5, 9, 10_000, -2])
def test_an_illegal_action_is_refused_and_changes_nothing(action: int) -> None:
    state = pyspiel.load_game("duelbook_crystal_capture").new_initial_state()
    state.apply_action(5)
    before = str(state)
    with pytest.raises(RefusedError, match=f"'move number {action}' is not legal here"):
        state.apply_action(action)
    assert (str(state), state.history()) == (before, [5])
