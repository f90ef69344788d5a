"""The words that a person can type at any question of a match. None of them costs the turn."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from duelbook.errors import RefusedError
from duelbook.games import title
from duelbook.play.actions import RULES, action_commands
from duelbook.text import closest, did_you_mean, fold

if TYPE_CHECKING:
    from duelbook.play.table import Table

INFORMATION = {
    "help": "what you can type",
    "rules": "the rules of the game",
    "rules full": "the rules, with examples and tips",
    "board": "the position again",
    "moves": "the legal moves",
    "values": "what each legal move is worth",
    "hint": "help: first a nudge, then the best move, then why",
}
HELP_COMMANDS = {"values": "values", "hint": "hints"}  # which a match against a person elsewhere refuses, in words
KEEPING = {
    "save FILE": "save the game; resume it later with --resume FILE",
    "quit": "leave the game unfinished",
}
HELP = INFORMATION | {"undo": RULES["undo"].about, "resign": RULES["resign"].about} | KEEPING  # in every match
SAVE = "save"
ALIASES = {"?": "help", "q": "quit", "exit": "quit"}
YES, NO = ("y", "yes"), ("n", "no")


def match_commands(on: "Table") -> dict[str, str]:
    """Return what can be typed in this match, and what it does."""
    return INFORMATION | action_commands(on) | KEEPING


def command_word(text: str, answers: Callable[[], Sequence[str]] = tuple) -> str:
    """Return what is typed as a word that may be a command. `?`, `q` and `exit` are other words for help and quit.

    Where an answer may be a single letter, `q` is that letter.
    """
    word = fold(text)
    if word.isalpha() and len(word) == 1 and any(len(answer) == 1 and answer.isalpha() for answer in answers()):
        return word
    return ALIASES.get(word, word)


def read_command(
    text: str, names: Collection[str], answers: Callable[[], Sequence[str]] = tuple
) -> tuple[str, str] | None:
    """Return the command that is typed and what follows it, which only `save` takes; None if it is none of these."""
    word = command_word(text, answers)
    if SAVE in names and (word == SAVE or word.startswith(f"{SAVE} ")):
        return SAVE, text.strip()[len(SAVE) :].strip().strip("\"'")
    return (word, "") if word in names else None


def entry_advice(names: Sequence[str], words: Sequence[str]) -> str:
    """Return what can be typed to choose one of the entries of a numbered list, or one of the words."""
    others = ", ".join((f"a name such as {names[-1]}", *words[:-1]))
    return f"Type a number from 1 to {len(names)}, {others}, or {words[-1]}."


def read_entry(text: str, names: Sequence[str], words: Sequence[str]) -> str:
    """Return the entry of a numbered list that is typed: by its number, its name or title, or the beginning of it.

    Raise RefusedError if it is none of these.
    """
    typed = fold(text)
    exact = [name for number, name in enumerate(names, 1) if typed in (str(number), name, fold(title(name)))]
    found = exact or [name for name in names if name.startswith(typed)]
    if typed and len(found) == 1:
        return found[0]
    close = "" if typed.isdecimal() or not typed else did_you_mean(text, (*names, *words))
    raise RefusedError(f"{entry_advice(names, words)}{close}")


def slip(text: str, names: Iterable[str]) -> str:
    """Return ` Type 'hint' if you meant that.` if what was typed is close to one of the names that are words.

    It is no question: the answer to one, a `y`, may be a move. Another number is another move, not a slip.
    """
    typed = unicodedata.normalize("NFKC", text)  # characters that look alike, such as fullwidth ones
    numbers = _digits(typed)
    words = [name for name in names if len(name) > 2 and name[0].isalpha() and numbers in ("", _digits(name))]
    close = closest(typed, words) if len(typed) > 2 else None
    return f" Type '{close}' if you meant that." if close else ""


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))
