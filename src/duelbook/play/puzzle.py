"""Puzzles, one after another: none comes twice, what is solved is counted, and harder and easier ones follow."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.games import name_of, title
from duelbook.narration import Seating, narration_for
from duelbook.play.conversation import Command
from duelbook.play.events import Ask, Asked, Kind, Output, Pressed, Say, Typed
from duelbook.play.exercise import ANSWERING, QUITTING, READING, Exercise, ExerciseSession, Judgement
from duelbook.play.progress import HELPED, SHOWN, SOLVED, WRONG, load_puzzles, marks_text, save_puzzles, share_text
from duelbook.play.puzzle_request import (
    NoMorePuzzlesError,
    PuzzleRequest,
    other_kinds,
    other_levels,
    question_text,
    today,
)
from duelbook.solve import solved as solution_of
from duelbook.study.hints import HintStep
from duelbook.study.puzzle_bank import puzzle_levels
from duelbook.study.puzzle_kinds import KIND_TEXTS, Puzzle
from duelbook.study.puzzles import hint_steps, refutation, why_right, why_wrong
from duelbook.text import fold, plural

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
        self._is_first_try = True
        self._marks = ""  # of this attempt, as in `progress`
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
        self.puzzle, self.offers, self._marks, self._is_first_try = puzzle, {}, "", True
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

    @property
    def _posed(self) -> Puzzle:
        """The puzzle, once it is found."""
        assert self.puzzle
        return self.puzzle

    def _introduce(self, exercise: Exercise) -> Output:
        yield Say(exercise.title, Kind.HEADING)
        yield Say(f"(To see it again: {self.request.command(self._posed)})\n", Kind.NOTE)
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
        puzzle = self._posed
        if move in puzzle.right:
            return self._explain(move, solved=True)
        return Judgement(False, f"{why_wrong(puzzle, move).text} Try again.", shown_reply(puzzle, move))

    def _explain(self, move: Move, *, solved: bool) -> Judgement:
        """Return why the move is right. What is offered next is looked up as well, which may take as long.

        If it is not `solved`, it is the answer that is shown.
        """
        puzzle = self._posed
        game = puzzle.game
        if self.request.game or self.request.day:
            puzzle_levels(name_of(game))
        found = "Right" if solved else "The answer"
        own_moves = solution_of(game).own_moves(puzzle.state, move) or 0
        does = f"wins in {plural(own_moves, 'move')}" if puzzle.wins() else "does not lose"
        text = f"{found}: {game.move_name(puzzle.state, move)} {does}. {why_right(puzzle, move).text}"
        return Judgement(True, text.rstrip())

    def _missed(self) -> None:
        self._is_first_try = False
        self._marks += WRONG

    def _next_hint(self) -> HintStep:
        """Return the next step of help. The last one is repeated."""
        steps = hint_steps(self._posed)
        return steps[min(self._hints_shown, len(steps) - 1)]

    def _tell_hint(self, step: HintStep) -> Output:
        """Give a step of help. A nudge does not name the move, so the first try is not over."""
        yield from super()._tell_hint(step)
        if self._hints_shown == step.number + 1:
            self._marks += HELPED
        self._is_first_try = self._is_first_try and step.number == 0

    def _give_up(self, value: str) -> Output:
        """Show the answer. The puzzle is not solved."""
        move = self._posed.answer
        self.asked = self.questions = None
        explain, answered = partial(self._explain, move, solved=False), partial(self._answered, move)
        yield self._do("Looking for the reason", explain, answered, stopped=self._told_stopped)

    def _answered(self, move: Move, judgement: Judgement) -> Output:
        self._is_shown = True
        yield from self._judged(move, judgement)

    def _passed(self) -> Output:
        """Count the puzzle, and offer others."""
        solved, self._is_shown = not self._is_shown, False
        self._marks += SOLVED if solved else SHOWN
        progress, day = load_puzzles(), self.request.day
        late = day is not None and day != today()
        progress.count(solved and self._is_first_try, day, self._marks, late=late)
        yield Say("\n".join(filter(None, (progress.text(), save_puzzles(progress)))), Kind.NOTE)
        if day:
            yield Say("\nTo share your result:\n", Kind.NOTE)
            marks = load_puzzles().days.get(str(day)) or self._marks
            yield Say(share_text(day, title(name_of(self._posed.game)), self._posed.level, marks))
        self._offer(self.request)

    # What is next

    def _offer(self, wanted: PuzzleRequest, *, has_more: bool = True) -> None:
        """Find out which puzzles can come next: like this one, harder, easier, or of another kind."""
        following = wanted.following(self._posed)
        levels = other_levels(following, self._posed)
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
        yield from self._look_for(self.request.following(self._posed))

    _commands: ClassVar[dict[str, Command]] = ExerciseSession._commands | {"answer": _give_up, "next": _skip}


def shown_reply(puzzle: Puzzle, wrong: Move) -> list[str]:
    """Return the name of the opponent's best reply to a wrong move; nothing if the opponent is not to move."""
    game, state = puzzle.game, puzzle.state
    after = game.play(state, wrong)
    return refutation(puzzle, wrong)[:1] if game.mover(after) != game.mover(state) else []
