"""Ask for a move in the words of the game, where no match is played: in lessons and puzzles."""

from collections.abc import Callable, Sequence
from typing import Any

from duelbook.game import IllegalMoveError, Move, move_names, parse_move
from duelbook.narration import AnyNarration, Question, Refusal
from duelbook.terminal.commands import command_word
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import WARNING, Screen
from duelbook.text import fold

COMMANDS = ("help", "rules", "rules full", "moves", "quit")  # in every such dialogue


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
        self._commands = commands  # by name; a command may raise an error to leave the dialogue
        self._about = about  # what `help` says
        self._names: Sequence[str] = list(move_names(narration.game, state))

    def ask(self) -> Move:
        """Return the legal move that the person types. Raise LeaveError or EOFError if they leave."""
        while True:
            name = self._answer()
            try:
                return parse_move(self._narration.game, self._state, name)
            except IllegalMoveError as error:
                why = self._narration.why(self._state, fold(name)) if name else "Type a move."
                self._screen.say(f"{why} {error.allowed()}" if why else str(error), WARNING)

    def _answer(self) -> str:
        """Return the name of a move, legal or not, from the answers to the questions of the game."""
        dialogue = self._narration.ask(self._state)
        text = next(dialogue)
        while True:
            try:
                if isinstance(text, Refusal):
                    self._screen.say(text, WARNING)
                    text = next(dialogue)
                else:
                    text = dialogue.send(self._line(text))
            except StopIteration as end:
                return str(end.value)

    def _line(self, prompt: str) -> str:
        """Return what the person types. A command is run, and the question asked again."""
        answers = prompt.answers if isinstance(prompt, Question) else self._names
        words = (*answers, *COMMANDS, *self._commands, *self._narration.commands())
        while True:
            text = self._screen.ask(prompt, candidates=lambda typed: starting_with(typed, words))
            if not self._run(command_word(text, lambda: answers)):
                return text

    def _run(self, word: str) -> bool:
        """Return True if the word is a command, after running it."""
        own = self._narration.commands()
        if word == "quit":
            raise LeaveError
        if word == "help":
            self._screen.say(", ".join([self._about, *own]))
        elif word in ("rules", "rules full"):
            rules_page(self._narration.game, self._screen, full=word == "rules full")
        elif word == "moves":
            self._screen.say(self._narration.legal(self._state))
        elif word in self._commands:
            self._commands[word]()
        elif word in own:
            self._screen.say(own[word].answer(self._state))
        else:
            return False
        return True
