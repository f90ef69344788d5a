"""Ask for a move in the words of the game; in lessons and puzzles, together with the commands that they have."""

from collections.abc import Callable, Sequence
from typing import Any

from duelbook.game import IllegalMoveError, Move, move_names, parse_move
from duelbook.narration import AnyNarration, Dialogue, Question, Refusal
from duelbook.terminal.commands import AnswerTakenBackError, command_word, slip
from duelbook.terminal.line_editor import starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import fold

COMMANDS = ("help", "rules", "rules full", "board", "moves", "undo", "quit")  # in every such dialogue


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
        self._words = (*COMMANDS, *commands, *narration.commands())
        self._answers: list[str] = []  # what the person has answered so far to the questions of this move

    def ask(self) -> Move:
        """Return the legal move that the person types. Raise LeaveError or EOFError if they leave."""
        while True:
            name = self._answer()
            try:
                return parse_move(self._narration.game, self._state, name)
            except IllegalMoveError as error:
                why = self._narration.why(self._state, fold(name)) if name else "Type a move."
                close = slip(name, (*self._names, *self._words))
                self._screen.say(f"{why} {error.allowed()}" if why else f"{error}{close}", WARNING)

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
        words = (*answers, *self._words)
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
            undo = ["undo (take back your last answer)"] if self._answers else []
            self._screen.say(", ".join([self._about, *undo, *own]))
        elif word in ("rules", "rules full"):
            rules_page(self._narration.game, self._screen, full=word == "rules full")
        elif word == "board":
            self._screen.say(self._narration.board(self._state))
        elif word == "undo":
            if self._answers:
                raise AnswerTakenBackError
            self._screen.say("You have no answer to take back.", WARNING)
        elif word == "moves":
            self._screen.say(self._narration.legal(self._state))
        elif word in self._commands:
            self._commands[word]()
        elif word in own:
            self._screen.say(own[word].answer(self._state))
        else:
            return False
        return True
