"""Lessons: every step can be played, what it says is true, and a game without a lesson gets a general one."""

import tomllib
from pathlib import Path

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.game import AnyGame, Outcome, won_by
from duelbook.solve import Value, solved
from duelbook.study.general_lesson import general_lesson, lesson_for
from duelbook.study.lessons import (
    Condition,
    Lesson,
    Step,
    accepted_moves,
    answer,
    lesson_faults,
    own_lesson,
    read_lesson,
)
from tests.support.games.drop_four import DropFour
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits

STEP = """
[[step]]
title = "T"
task = "Do it."
right = "Good."
"""


def all_steps() -> list[tuple[str, int, Step]]:
    lessons = {name: own_lesson(rules) for name, rules in GAMES.items()}
    return [(name, number, step) for name, one in lessons.items() if one for number, step in enumerate(one.steps, 1)]


def written(folder: Path, text: str) -> Lesson:
    file = folder / "lesson.toml"
    file.write_text(text)
    return read_lesson(file, LastStone)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_lesson_of_four_to_eight_steps_that_can_be_passed(name: str) -> None:
    lesson = own_lesson(GAMES[name])
    assert lesson
    assert 4 <= len(lesson.steps) <= 8
    assert list(lesson_faults(lesson)) == []
    assert lesson_for(make(name)) == lesson


@pytest.mark.parametrize(("name", "number", "step"), all_steps())
def test_what_a_step_says_about_winning_is_true_by_exact_values(name: str, number: int, step: Step) -> None:
    game, state = step.game, step.state
    for move in game.legal_moves(state):
        told, after = answer(step, move), game.play(state, move)
        if "you win" in told.text.lower() or "and win." in told.text or step.accepted is Condition.WINS:
            winning = [scored.move for scored in solved(game).moves(state) if scored.value is Value.WIN]
            assert (move in winning) == told.right, told
        if "they win" in told.text or "wins." in told.text or "they lose" in told.text:
            winner = game.mover(state) if told.right else 1 - game.mover(state)
            for name in told.following:
                after = game.play(after, next(m for m in game.legal_moves(after) if game.move_name(after, m) == name))
            assert told.right or game.outcome(after) == won_by(winner), told
        if "the game ends" in told.text or "no word: you win" in told.text:
            assert game.outcome(after) != Outcome.UNDECIDED


def test_a_wrong_move_that_loses_at_once_is_answered_on_the_board(tmp_path: Path) -> None:
    lesson = written(tmp_path, f'{STEP}accept = "wins"\noptions = {{ stones = 6 }}\nwrong = "No."')
    [step] = lesson.steps
    assert [step.game.move_name(step.state, move) for move in accepted_moves(step)] == ["take 2"]
    assert answer(step, 1) == (True, "Good.", ())
    assert answer(step, 2) == (False, "No. Your opponent replies take 3 and wins.", ("take 3",))
    assert answer(step, 0) == (False, "No.", ())


def test_certain_moves_have_a_text_of_their_own_and_moves_that_follow_are_shown(tmp_path: Path) -> None:
    text = f'{STEP}accept = ["take 1"]\nthen = ["take 2", "take 1"]\nwhy = {{ "take 1" = "One.", "take 3" = "Three." }}'
    [step] = written(tmp_path, text).steps
    assert answer(step, 0) == (True, "One.", ("take 2", "take 1"))
    assert answer(step, 2) == (False, "Three.", ())
    assert answer(step, 1).text == "That is not it. Try again."


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ('accept = "loses"', "Step 1: Unknown condition 'loses'; valid: any, wins-now, wins, safe."),
        ("accept = []", "Step 1: No move is accepted."),
        ('accept = ["take 4"]', "Step 1: 'take 4' is not legal here. Legal moves: take 1, take 2, take 3."),
        ('accept = "any"\nafter = ["take 9"]', "Step 1: 'take 9' is not legal here."),
        ('accept = "any"\nafter = ["take 1"]\noptions = { stones = 1 }', "Step 1: The game is over in this position."),
        ('accept = "any"\noptions = { goal = 1 }', "Step 1: Unknown option 'goal'. Options: stones, most."),
        ('accept = "any"\nthen = ["take 9"]', "Step 1: 'take 9' is not legal here."),
        ('accept = "any"\nwhy = { "take 7" = "x" }', "Step 1: 'take 7' is not legal here."),
        ('accept = "any"\nwrong = "a\\nb"', "Step 1: wrong must be one printable line of at most 240 characters."),
        ('accept = "any"\nhint = "x"', "'step[0].hint' is not a known field."),
        ("", "accept"),
    ],
)
def test_a_wrong_file_is_told_in_one_sentence(tmp_path: Path, more: str, problem: str) -> None:
    with pytest.raises(RefusedError) as refused:
        written(tmp_path, STEP + more)
    assert problem in str(refused.value)


def test_what_is_no_lesson_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="A lesson has 1 to 12 steps, not 0"):
        written(tmp_path, "step = []")
    with pytest.raises(tomllib.TOMLDecodeError):
        written(tmp_path, "[[step")


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('accept = "wins-now"', "Step 1: no legal move does what the task asks for."),
        ('accept = ["take 1", "take 2", "take 3"]', "Step 1: every legal move is accepted; write accept = 'any'."),
    ],
)
def test_a_step_that_cannot_be_passed_or_failed_is_a_fault(tmp_path: Path, more: str, fault: str) -> None:
    assert list(lesson_faults(written(tmp_path, STEP + more))) == [fault]


@pytest.mark.parametrize("game", [LastStone(), Pits(), DropFour()], ids=str)
def test_a_game_without_a_lesson_gets_a_general_one_even_if_it_is_too_large_to_be_solved(game: AnyGame) -> None:
    lesson = general_lesson(game)
    assert lesson.general
    assert lesson == general_lesson(game)
    assert list(lesson_faults(lesson)) == []
    assert [step.accepted for step in lesson.steps][:2] == [Condition.ANY, Condition.WINS_NOW]
    assert lesson.steps[-1].accepted is Condition.SAFE
    for step in lesson.steps[1:]:
        rejected = set(game.legal_moves(step.state)) - set(accepted_moves(step))
        assert rejected
        if step.accepted is Condition.SAFE:
            assert all(answer(step, move).following for move in rejected)


def test_a_tiny_game_has_a_shorter_lesson() -> None:
    assert [step.title for step in general_lesson(LastStone(stones=1)).steps] == ["Your first move"]
