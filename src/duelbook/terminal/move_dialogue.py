"""Ask for a move in the words of the game; in lessons and puzzles, together with the commands that they have."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from duelbook.game import IllegalMoveError, Move, move_names, parse_move
from duelbook.narration import AnyNarration, Dialogue, Question, Refusal
from duelbook.play.commands import command_word, read_command, slip
from duelbook.terminal.commands import AnswerTakenBackError
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import fold


class LeaveError(Exception):
    """The person leaves."""


def ask_move_name(
    questions: Callable[[], Dialogue],
    answers: list[str],
    ask: Callable[[str], str],
    refuse: Callable[[str, str], None],
    screen: Screen,
) -> str:
    """Return the name of a move, legal or not, from the answers to the questions of the game.

    `answers` holds those that were accepted. If `ask` raises AnswerTakenBackError, the last of them is asked for again.
    `refuse` takes an answer that is wrong, and why.
    """
    while True:
        dialogue = questions()
        text = next(dialogue)
        try:
            for answer in answers:
                text = dialogue.send(answer)
            while True:
                answer = ask(text)
                text = dialogue.send(answer)
                if isinstance(text, Refusal):
                    refuse(answer, text)
                    text = next(dialogue)
                else:
                    answers.append(answer)
        except AnswerTakenBackError:
            answers.pop()
            screen.say("Taken back.", NOTE)
        except StopIteration as end:
            return str(end.value)


def explain_illegal(
    narration: AnyNarration, state: Any, name: str, error: IllegalMoveError, words: Iterable[str]
) -> str:
    """Return why what was typed is not legal, and what is. It may be a slip for a move or for one of the words."""
    why = narration.why(state, fold(name)) if name else "Type a move."
    return f"{why} {error.allowed()}" if why else f"{error}{slip(name, (*error.legal, *words))}"


def ask_word(prompt: str, words: Sequence[str], screen: Screen) -> str:
    """Return what the person types, in lower case; the words complete it. Raise LeaveError if it is `quit`."""
    text = screen.ask(prompt, candidates=lambda typed: starting_with(typed, words), remember=False)
    word = command_word(text)
    if word == "quit":
        raise LeaveError
    return word


class MoveDialogue:
    """The questions for a move in one position. Commands are run, and wrong answers asked again."""

    def __init__(
        self, narration: AnyNarration, state: Any, screen: Screen, commands: dict[str, Callable[[], None]], about: str
    ) -> None:
        self._narration, self._state, self._screen = narration, state, screen
        self._about = about  # what `help` says
        self._names: Sequence[str] = list(move_names(narration.game, state))
        self._answers: list[str] = []  # what the person has answered so far to the questions of this move
        self._commands: dict[str, Callable[[], None]] = {
            "help": self._help,
            "rules": lambda: rules_page(narration.game, screen),
            "rules full": lambda: rules_page(narration.game, screen, full=True),
            "board": lambda: screen.say(narration.board(state)),
            "moves": lambda: screen.say(narration.legal(state)),
            "undo": self._undo,
            "quit": self._quit,
            **commands,  # which may raise an error to leave the dialogue
        }
        self._words = (*self._commands, *narration.commands())

    def ask(self) -> Move:
        """Return the legal move that the person types. Raise LeaveError or EOFError if they leave."""
        while True:
            name = self._answer()
            try:
                return parse_move(self._narration.game, self._state, name)
            except IllegalMoveError as error:
                self._screen.say(explain_illegal(self._narration, self._state, name, error, self._words), WARNING)

    def _answer(self) -> str:
        self._answers = []
        return ask_move_name(
            lambda: self._narration.ask(self._state),
            self._answers,
            self._line,
            lambda answer, why: self._screen.say(f"{why}{slip(answer, self._words)}", WARNING),
            self._screen,
        )

    def _line(self, prompt: str) -> str:
        """Return what the person types. A command is run, and the question asked again."""
        answers = prompt.answers if isinstance(prompt, Question) else self._names
        while True:
            text = self._screen.ask(prompt, candidates=lambda typed: starting_with(typed, (*answers, *self._words)))
            found = read_command(text, self._words, lambda: answers)
            if found is None:
                return text
            name, _ = found
            if name in self._commands:
                self._commands[name]()
            else:
                self._screen.say(self._narration.commands()[name].answer(self._state))

    def _help(self) -> None:
        undo = ["undo (take back your last answer)"] if self._answers else []
        self._screen.say(", ".join([self._about, *undo, *self._narration.commands()]))

    def _undo(self) -> None:
        if self._answers:
            raise AnswerTakenBackError
        self._screen.say("You have no answer to take back.", WARNING)

    def _quit(self) -> NoReturn:
        raise LeaveError
