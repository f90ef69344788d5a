"""Ask for a move in a lesson or a puzzle, together with the commands that they have."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.narration import AnyNarration
from duelbook.play.commands import command_word, read_command
from duelbook.play.typed_moves import MoveQuestions
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING, Screen


class LeaveError(Exception):
    """The person leaves."""


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
        self._questions = MoveQuestions(narration, state)
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
        self._questions.restart()
        while True:
            try:
                move = self._questions.answer(self._line(), self._words)
            except RefusedError as error:
                self._screen.say(str(error), WARNING)
            else:
                if move is not None:
                    return move

    def _line(self) -> str:
        """Return what the person types. A command is run, and the question asked again."""
        questions = self._questions
        while True:
            text = self._screen.ask(
                questions.question, candidates=lambda typed: starting_with(typed, (*questions.choices, *self._words))
            )
            found = read_command(text, self._words, lambda: questions.choices)
            if found is None:
                return text
            name, _ = found
            if name in self._commands:
                self._commands[name]()
            else:
                self._screen.say(self._narration.commands()[name].answer(self._state))

    def _help(self) -> None:
        undo = ["undo (take back your last answer)"] if self._questions.answers else []
        self._screen.say(", ".join([self._about, *undo, *self._narration.commands()]))

    def _undo(self) -> None:
        if self._questions.take_back():
            self._screen.say("Taken back.", NOTE)
        else:
            self._screen.say("You have no answer to take back.", WARNING)

    def _quit(self) -> NoReturn:
        raise LeaveError
