"""Errors that come out of a game's own code: they are told as the game's, with the method, the file and the line."""

import sys
import sysconfig
import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.text import shorten

PYTHON = sysconfig.get_path("stdlib")
PACKAGE = __package__
HOLDERS = ("game", "narration")  # attributes in which objects of this package keep a game and its narration


P = ParamSpec("P")
R = TypeVar("R")


class BrokenGameError(RefusedError):
    """The code of a game has failed; the message names the game, the method, the error and the line."""


class CodePlace(NamedTuple):
    """A line of a game's own code, and the function that it is part of."""

    function: str
    file: str
    line: int


def game_error(error: BaseException, rules: type[AnyGame]) -> BrokenGameError | None:
    """Return the error as one of this game if it came out of the game's own code when this package called it."""
    place = _own_place(error, rules)
    return BrokenGameError(f"The game {rules.__name__} is broken: {_sentence(error, place)}") if place else None


class HasGame(Protocol):
    """What calls the code of one game."""

    @property
    def game(self) -> AnyGame: ...


G = TypeVar("G", bound=HasGame)


def telling_game_errors(method: Callable[Concatenate[G, P], R]) -> Callable[Concatenate[G, P], R]:
    """Return the method, in which an error out of the game's own code is raised as BrokenGameError."""

    @wraps(method)
    def call(self: G, /, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return method(self, *args, **kwargs)
        except RefusedError:
            raise
        except Exception as error:
            if broken := game_error(error, type(self.game)):
                raise broken from error
            raise

    return call


def raised_text(error: BaseException, rules: type[AnyGame]) -> str:
    """Return what was raised and where, as in `play raises KeyError: 'boom' (rules.py:96).`"""
    place = _own_place(error, rules)
    if place is None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = CodePlace(last.name, last.filename, last.lineno or 0)
    return _sentence(error, place)


def _sentence(error: BaseException, place: CodePlace) -> str:
    text = str(error.msg) if isinstance(error, SyntaxError) else str(error)
    what = f"{type(error).__name__}: {shorten(' '.join(text.split()))}".removesuffix(": ").removesuffix(".")
    function = Path(place.file).name if place.function == "<module>" else place.function
    return f"{function} raises {what} ({place.file}:{place.line})."


def _own_place(error: BaseException, rules: type[AnyGame]) -> CodePlace | None:
    """Return the innermost line of the game's code that the error passed, or the method that was called wrongly."""
    if isinstance(error, SyntaxError) and error.filename and _stands_beside(error.filename, rules):
        return CodePlace("<module>", error.filename, error.lineno or 0)
    frames = list(traceback.walk_tb(error.__traceback__))
    own = [number for number, (frame, _) in enumerate(frames) if _is_own(frame, rules)]
    if own:
        frame, line = frames[own[-1]]
        called_by = (_kind(frame, rules) for frame, _ in reversed(frames[: own[-1]]))
        if next((kind for kind in called_by if kind), PACKAGE) != PACKAGE:
            return None  # others, such as an agent from outside, may have called it with anything
        return CodePlace(frame.f_code.co_name, frame.f_code.co_filename, line)
    code = _wrongly_called(error, frames[-1][0], rules) if isinstance(error, TypeError) and frames else None
    return CodePlace(code.co_name, code.co_filename, code.co_firstlineno) if code else None


def _is_own(frame: FrameType, rules: type[AnyGame]) -> bool:
    return _is_own_module(frame.f_globals.get("__name__", ""), rules) or _stands_beside(frame.f_code.co_filename, rules)


def _is_own_module(module: str, rules: type[AnyGame]) -> bool:
    package = rules.__module__.rpartition(".")[0]
    return module == rules.__module__ or bool(package and f"{module}.".startswith(f"{package}."))


def _stands_beside(file: str, rules: type[AnyGame]) -> bool:
    own = getattr(sys.modules.get(rules.__module__), "__file__", None)
    return bool(own) and Path(file).parent.resolve() == Path(str(own)).parent.resolve()


def _kind(frame: FrameType, rules: type[AnyGame]) -> str:
    """Return which package the frame belongs to; nothing for the game itself and for Python's own modules."""
    file = frame.f_code.co_filename
    if _is_own(frame, rules) or file.startswith("<") or (file.startswith(PYTHON) and "site-packages" not in file):
        return ""
    return str(frame.f_globals.get("__name__", "?")).partition(".")[0]


def _wrongly_called(error: TypeError, frame: FrameType, rules: type[AnyGame]) -> CodeType | None:
    """Return the code of the game's method that was called with other arguments than it takes, if that is the error."""
    name, called, _ = str(error).partition("() ")
    held: list[Any] = list(frame.f_locals.values()) if called else []
    for value in [*held, *(getattr(value, holder, None) for value in held for holder in HOLDERS)]:
        method = getattr(type(value), name.rpartition(".")[2], None)
        if getattr(method, "__qualname__", "") == name and _is_own_module(str(method.__module__), rules):
            code = getattr(method, "__code__", None)
            return code if isinstance(code, CodeType) else None
    return None
