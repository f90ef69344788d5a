"""Lessons: which one, its steps, and what comes after it. Each step is a small position that shows one rule."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from duelbook.agents.levels import LEVELS
from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import Seating, narration_for
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import read_entry
from duelbook.play.conversation import Command
from duelbook.play.events import Ask, Asked, Ended, Kind, Output, Say
from duelbook.play.exercise import ANSWERING, QUITTING, READING, Exercise, ExerciseSession, Judgement
from duelbook.play.progress import load_lessons, note_passed
from duelbook.records.record import HUMAN
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.hints import HintStep
from duelbook.study.lessons import Lesson, Step, accepted_moves, answer
from duelbook.text import plural, sentence

EASIEST = next(iter(LEVELS))
MORE_HELP = "(Type hint again for such a move.)"
PLAYING = {"play": f"a match against {EASIEST}, who makes many mistakes"}
STEPPING = {"next": "the next step", "skip": "the same as next", "back": "the step before"}
STEP_HELP = (
    ANSWERING | {"hint": "help: first how many moves are right, then one of them"} | STEPPING | PLAYING | QUITTING
)
PAUSE_HELP = STEPPING | {"back": "this step again"} | PLAYING | READING | QUITTING


class LessonSession(ExerciseSession):
    """A lesson, and those that the person takes after it. The person is always Player 1."""

    def __init__(self, name: str | None = None, step: int | None = None) -> None:
        """Without a game, the person is asked for one. `step` is the number of the first step, by default the next."""
        super().__init__()
        if name is None and step is not None:
            raise RefusedError("--step needs a GAME. See: duelbook learn --help")
        if name is not None:
            find_rules(name)
        self.name, self._number = name, step
        self._lesson: Lesson | None = None
        self._at = 0  # the index of the step
        self.is_over = False  # the last step is passed or skipped
        self._following: str | None = None  # the game whose lesson comes after this one
        self._is_warned = False  # that the progress is not kept

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed now, and what it does."""
        if self.exercise is None:
            return QUITTING
        if self.is_over:
            return self.offers() | {"back": "the last step again"} | READING | QUITTING
        return PAUSE_HELP if self.is_done else STEP_HELP

    @property
    def steps(self) -> Sequence[Step]:
        """The steps of this lesson; none while it is prepared."""
        return self._lesson.steps if self._lesson else ()

    # Which lesson

    def start(self) -> Output:
        """Show all lessons with the progress in them, unless one is chosen already."""
        if self.name is None:
            progress = load_lessons()
            yield Say("Learn to play: a few small positions for each game. Make a move and see why.\n", Kind.HEADING)
            for number, name in enumerate(GAMES, 1):
                yield Say(f"{number:<4}{title(name)} ({progress.text(name)}): {sentence(aim(name))}")
        yield from super().start()

    def _prepare(self) -> Output:
        name = self.name
        if name is None:
            yield Say("", Kind.SEPARATOR)
            names = f"1-{len(GAMES)}; Enter for {title(self._suggested())}"
            yield self._ask(f"Choose a lesson ({names}): ", Asked.CHOICE)
        else:
            yield self._do(
                "Preparing the lesson", lambda: usable_lesson(make(name)), self._prepared, refused=self._fail
            )

    @staticmethod
    def _suggested() -> str:
        names = list(GAMES)
        return load_lessons().next_lesson(names) or names[0]

    def choices(self) -> Sequence[str]:
        """Return the answers that the question may get."""
        return list(GAMES) if self.asked and self.asked.kind is Asked.CHOICE else super().choices()

    def _answer_other(self, text: str, asked: Ask) -> Output:
        if asked.kind is not Asked.CHOICE:
            yield from super()._answer_other(text, asked)
            return
        try:
            self.name = read_entry(text, list(GAMES), ("quit",)) if text else self._suggested()
        except RefusedError as error:
            yield from self._refuse(str(error))
        else:
            yield Say("", Kind.SEPARATOR)

    def _prepared(self, found: tuple[Lesson, str]) -> Output:
        """Begin the lesson, from the step that is asked for or where the person was."""
        assert self.name
        self._lesson, problem = found
        number, steps, progress = self._number, len(self.steps), load_lessons().lessons.get(self.name)
        if number is not None and not 1 <= number <= steps:
            error = RefusedError(f"--step must be from 1 to {steps} in the lesson of {self.name}, not {number}.")
            yield from self._fail(error)
            return
        if problem:
            yield Say(problem, Kind.WARNING)
        yield Say(f"Learn {title(self.name)}", Kind.HEADING)
        yield Say(sentence(aim(self.name)))
        yield Say("You are Player 1. Type help at any question to see what else you can do.\n", Kind.HELP)
        at = number - 1 if number is not None else progress.start(steps) if progress else 0
        if at and number is None:
            done = f"You have done {plural(at, 'step')} of {steps} before."
            yield Say(f"{done} Type back to see the last one again.\n", Kind.NOTE)
        self._number = None
        yield from self._show_step(at)

    # A step

    @property
    def _step(self) -> Step:
        return self.steps[self._at]

    def _show_step(self, at: int) -> Output:
        self._at, self.is_over = at, False
        step = self._step
        narration = narration_for(step.game, Seating(first=step.game.mover(step.state), humans=(True, False)))
        heading = f"Step {at + 1} of {len(self.steps)}: {step.title}"
        yield from self._pose(Exercise(heading, step.task, narration, step.state, step.moves))

    def _introduce(self, exercise: Exercise) -> Output:
        yield Say(exercise.title, Kind.HEADING)
        yield Say(f"{exercise.task}\n", Kind.TASK)
        yield self._board()

    def _judge(self, move: Move) -> Judgement:
        found = answer(self._step, move)
        return Judgement(found.right, f"{'Right!' if found.right else 'Not quite.'} {found.text}", found.following)

    def _next_hint(self) -> HintStep:
        again = bool(self._hints_shown)
        return HintStep(int(again), hint_text(self._step, again=again), "" if again else MORE_HELP)

    def _passed(self) -> Output:
        """Note that the step is passed. After the last one the lesson is over."""
        assert self.name
        yield Say("", Kind.SEPARATOR)
        problem = note_passed(self.name, self._at + 1, len(self.steps))
        if problem and not self._is_warned:
            self._is_warned = True
            yield Say(f"{problem}\n", Kind.WARNING)
        if self._at + 1 == len(self.steps):
            yield from self._finish()

    # What is next

    def _finish(self) -> Output:
        """Tell what can come after the lesson."""
        assert self.name
        self._stop()
        self.is_done = self.is_over = True
        self.questions = None
        self._following = load_lessons().next_lesson(list(GAMES), self.name)
        yield Say(f"You can play {title(self.name)} now.", Kind.RESULT)
        offers = self.offers() | {"rules": "all the rules"}
        yield Say("\n".join(f"  {word:<7}{about}" for word, about in offers.items()), Kind.OFFERS)

    def offers(self) -> dict[str, str]:
        """Return what can come after the lesson."""
        following = {"next": f"the lesson of {title(self._following)}"} if self._following else {}
        return PLAYING | following | {"again": "this lesson once more"}

    def _ask_next(self) -> Output:
        if self.is_over:
            yield self._ask("What next (Enter to leave)? ", Asked.NEXT)
        else:
            yield self._ask("Press Enter for the next step: ", Asked.PAUSE)

    def _go_on(self) -> Output:
        yield from self.leave() if self.is_over else self._command("next", "")

    def _advice(self, text: str) -> str:
        if self.is_over:
            return f"Type {', '.join(self.offers())}, rules, or press Enter to leave."
        return "Press Enter, or type back (this step again) or quit."

    def _go_next(self, value: str) -> Output:
        """Go to the next step; after the last one to the end, and then to the lesson of another game."""
        yield Say("", Kind.SEPARATOR)
        if self.is_over:
            self.name, self._lesson, self.exercise = self._following, None, None
        elif self._at + 1 < len(self.steps):
            yield from self._show_step(self._at + 1)
        else:
            yield from self._finish()

    def _go_back(self, value: str) -> Output:
        """Go to the step before; once this one is done, show it again."""
        yield Say("", Kind.SEPARATOR)
        yield from self._show_step(self._at if self.is_done else max(0, self._at - 1))

    def _go_again(self, value: str) -> Output:
        yield Say("", Kind.SEPARATOR)
        yield from self._show_step(0)

    def _play_match(self, value: str) -> Output:
        """End with a match against the easiest opponent."""
        from duelbook.play.series import Series  # a match, which a lesson does not need

        yield Say("", Kind.SEPARATOR)
        yield self._end(Ended(following=Series(PlayArguments(self.name, agents=(HUMAN, EASIEST)))))

    _commands: ClassVar[dict[str, Command]] = ExerciseSession._commands | {
        "next": _go_next,
        "skip": _go_next,
        "back": _go_back,
        "again": _go_again,
        "play": _play_match,
    }


def hint_text(step: Step, *, again: bool) -> str:
    """Return how many moves are right; the second time, name one."""
    right, legal = accepted_moves(step), len(list(step.game.legal_moves(step.state)))
    if again:
        return f"Try {step.game.move_name(step.state, right[0])}." if right else "No move does it."
    if len(right) == legal:
        return "Any move does what the task asks for."
    does = "1 of them does" if len(right) == 1 else f"{len(right)} of them do"
    return f"You have {plural(legal, 'move')}; {does} what the task asks for."
