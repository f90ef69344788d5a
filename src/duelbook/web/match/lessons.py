"""Lessons as the service sends them: a worker prepares all answers once, and the service looks them up."""

from duelbook.game import parse_move
from duelbook.games import make
from duelbook.options import write_options
from duelbook.records.record import replay, state_after
from duelbook.study.lessons import Lesson, answer
from duelbook.web.match.positions import snapshot_of
from duelbook.web.problems import Problem
from duelbook.web.schemas.lessons import AnsweredLesson, KnownAnswer, LessonAnswer, LessonStepView, LessonView


def answered_lesson(game: str, lesson: Lesson, problem: str) -> AnsweredLesson:
    """Return the lesson with what follows after every legal move of each step."""
    steps = [
        LessonStepView(
            title=step.title,
            task=step.task,
            options=write_options(step.game),
            start=snapshot_of(step.game, step.moves),
        )
        for step in lesson.steps
    ]
    answers = [
        {
            step.game.move_name(step.state, move): KnownAnswer(
                right=found.right, text=found.text, following=list(found.following)
            )
            for move in step.game.legal_moves(step.state)
            for found in [answer(step, move)]
        }
        for step in lesson.steps
    ]
    return AnsweredLesson(
        lesson=LessonView(game=game, general=lesson.general, steps=steps), answers=answers, problem=problem
    )


def lesson_answer(found: AnsweredLesson, number: int, tried: str) -> LessonAnswer:
    """Return what follows when the move is tried in the step with this number, counted from 1.

    Raise Problem if there is no such step, and IllegalMoveError if the move is not legal there.
    """
    steps = found.lesson.steps
    if number > len(steps):
        raise Problem("invalid", f"The lesson has {len(steps)} steps, so there is no step {number}.")
    step = steps[number - 1]
    game = make(found.lesson.game, **step.options)
    before = [played.move for played in step.start.history]
    state = state_after(game, before)
    name = game.move_name(state, parse_move(game, state, tried))
    known = found.answers[number - 1][name]
    moves = [move for move, _ in replay(game, [*before, name, *known.following])]
    shown = [snapshot_of(game, moves[:ply]) for ply in range(len(before) + 1, len(moves) + 1)]
    return LessonAnswer(right=known.right, text=known.text, shown=shown)
