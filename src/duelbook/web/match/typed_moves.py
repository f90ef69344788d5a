"""Typed moves: the name of a move, the game's own phrase for it, or a short form, as long as only one move fits."""

from collections.abc import Callable, Iterable
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, move_names
from duelbook.narration import AnyNarration, Narration, Refusal, Seating, narration_for
from duelbook.text import fold, shorten
from duelbook.web.match.shown import own_or_general

MAX_LISTED = 4  # moves that a sentence names


def read_typed_move(game: AnyGame, state: Any, text: str) -> str:
    """Return the name of the only legal move that the text can mean, or raise RefusedError with the reason."""
    names = {fold(name): name for name in move_names(game, state)}
    read, refusal = own_or_general(
        game,
        lambda: _answer(narration_for(game, Seating()), state, text),
        lambda: _answer(Narration[Any, Any](game, Seating()), state, text),
    )
    readings = [*dict.fromkeys(fold(form) for form in (text, read, fold(read).removeprefix("play ")))]
    for found in ([name for name in names if name == reading] or _fitting(reading, names) for reading in readings):
        if len(found) == 1:
            return names[found[0]]
        if found:
            more = ", …" if len(found) > MAX_LISTED else ""
            listed = ", ".join(names[name] for name in found[:MAX_LISTED])
            raise RefusedError(f"'{shorten(text)}' can mean {listed}{more}. Type the whole move.")
    raise RefusedError(refusal or _why(game, state, read, names.values()))


def _answer(narration: AnyNarration, state: Any, text: str) -> tuple[str, str]:
    """Return what the game reads in the text as the answer to its first question, and why it refuses it if it does."""
    dialogue = narration.ask(state)
    try:
        next(dialogue)
        said = dialogue.send(text)
    except StopIteration as end:
        return str(end.value), ""
    finally:
        dialogue.close()
    return text, str(said) if isinstance(said, Refusal) else ""


def _why(game: AnyGame, state: Any, read: str, legal: Iterable[str]) -> str:
    error = IllegalMoveError(read, legal)
    why = own_or_general(game, lambda: narration_for(game, Seating()).why(state, fold(read)), lambda: "")
    return f"{why} {error.allowed()}" if why else str(error)


def _fitting(reading: str, names: Iterable[str]) -> list[str]:
    """Return the names that hold the typed words in this order: whole words or, if none does, their beginnings."""
    for same in (str.__eq__, _begins):
        if found := [name for name in names if _holds(name, reading.split(), same)]:
            return found
    return []


def _begins(word: str, typed: str) -> bool:
    return word == typed or (typed.isalpha() and word.startswith(typed))  # 1 is not a short form of 12


def _holds(name: str, words: list[str], same: Callable[[str, str], bool]) -> bool:
    rest = iter(name.split())
    return bool(words) and all(any(same(word, typed) for word in rest) for typed in words)
