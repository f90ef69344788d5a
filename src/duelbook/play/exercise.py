"""Exercises: one position after another, each with a task for a move. Lessons and puzzles are made of them."""

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from duelbook.game import Move, Player, parse_move
from duelbook.narration import AnyNarration, Turn
from duelbook.play.commands import HELP
from duelbook.play.conversation import Command, Conversation
from duelbook.play.events import Ask, Asked, Hinted, Kind, Moved, Output, Page, Say
from duelbook.play.typed_moves import MoveQuestions
from duelbook.study.hints import HintStep

READING = {name: HELP[name] for name in ("help", "rules", "rules full")}  # possible once the game is known
ANSWERING = READING | {name: HELP[name] for name in ("board", "moves")} | {"undo": "take back your last answer"}
QUITTING = {"quit": "leave"}


class Exercise(NamedTuple):
    """A position with a task."""

    title: str  # as in `Step 1 of 6: Charge`
    task: str
    narration: AnyNarration
    state: Any
    moves: tuple[Move, ...]  # that led to the position

    @property
    def mover(self) -> Player:
        """The player who is asked for a move."""
        mover: Player = self.narration.game.mover(self.state)
        return mover


class Judgement(NamedTuple):
    """What follows an attempt."""

    is_right: bool
    text: str
    following: Sequence[str] = ()  # the names of the moves that are shown after it


class Attempt(NamedTuple):
    """The position that an attempt, and the moves shown after it, lead to."""

    state: Any
    moves: tuple[Move, ...]


class ExerciseSession(Conversation):
    """One exercise after another. After a wrong move the person sees what follows, and tries again."""

    def __init__(self) -> None:
        super().__init__()
        self.exercise: Exercise | None = None  # None while the first one is looked for
        self.attempt: Attempt | None = None  # the last one at this exercise
        self.is_done = False  # a right move was found or shown, or the person goes on without
        self._hints_shown = 0

    # What each kind provides

    def _prepare(self) -> Output:
        """Look for the first exercise, or ask which one is wanted."""
        raise NotImplementedError

    def _introduce(self, exercise: Exercise) -> Output:
        """Show the position and the task."""
        raise NotImplementedError

    def _judge(self, move: Move) -> Judgement:
        """Return whether the move is right, and why. It runs as work."""
        raise NotImplementedError

    def _next_hint(self) -> HintStep:
        """Return the next step of help. It runs as work."""
        raise NotImplementedError

    def _tell_hint(self, step: HintStep) -> Output:
        """Give a step of help."""
        self._hints_shown += 1
        yield Hinted(step.text, step.note)

    def _missed(self) -> None:
        """Note a wrong move."""

    def _passed(self) -> Output:
        """Tell what follows from a right move."""
        raise NotImplementedError

    def _ask_next(self) -> Output:
        """Ask what is next, now that the exercise is done."""
        raise NotImplementedError

    def _go_on(self) -> Output:
        """Do what Enter stands for once the exercise is done, or refuse it."""
        raise NotImplementedError

    def _advice(self, text: str) -> str:
        """Return what can be typed or done instead of this, once the exercise is done."""
        raise NotImplementedError

    # What is next

    def start(self) -> Output:
        """Begin."""
        yield from self._next()

    def words(self) -> dict[str, str]:
        """Return the commands that are possible now, and what they do."""
        return super().words() if self.exercise and not self.is_done else dict(self.commands)

    def _next(self) -> Output:
        if self.ended:
            return
        if self.work:
            if self.questions and self.exercise:  # a move can be typed while a hint is looked for
                yield self._ask_move(self.exercise.mover)
            return
        self.asked = None
        if self.exercise is None:
            yield from self._prepare()
        elif self.is_done:
            yield from self._ask_next()
        else:
            self.questions = self.questions or MoveQuestions(self.narration, self.state)
            yield self._ask_move(self.exercise.mover)

    def _pose(self, exercise: Exercise) -> Output:
        """Go to this exercise."""
        self._stop()
        self.exercise, self.narration, self.state = exercise, exercise.narration, exercise.state
        self.questions, self.attempt, self.is_done, self._hints_shown = None, None, False, 0
        yield from self._introduce(exercise)

    def _ask(self, text: str, kind: Asked) -> Ask:
        """Return a question that is not about a move."""
        self.asked = Ask(text, kind)
        return self.asked

    def _board(self) -> Say:
        """Return the position as text."""
        return Say(f"{self.narration.board(self.state)}\n", Kind.BOARD)

    # Answers

    def _answer_other(self, text: str, asked: Ask) -> Output:
        if text:
            yield from self._refuse(self._advice(text))
        else:
            yield from self._go_on()

    def _play(self, move: Move) -> Output:
        self.asked = self.questions = None
        yield self._do(
            "Judging the move", partial(self._judge, move), partial(self._judged, move), stopped=self._told_stopped
        )

    def _judged(self, move: Move, judgement: Judgement) -> Output:
        """Show what the move leads to, and why it is right or wrong."""
        assert self.exercise
        game, state, moves = self.narration.game, self.state, self.exercise.moves
        for name in (game.move_name(state, move), *judgement.following):
            played = parse_move(game, state, name)
            after = game.play(state, played)
            yield Moved(Turn(state, played, after, moves))
            state, moves = after, (*moves, played)
        self.attempt = Attempt(state, moves)
        if judgement.is_right:
            self.is_done = True
            yield Say(judgement.text, Kind.RESULT)
            yield from self._passed()
        else:
            self._missed()
            yield Say(f"{judgement.text}\n", Kind.WARNING)
            yield self._board()

    def _told_stopped(self) -> Output:
        yield Say("Stopped.", Kind.WARNING)

    # Commands

    def _command(self, name: str, value: str) -> Output:
        """Carry out a command that is possible now."""
        if name in self.words():
            yield from super()._command(name, value)
        else:
            yield from self._refuse(self._advice(name) if self.is_done else "That is not possible now.")

    def _moves(self, value: str) -> Output:
        yield Page("moves")

    def _undo(self, value: str) -> Output:
        if self._take_back_answer():
            yield Say("Taken back.", Kind.ECHO)
        else:
            yield from self._refuse("You have no answer to take back.")

    def _hint(self, value: str) -> Output:
        yield self._do("Looking for a hint", self._next_hint, self._tell_hint, stopped=self._told_stopped)

    _commands: ClassVar[dict[str, Command]] = Conversation._commands | {"moves": _moves, "undo": _undo, "hint": _hint}
