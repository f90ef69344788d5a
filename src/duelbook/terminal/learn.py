"""Lessons in the terminal: small positions of a game, each with a task that shows one rule. The page has the same."""

from collections.abc import Callable
from functools import partial
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import Move, parse_move
from duelbook.games import GAMES, aim, find_rules, make, title
from duelbook.narration import Seating, Turn, narration_for
from duelbook.play.lesson import EASIEST, hint_text
from duelbook.play.progress import load_lessons, note_passed
from duelbook.records.record import HUMAN
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.lessons import Answer, Lesson, Step, answer
from duelbook.terminal import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.terminal.move_dialogue import LeaveError, MoveDialogue, ask_word
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen
from duelbook.text import fold, plural, sentence

HELP = "Type a move, or: board, moves, rules, hint, skip (the next step), back (the one before), quit"


class GoToError(Exception):
    """The person goes to another step."""

    def __init__(self, index: int) -> None:
        self.index = index


def learn(game: str | None, step: int | None, screen: Screen) -> int:
    """Give the lesson of a game, or of the one that the person chooses. Return the exit code."""
    try:
        name: str | None = game
        if name is None:
            if step is not None:
                raise RefusedError("--step needs a GAME. See: duelbook learn --help")
            name = _ask_lesson(screen)
        find_rules(name)
        while name:
            name, step = LessonSession(name, screen).run(step), None
    except (LeaveError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return EXIT_FINISHED


def _ask_lesson(screen: Screen) -> str:
    """Show all lessons with the progress in them, and return the game that the person chooses."""
    progress, names = load_lessons(), list(GAMES)
    screen.say("Learn to play: a few small positions for each game. Make a move and see why.\n", HEADING)
    for number, name in enumerate(names, 1):
        screen.say(f"{number:<4}{title(name)} ({progress.text(name)}): {sentence(aim(name))}")
    suggested = progress.next_lesson(names) or names[0]
    while True:
        question = f"\nChoose a lesson (1-{len(names)}; Enter for {title(suggested)}): "
        reply = ask_word(question, (*names, "quit"), screen)
        for number, name in enumerate(names, 1):
            if reply in (str(number), name, fold(title(name))) or (not reply and name == suggested):
                screen.say()
                return name
        screen.say(f"Type a number from 1 to {len(names)}, a name such as {names[-1]}, or quit.", WARNING)


class LessonSession:
    """The lesson of one game. The person is always Player 1."""

    def __init__(self, name: str, screen: Screen) -> None:
        self._name = name
        self._screen = screen
        self._warned = False  # that the progress is not kept

    def run(self, number: int | None) -> str | None:
        """Give the lesson, from the step with this number or where the person was. Return the game that is next."""
        screen, name = self._screen, self._name
        with screen.busy("Preparing the lesson"):
            lesson, problem = usable_lesson(make(name))
        steps, progress = len(lesson.steps), load_lessons().lessons.get(name)
        if number is not None and not 1 <= number <= steps:
            raise RefusedError(f"--step must be from 1 to {steps} in the lesson of {name}, not {number}.")
        if problem:
            screen.say(problem, WARNING)
        screen.say(f"Learn {title(name)}", HEADING)
        screen.say(sentence(aim(name)))
        screen.say("You are Player 1. Type help at any question to see what else you can do.\n", NOTE)
        at = number - 1 if number is not None else progress.start(steps) if progress else 0
        if at and number is None:
            screen.say(f"You have done {plural(at, 'step')} of {steps} before. Type back to see the last one again.\n")
        while True:
            self._give(lesson, at)
            reply = self._after_lesson()
            if reply != "again":
                return reply
            at = 0

    def _give(self, lesson: Lesson, at: int) -> None:
        """Give the steps from this one on."""
        while at < len(lesson.steps):
            try:
                LessonStep(lesson, at, self._screen).run()
                self._note(at + 1, len(lesson.steps))
                at += 1
                if at < len(lesson.steps):
                    self._pause(at)
            except GoToError as way:
                at = way.index

    def _note(self, passed: int, steps: int) -> None:
        problem = note_passed(self._name, passed, steps)
        if problem and not self._warned:
            self._warned = True
            self._screen.say(f"{problem}\n", WARNING)

    def _pause(self, at: int) -> None:
        while True:
            reply = ask_word("Press Enter for the next step: ", ("next", "back", "quit"), self._screen)
            if reply == "back":
                raise GoToError(at - 1)
            if reply in ("", "next", "skip"):
                return self._screen.say()
            self._screen.say("Press Enter, or type back (this step again) or quit.", WARNING)

    def _after_lesson(self) -> str | None:
        """Ask what comes after the lesson. Return the game of the next one, `again`, or None to leave."""
        screen, name = self._screen, self._name
        following = load_lessons().next_lesson(list(GAMES), name)
        screen.say(f"You can play {title(name)} now.", RESULT)
        offers = {"play": f"a match against {EASIEST}, who makes many mistakes"}
        if following:
            offers["next"] = f"the lesson of {title(following)}"
        offers |= {"again": "this lesson once more", "rules": "all the rules"}
        screen.say("\n".join(f"  {word:<7}{about}" for word, about in offers.items()))
        while True:
            reply = ask_word("What next (Enter to leave)? ", (*offers, "quit"), screen)
            if not reply:
                raise LeaveError
            if reply in ("rules", "rules full"):
                rules_page(make(name), screen, full=reply == "rules full")
            elif reply == "play":
                self._play()
                raise LeaveError
            elif reply in offers:
                screen.say()
                return following if reply == "next" else "again"
            else:
                screen.say(f"Type {', '.join(offers)}, or press Enter to leave.", WARNING)

    def _play(self) -> None:
        from duelbook.play.arguments import PlayArguments
        from duelbook.terminal.start import play  # a match, which a lesson does not need

        self._screen.say()
        play(PlayArguments(self._name, agents=(HUMAN, EASIEST)), self._screen)


class LessonStep:
    """One step: a position and a task. After a wrong move the person sees what follows, and tries again."""

    def __init__(self, lesson: Lesson, index: int, screen: Screen) -> None:
        self._lesson, self._index, self._screen = lesson, index, screen
        self._step: Step = lesson.steps[index]
        game, mover = self._step.game, self._step.game.mover(self._step.state)
        self._narration = narration_for(game, Seating(first=mover, humans=(True, False)))
        self._hinted = False
        commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "skip": partial(self._go, 1),
            "back": partial(self._go, -1),
        }
        self._dialogue = MoveDialogue(self._narration, self._step.state, screen, commands, HELP)

    def run(self) -> None:
        """Ask until a move does what the task asks for."""
        step, screen = self._step, self._screen
        screen.say(f"Step {self._index + 1} of {len(self._lesson.steps)}: {step.title}", HEADING)
        screen.say(f"{step.task}\n\n{self._narration.board(step.state)}\n")
        while True:
            move = self._dialogue.ask()
            with screen.busy("Judging the move"):
                found = answer(step, move)
            self._show(move, found)
            if found.right:
                return
            screen.say(f"{self._narration.board(step.state)}\n")

    def _go(self, by: int) -> None:
        self._screen.say()
        raise GoToError(max(0, self._index + by))

    def _hint(self) -> None:
        """Say how many moves are right; the second time, name one."""
        with self._screen.busy("Looking for the right moves"):
            text = hint_text(self._step, again=self._hinted)
        self._screen.show_hint(text, "" if self._hinted else "(Type hint again for such a move.)")
        self._hinted = True

    def _show(self, move: Move, found: Answer) -> None:
        """Show what the move does, what follows it, and why it is right or wrong."""
        step, screen = self._step, self._screen
        screen.say()
        state, moves = self._announce(step.state, list(step.moves), move)
        for name in found.following:
            state, moves = self._announce(state, moves, parse_move(step.game, state, name))
        verdict, style = ("Right!", RESULT) if found.right else ("Not quite.", WARNING)
        screen.say(f"{verdict} {found.text}\n", style)

    def _announce(self, state: Any, moves: list[Move], move: Move) -> tuple[Any, list[Move]]:
        """Announce a move in the words of the game. Return the state and the moves after it."""
        after = self._step.game.play(state, move)
        self._screen.say(f"{self._narration.announce(Turn(state, move, after, moves))}\n")
        return after, [*moves, move]
