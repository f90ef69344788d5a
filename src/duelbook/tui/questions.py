"""The questions for one move, in the game's own words: most games have one question, some ask in steps."""

from collections.abc import Iterable
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import IllegalMoveError, Move, move_names, parse_move
from duelbook.narration import AnyNarration, Question, Refusal
from duelbook.play.commands import slip
from duelbook.terminal.move_dialogue import explain_illegal
from duelbook.text import fold


class MoveQuestions:
    """The questions in one position, and the answers so far."""

    def __init__(self, narration: AnyNarration, state: Any) -> None:
        self._narration, self._state = narration, state
        self.legal = move_names(narration.game, state)
        self.restart()

    def restart(self, answers: tuple[str, ...] = ()) -> None:
        """Ask from the first question on; these answers are given already."""
        self._dialogue = self._narration.ask(self._state)
        self.question = next(self._dialogue)
        self.answers: tuple[str, ...] = ()
        for answer in answers:
            self.question = self._dialogue.send(answer)
            self.answers += (answer,)

    @property
    def choices(self) -> tuple[str, ...]:
        """The answers that the question may get: those that it names, or the legal moves."""
        return tuple(self.question.answers) if isinstance(self.question, Question) else tuple(self.legal)

    def take_back(self) -> bool:
        """Take back the last answer. Return False if there is none."""
        if not self.answers:
            return False
        self.restart(self.answers[:-1])
        return True

    def move_after(self, answer: str) -> Move | None:
        """Return the move that this answer would complete, or None if more questions follow."""
        return self.legal.get(" ".join([*self.answers, answer]))

    def answer(self, text: str, words: Iterable[str] = ()) -> Move | None:
        """Return the move if the answer completes it, or else None. Raise RefusedError if the answer is wrong.

        It may be a slip for one of the words.
        """
        try:
            reply = self._dialogue.send(text)
        except StopIteration as end:
            return self._move(str(end.value), words)
        if isinstance(reply, Refusal):
            self.question = next(self._dialogue)
            raise RefusedError(f"{reply}{slip(text, words)}")
        self.question, self.answers = reply, (*self.answers, self._as_written(text))
        return None

    def _as_written(self, text: str) -> str:
        """Return the answer as the names of moves write it: `q` becomes `Q`."""
        before = " ".join(self.answers).split()
        given = fold(" ".join([*before, text])).split()
        for name in self.legal:
            words = name.split()
            if fold(name).split()[: len(given)] == given:
                return " ".join(words[len(before) : len(given)])
        return text

    def _move(self, name: str, words: Iterable[str]) -> Move:
        try:
            return parse_move(self._narration.game, self._state, name)
        except IllegalMoveError as error:
            self.restart(self.answers)
            raise RefusedError(explain_illegal(self._narration, self._state, name, error, words)) from error
