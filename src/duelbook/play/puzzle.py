"""Puzzles, one after another: none comes twice, what is solved is counted, and harder and easier ones follow."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.games import name_of
from duelbook.narration import Seating, narration_for
from duelbook.play.conversation import Command
from duelbook.play.events import Ask, Asked, Kind, Output, Pressed, Say, Typed
from duelbook.play.exercise import ANSWERING, QUITTING, READING, Exercise, ExerciseSession, Judgement
from duelbook.play.progress import load_puzzles, marks_text
from duelbook.play.puzzle_attempt import PuzzleAttempt
from duelbook.play.puzzle_request import NoMorePuzzlesError, PuzzleRequest, other_kinds, other_levels, question_text
from duelbook.study.hints import HintStep
from duelbook.study.puzzle_bank import puzzle_levels
from duelbook.study.puzzle_kinds import KIND_TEXTS, Puzzle
from duelbook.text import fold

OFFERS = {"next": "another puzzle", "harder": "a harder puzzle", "easier": "an easier puzzle"} | {
    str(kind): f"puzzles in which {text}" for kind, text in KIND_TEXTS.items()
}
HELPING = {
    "hint": "help, a little more each time, up to the answer and why",
    "answer": "give up, and see the answer",
    "next": OFFERS["next"],
}
GIVING_UP = ("resign", "give up")  # what others may type for `answer`


class PuzzleSession(ExerciseSession):
    """One puzzle after another, from the one that is asked for."""

    def __init__(self, request: PuzzleRequest) -> None:
        super().__init__()
        self.request = request  # that finds this puzzle again
        self.puzzle: Puzzle | None = None
        self.offers: dict[str, PuzzleRequest] = {}  # what can come after this puzzle, once it is done
        self._wanted = request  # what is looked for
        self._attempt: PuzzleAttempt | None = None
        self._is_shown = False  # the answer, to somebody who gives up

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed now, and what it does."""
        if self.exercise is None:
            return QUITTING
        if self.is_done:
            return {word: OFFERS[word] for word in self.offers} | READING | QUITTING
        return ANSWERING | HELPING | QUITTING

    # Which puzzle

    def _prepare(self) -> Output:
        yield from self._look_for(self.request)

    def _look_for(self, wanted: PuzzleRequest) -> Output:
        self._wanted, self.asked, self.questions = wanted, None, None
        yield self._do("Looking for a puzzle", wanted.find_new, self._found, refused=self._none_found)

    def _found(self, found: tuple[PuzzleRequest, Puzzle]) -> Output:
        """Pose the puzzle."""
        self.request, puzzle = found
        if self.puzzle:
            yield Say("", Kind.SEPARATOR)
        self.puzzle, self._attempt, self.offers = puzzle, PuzzleAttempt(puzzle, self.request.day), {}
        mover = puzzle.game.mover(puzzle.state)
        narration = narration_for(puzzle.game, Seating(humans=(mover == 0, mover == 1)))
        task = question_text(puzzle, narration.mover(puzzle.state))
        yield from self._pose(Exercise(self.request.title(puzzle), task, narration, puzzle.state, puzzle.moves))

    def _none_found(self, error: RefusedError) -> Output:
        """Offer others if there was a puzzle before."""
        if self.puzzle is None:
            yield from self._fail(error)
            return
        self._offer(self._wanted, has_more=not isinstance(error, NoMorePuzzlesError))
        self.is_done = True
        yield Say("", Kind.SEPARATOR)
        yield Say(str(error), Kind.NOTE)

    def _introduce(self, exercise: Exercise) -> Output:
        assert self.puzzle
        yield Say(exercise.title, Kind.HEADING)
        yield Say(f"(To see it again: {self.request.command(self.puzzle)})\n", Kind.NOTE)
        if done := load_puzzles().days.get(str(self.request.day)):
            yield Say(f"You have done this puzzle before: {marks_text(done)} It does not count again.\n", Kind.NOTE)
        yield self._board()
        yield Say(exercise.task, Kind.TASK)

    # One puzzle

    def _typed(self, event: Typed | Pressed, asked: Ask) -> Output:
        if asked.kind is Asked.MOVE and isinstance(event, Typed) and fold(event.text) in GIVING_UP:
            yield from self._refuse("To give up and see the answer, type answer.")
        else:
            yield from super()._typed(event, asked)

    def _judge(self, move: Move) -> Judgement:
        assert self._attempt
        if why := self._attempt.why_wrong(move):
            return Judgement(False, why, self._attempt.reply(move))
        return self._explain(move, solved=True)

    def _explain(self, move: Move, *, solved: bool) -> Judgement:
        """Return why the move is right. What is offered next is looked up as well, which may take as long."""
        assert self._attempt
        if self.request.game or self.request.day:
            puzzle_levels(name_of(self._attempt.puzzle.game))
        return Judgement(True, self._attempt.why_right(move, solved=solved))

    def _missed(self) -> None:
        assert self._attempt
        self._attempt.note_wrong()

    def _next_hint(self) -> HintStep:
        assert self._attempt
        return self._attempt.next_hint()

    def _tell_hint(self, step: HintStep) -> Output:
        assert self._attempt
        self._attempt.note_hint(step)
        yield from super()._tell_hint(step)

    def _give_up(self, value: str) -> Output:
        """Show the answer. The puzzle is not solved."""
        assert self.puzzle
        move = self.puzzle.answer
        self.asked = self.questions = None
        yield self._do(
            "Looking for the reason",
            partial(self._explain, move, solved=False),
            partial(self._answered, move),
            stopped=self._told_stopped,
        )

    def _answered(self, move: Move, judgement: Judgement) -> Output:
        self._is_shown = True
        yield from self._judged(move, judgement)

    def _passed(self) -> Output:
        """Count the puzzle, and offer others."""
        assert self._attempt
        solved, self._is_shown = not self._is_shown, False
        yield Say(self._attempt.finish(solved=solved), Kind.NOTE)
        if self.request.day:
            yield Say("\nTo share your result:\n", Kind.NOTE)
            yield Say(self._attempt.share_text())
        self._offer(self.request)

    # What is next

    def _offer(self, wanted: PuzzleRequest, *, has_more: bool = True) -> None:
        """Find out which puzzles can come next: like this one, harder, easier, or of another kind."""
        assert self.puzzle
        following = wanted.following(self.puzzle)
        levels = other_levels(following, self.puzzle)
        self.offers = {"next": following} if has_more else {}
        self.offers |= {word: following._replace(level=level) for word, level in levels.items() if level}
        if not has_more:
            self.offers |= {str(kind): following._replace(kind=kind, level=None) for kind in other_kinds(following)}

    def _offered(self) -> str:
        return ", ".join([*("Enter for the next puzzle" if word == "next" else word for word in self.offers), "quit"])

    def _ask_next(self) -> Output:
        yield Say("", Kind.SEPARATOR)
        yield self._ask(f"What now ({self._offered()})? ", Asked.NEXT)

    def _go_on(self) -> Output:
        yield from self._command("next", "")

    def _advice(self, text: str) -> str:
        return (
            f"There is no {text} level." if text in ("harder", "easier") else f"Type one of these: {self._offered()}."
        )

    def _command(self, name: str, value: str) -> Output:
        if self.is_done and name in self.offers:
            yield from self._look_for(self.offers[name])
        else:
            yield from super()._command(name, value)

    def _skip(self, value: str) -> Output:
        """Go to another puzzle without the answer to this one."""
        assert self.puzzle
        yield from self._look_for(self.request.following(self.puzzle))

    _commands: ClassVar[dict[str, Command]] = ExerciseSession._commands | {"answer": _give_up, "next": _skip}
