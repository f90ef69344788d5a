"""What a person at a screen is told and asked, in a match, a lesson or a puzzle: the part that is always the same.

`start` and `handle` yield what is to be shown. The last thing that they yield is a question, work to be done, or the
end, unless work goes on.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Player
from duelbook.narration import AnyNarration
from duelbook.play.commands import NO, SAVE, YES, read_command
from duelbook.play.events import (
    Act,
    Ask,
    Asked,
    Do,
    Done,
    Ended,
    Event,
    InterruptedWorkError,
    Kind,
    Output,
    Page,
    Pressed,
    Say,
    TryAgainError,
    Typed,
)
from duelbook.play.typed_moves import MoveQuestions
from duelbook.text import fold

PAGES = ("help", "rules", "rules full", "board")
Command = Callable[[Any, str], Output]


class Conversation:
    """Questions, the answers to them, and commands. What follows from an answer is the business of each kind."""

    narration: AnyNarration  # of the position that is shown; a puzzle has none while it is looked for
    state: Any

    def __init__(self) -> None:
        self.questions: MoveQuestions | None = None  # for the move, while somebody here is asked for one
        self.asked: Ask | None = None  # the question that is open
        self.work: Do | None = None  # what goes on now
        self.ended: Ended | None = None
        self._then: Callable[[Any], Output] = nothing  # takes the result of the work
        self._refused: Callable[[RefusedError], Output] | None = None  # takes its error; None: it is told
        self._stopped: Callable[[], Output] | None = None  # goes on if a person stops it; None: they leave

    # What each kind of conversation provides

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed at any time, and what it does."""
        raise NotImplementedError

    def start(self) -> Output:
        """Begin."""
        raise NotImplementedError

    def leave(self, *, is_interrupted: bool = False, problem: RefusedError | None = None) -> Output:
        """End the conversation: the person leaves."""
        yield self._end(Ended(is_interrupted=is_interrupted, problem=problem))

    def _next(self) -> Output:
        """Go on until somebody is asked, or something takes a while."""
        raise NotImplementedError

    def _play(self, move: Move) -> Output:
        """Take the move that the person has chosen."""
        raise NotImplementedError

    def _answer_other(self, text: str, asked: Ask) -> Output:
        """Take an answer to a question for something else than a move."""
        raise NotImplementedError

    @property
    def rules(self) -> tuple[AnyGame, Collection[str]]:
        """The game whose rules can be read, and its options that are not known yet."""
        return self.narration.game, ()

    # Events

    def handle(self, event: Event) -> Output:
        """Take an event. The result of work that was stopped has no effect."""
        if self.ended or (isinstance(event, Done) and event.work is not self.work):
            return
        yield from self._take(event)
        yield from self._next()

    def _take(self, event: Event) -> Output:
        if isinstance(event, Done):
            yield from self._work_done(event)
        elif isinstance(event, Act):
            yield from self._command(event.name, event.value)
        elif isinstance(event, Typed | Pressed) and self.asked:
            yield from self._typed(event, self.asked)

    def _typed(self, event: Typed | Pressed, asked: Ask) -> Output:
        text, names = event.text, [*self.names(), *([SAVE] if self.can_save() else [])]
        found = read_command(text, names, self._answers) if isinstance(event, Typed) else None
        if found:
            yield from self._command(*found)
        elif asked.kind is Asked.MOVE:
            yield from self._answer(text)
        else:
            yield from self._answer_other(text, asked)

    # What can be typed

    def choices(self) -> Sequence[str]:
        """Return the answers that the question may get."""
        match self.asked:
            case Ask(kind=Asked.MOVE):
                return self.questions.choices if self.questions else ()
            case Ask(kind=Asked.CONFIRM | Asked.OFFER):
                return YES[1], NO[1]
        return ()

    def words(self) -> dict[str, str]:
        """Return the commands that can be typed, and what they do."""
        own = self.narration.commands() if hasattr(self, "narration") else {}
        return {**self.commands, **{name: command.about for name, command in own.items()}}

    def names(self) -> list[str]:
        """Return the commands that can be typed, but for `save`, which takes a file."""
        return [name for name in self.words() if not name.startswith(SAVE)]

    def can_save(self) -> bool:
        """Return True if the person can save to a file what is shown."""
        return any(name.startswith(SAVE) for name in self.words())

    def _answers(self) -> Sequence[str]:
        """Return the answers of which one of a single letter is no command."""
        return self.choices() if self.asked and self.asked.kind is Asked.MOVE else ()

    @property
    def has_news(self) -> Callable[[], bool] | None:
        """The function that returns True if a `Tick` would tell something; None if there never is news."""
        return None

    def deadline(self) -> float | None:
        """Return the end of the time for an answer by the monotonic clock, or None while no time runs."""
        return None

    @property
    def is_ready(self) -> bool:
        """True if a command can be given now: somebody is asked."""
        return self.asked is not None

    def is_confirming(self) -> bool:
        """Return True while a player is asked to answer yes or no."""
        return self.asked is not None and self.asked.kind in (Asked.CONFIRM, Asked.OFFER)

    # Answers and commands

    def _ask_move(self, seat: Player) -> Ask:
        """Return the next question for the move."""
        assert self.questions
        self.asked = Ask(self.questions.question, Asked.MOVE, seat)
        return self.asked

    def _answer(self, text: str) -> Output:
        """Take an answer to the question for a move. A wrong one changes nothing."""
        assert self.questions
        try:
            move = self.questions.answer(text, self.names())
        except RefusedError as error:
            yield from self._refuse(str(error))
        else:
            if move is not None:
                yield from self._play(move)

    def _refuse(self, text: str) -> Output:
        """Say why what the person wants is not possible. Nothing has changed."""
        yield Say(text, Kind.REFUSAL)

    @staticmethod
    def _yes(text: str) -> bool | None:
        """Return the answer to a question that is answered by yes or no, or None if it is neither."""
        answer = fold(text)
        return answer in YES if answer in (*YES, *NO) else None

    def _command(self, name: str, value: str) -> Output:
        """Carry out a command."""
        if name in PAGES:
            yield Page(name)
        elif name in self._commands:
            yield from self._commands[name](self, value)
        elif name in self.words():
            yield Say(self.narration.commands()[name].answer(self.state))

    def _quit(self, value: str) -> Output:
        yield from self.leave()

    _commands: ClassVar[dict[str, Command]] = {"quit": _quit}

    def _take_back_answer(self) -> bool:
        """Take back the last answer to the questions for this move. Return False if there is none."""
        return self.questions is not None and self.questions.take_back()

    def _end(self, ended: Ended) -> Ended:
        self._stop()
        self.asked = self.questions = None
        self.ended = ended
        return ended

    # Work

    def _do(
        self,
        text: str,
        run: Callable[[], Any],
        then: Callable[[Any], Output],
        *,
        refused: Callable[[RefusedError], Output] | None = None,
        stopped: Callable[[], Output] | None = None,
        stopping: str = "",
    ) -> Do:
        """Return work to be done. The conversation goes on with its result. Other work is dropped.

        An error that is meant for a person is told, unless `refused` takes it. A person who stops the work leaves,
        unless `stopped` goes on.
        """
        return self._await(Do(text, run, stopping), then, refused, stopped)

    def _await(
        self,
        work: Do,
        then: Callable[[Any], Output],
        refused: Callable[[RefusedError], Output] | None = None,
        stopped: Callable[[], Output] | None = None,
    ) -> Do:
        """Return the work, with whose result the conversation goes on. Other work is dropped."""
        self._stop()
        self._then, self._refused, self._stopped, self.work = then, refused, stopped, work
        return work

    def _stop(self) -> None:
        """Drop the work that goes on."""
        self.work = None

    def _work_done(self, done: Done) -> Output:
        if isinstance(done.error, TryAgainError):
            yield from done.error.told
            yield done.work
            return
        self.work, error = None, done.error
        if error is None:
            yield from self._then(done.result)
        elif isinstance(error, RefusedError):
            yield from self._refused(error) if self._refused else self._refuse(str(error))
        elif isinstance(error, InterruptedWorkError):
            yield from self._stopped() if self._stopped else self.leave(is_interrupted=True)
        else:
            raise error

    def _fail(self, problem: RefusedError) -> Output:
        """End the conversation: it cannot go on."""
        yield self._end(Ended(problem=problem))


def nothing(_: Any = None) -> Iterator[Any]:
    """Yield nothing: the conversation goes on."""
    yield from ()
