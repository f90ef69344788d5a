"""What a person types as a move: answers to the game's questions, the name of a move, its phrases and short forms.

Every front end reads moves here: the terminal, the full screen, and the service for the page.
"""

import re
from collections.abc import Iterable
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import IllegalMoveError, Move, move_names
from duelbook.narration import AnyNarration, Question, Refusal
from duelbook.play.commands import slip
from duelbook.text import fold, shorten

MAX_LISTED = 4  # moves that a sentence names
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}  # to the same ASCII characters
LETTER_BEFORE_DIGIT = re.compile(r"(?<=[a-z])(?=\d)")


class MoveQuestions:
    """The questions for one move, in the game's own words, and the answers so far.

    Most games have one question; some ask in steps.
    """

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

    def answer(self, text: str, words: Iterable[str] = ()) -> Move | None:
        """Return the move if the answer completes it, or else None. Raise RefusedError if the answer is wrong.

        It may be a slip for one of the words.
        """
        text = text.translate(FULL_WIDTH)
        try:
            reply = self._dialogue.send(text)
        except StopIteration as end:
            return self._completed(text, str(end.value), words)
        if isinstance(reply, Refusal):
            self.question = next(self._dialogue)
            return self._refused(text, reply, words)
        self.question, self.answers = reply, (*self.answers, self._as_written(text))
        return None

    def _completed(self, text: str, name: str, words: Iterable[str]) -> Move:
        """Return the move of which the game made this name, or the only one that it or a first answer can mean."""
        found = fitting_moves(self.legal, (name,) if self.answers else (name, text))
        if len(found) == 1:
            return self.legal[found[0]]
        self.restart(self.answers)
        why = self._narration.why(self._state, fold(name)) if name else "Type a move."
        error = IllegalMoveError(name, self.legal)
        if why:
            raise RefusedError(f"{why} {error.allowed()}")
        if found:
            raise RefusedError(ambiguous(text, found))
        raise RefusedError(f"{error}{slip(name, (*self.legal, *words))}")

    def _refused(self, text: str, why: str, words: Iterable[str]) -> Move:
        """Return the only move that the whole text can mean, though the question has no such answer."""
        found = fitting_moves(self.legal, (text,))
        if len(found) == 1:
            return self.legal[found[0]]
        if found and not self.answers and len(text.split()) > 1:
            raise RefusedError(ambiguous(text, found))
        raise RefusedError(f"{why}{slip(text, words)}")

    def _as_written(self, text: str) -> str:
        """Return the answer as the names of moves write it: `q` becomes `Q`."""
        before = " ".join(self.answers).split()
        given = fold(" ".join([*before, text])).split()
        for name in self.legal:
            words = name.split()
            if fold(name).split()[: len(given)] == given:
                return " ".join(words[len(before) : len(given)])
        return text


def read_move(narration: AnyNarration, state: Any, text: str) -> str:
    """Return the name of the only legal move that the text can mean, or raise RefusedError with the reason."""
    questions = MoveQuestions(narration, state)
    move = questions.answer(text)
    if move is not None:
        return str(narration.game.move_name(state, move))
    raise RefusedError(ambiguous(text, fitting_moves(questions.legal, (text, " ".join(questions.answers)))))


def fitting_moves(names: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Return the moves that the first of these texts means which means any: one by its name, or all that it fits."""
    by_name = {fold(name): name for name in names}
    for reading in dict.fromkeys(form for text in texts for form in _readings(text)):
        if reading in by_name:
            return [by_name[reading]]
        for same in (str.__eq__, _begins):
            if found := [by_name[name] for name in by_name if _holds(name, reading.split(), same)]:
                return found
    return []


def ambiguous(text: str, names: list[str]) -> str:
    """Return a sentence that names the moves which the text can mean."""
    more = ", …" if len(names) > MAX_LISTED else ""
    return f"'{shorten(text)}' can mean {', '.join(names[:MAX_LISTED])}{more}. Type the whole move."


def _readings(text: str) -> list[str]:
    """Return the text as it is compared: also without the book's `play`, and `c5` as `c 5`."""
    whole = fold(text)
    short = whole.removeprefix("play ")
    return [whole, short, LETTER_BEFORE_DIGIT.sub(" ", short)]


def _begins(word: str, typed: str) -> bool:
    return word == typed or (typed.isalpha() and word.startswith(typed))  # 1 is not a short form of 12


def _holds(name: str, words: list[str], same: Any) -> bool:
    """Return True if the name has these words, whole or their beginnings, in this order."""
    rest = iter(name.split())
    return bool(words) and all(any(same(word, typed) for word in rest) for typed in words)
