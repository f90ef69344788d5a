"""The rules under numba: the same source, compiled for bulk work (extra `fast`).

`jit` compiles a function whose first argument is a game. The function may call the five kernel methods of the game,
`count_legal` and `nth_legal`, which walk through the legal moves if the game does not have them, `mark_legal`, and
`class_of` and `profile_of` if they compile. Without `class_of`, the class of a state is its canonical state.
Options are run-time values, so that one compilation serves all of them.
"""

import re
from array import array
from collections.abc import Callable
from dataclasses import fields
from functools import cache, lru_cache, wraps
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numba
from numba.core import cgutils, types
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    overload,
    overload_method,
    register_jitable,
    register_model,
    typeof_impl,
    unbox,
)

from duelbook.compiled import events
from duelbook.compiled.intrinsics import count_bits, leading_zeros
from duelbook.compiled.source_hash import (
    cached_functions,
    called_functions,
    imported_hash,
    is_importable,
    kernel_methods,
    source_hash,
)
from duelbook.contract import described, verify
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, FindsMoves, MarksMoves

P = ParamSpec("P")
R = TypeVar("R")

WORD_BITS = 64
WORD_SHIFT = 6  # move >> WORD_SHIFT is the place of its word, and move & BIT_PLACE the place of its bit there
BIT_PLACE = WORD_BITS - 1
MAX_RUN = WORD_BITS - 1  # moves that are marked at once: their bits are in one word or in two
UNKNOWN_MOVE = -2  # what `mark_legal` returns instead of a count
GUIDE = "see 'Rules that compile' in the guide 'Write a game'"

_registering = RLock()  # Python 3.11 cannot parse source in two threads at once

events.watch()


class GameType(types.Type):
    """The numba type of a game: its numeric options as fields, its rules as methods."""

    def __init__(self, rules: type[AnyGame], members: tuple[tuple[str, Any], ...]) -> None:
        self.rules = rules
        self.members = members
        super().__init__(name=f"{rules.__module__}.{rules.__qualname__}{members}")


class CannotCompileError(RefusedError):
    """The rules cannot be compiled, or would not be the same game if they were. Interpreted, they may well work."""

    def __init__(self, game: AnyGame, reason: str) -> None:
        super().__init__(f"The rules of {described(game)} cannot be compiled: {reason}")
        self.reason = reason


class CompiledGame(FindsMoves, MarksMoves, Protocol):
    """A game as compiled functions know it: all of them have these methods there."""

    def canonical(self, state: Any) -> Any:
        """Return the representative of all states that play like this one: by default, the state."""
        ...

    def class_of(self, state: Any, table: Any) -> Any:
        """Return what stands for all states that play like this one: the canonical state if the game has no table."""
        ...

    def profile_of(self, state: Any, table: Any) -> Any:
        """Return what states have in common from which equally many moves lead to each class: by default, the state."""
        ...

    def mark_legal(self, state: Any, words: Any, num_moves: int, run: int) -> int:
        """Set the bits of the legal moves in the words, WORD_BITS moves in each, and clear all others.

        Return how many moves are legal, or UNKNOWN_MOVE if one is not below `num_moves`. `run` is a guess of how many
        legal moves follow each other.
        """
        ...


def jit(function: Callable[Concatenate[CompiledGame, P], R]) -> Callable[Concatenate[AnyGame, P], R]:
    """Compile a function of a game, once for each rules class, with numba's disk cache.

    A game is checked before its first call. Raise BrokenRulesError if it breaks the contract of games, and
    CannotCompileError if its rules do not compile, or play another game when they are compiled.
    """
    unchecked = jit_unchecked(function)

    @wraps(function)
    def call(game: AnyGame, /, *args: P.args, **kwargs: P.kwargs) -> R:
        _check(game)
        return unchecked(game, *args, **kwargs)

    return call


def jit_unchecked(function: Callable[Concatenate[CompiledGame, P], R]) -> Callable[Concatenate[AnyGame, P], R]:
    """Do what `jit` does, without checking the game.

    numba does not notice an edit in the rules. So the compiled copy's name holds a hash of their source, and an edited
    rule never runs old code from the disk.
    """

    @cache
    def compiled(rules: type[AnyGame]) -> Callable[Concatenate[AnyGame, P], R]:
        copy = _copy(function, f"{rules.__module__}.{rules.__qualname__}.{_register(rules)}")
        result: Callable[Concatenate[AnyGame, P], R] = jit_plain(copy, on_disk=is_importable(rules))
        return result

    @wraps(function)
    def call(game: AnyGame, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with _registering:
            known = compiled(type(game))
        try:
            return known(game, *args, **kwargs)
        except (NumbaError, UnsupportedBytecodeError) as error:
            raise CannotCompileError(game, f"{_why(error)} ({GUIDE}).") from error

    return call


def _check(game: AnyGame) -> None:
    try:
        _checked(game)
    except TypeError:
        verify(game)  # says so if the game is not hashable
        raise


@lru_cache(maxsize=256)
def _checked(game: AnyGame) -> None:
    from duelbook.compiled.agreement import check_agreement  # compiled by this module

    verify(game)
    check_agreement(game)


def _why(error: Exception) -> str:
    """Return the innermost cause in numba's explanation, and the line of the rules that it names."""
    text = str(error)
    cause = next(iter(list(re.finditer(r"Failed in nopython mode pipeline.*\n\s*(.+)", text))[-1:]), None)
    place = re.search(r'File "(.+)", line (\d+)', text[cause.end() if cause else 0 :])
    where = f" in {place[1]}, line {place[2]}" if place else ""
    return f"{(cause[1] if cause else text.partition(chr(10))[0]).strip().rstrip('.')}{where}"


def jit_plain(function: Callable[P, R], on_disk: bool = True) -> Callable[P, R]:
    """Compile a function that does not depend on the rules; use the disk cache if numba finds a writable folder.

    numba notices an edit in the file of the function only. So the compiled copy's name holds a hash of what the file
    has imported for compiled code.
    """
    copy = _copy(function, imported_hash(function))
    result: Callable[P, R]
    try:
        result = numba.njit(cache=on_disk, nogil=True)(copy)
    except RuntimeError:
        result = numba.njit(nogil=True)(copy)
    return result


def _copy(function: Callable[..., R], suffix: str) -> Callable[..., R]:
    """Return the function under a longer name, by which numba keeps what it compiles."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__qualname__ = f"{function.__qualname__}.{suffix}"
    copy.__module__ = function.__module__
    copy.__doc__ = function.__doc__
    return copy


def jit_part(function: Callable[P, R]) -> Callable[P, R]:
    """Let compiled functions call this one, which may take a game. It must stand in the same file as its callers."""
    result: Callable[P, R] = register_jitable(function)
    return result


@cache
def _register(rules: type[AnyGame]) -> str:
    """Register the rules class and the functions that its kernel calls with numba. Return the hash of their source."""
    methods = kernel_methods(rules)
    for function in set(called_functions(methods)) - set(methods):
        register_jitable(function)
    for function in called_functions(methods):
        for cached in cached_functions(function):
            _register_cached(cached)

    @typeof_impl.register(rules)
    def typeof_game(game: AnyGame, context: Any) -> GameType:
        return _type_of(game)

    return source_hash(rules, *map(str, Path(__file__).parent.glob("*.py")))


@cache
def _register_cached(cached: Any) -> None:
    """Let compiled functions call a function with a cache, which they compute each time."""

    @overload(cached, strict=False)
    def compiled(*args: Any) -> Any:
        return cached.__wrapped__


@lru_cache(maxsize=256)  # numba calls this for every call of a compiled function
def _type_of(game: AnyGame) -> GameType:
    return GameType(type(game), _members(game))


def _members(game: AnyGame) -> tuple[tuple[str, Any], ...]:
    """Return the fields that the kernel may use, with their numba types."""
    values = ((field.name, getattr(game, field.name)) for field in fields(game))
    return tuple((name, numba.typeof(value)) for name, value in values if _is_numeric(value))


def _is_numeric(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_numeric, value))
    return isinstance(value, int | array)


@register_model(GameType)
class GameModel(models.StructModel):
    def __init__(self, manager: Any, game: GameType) -> None:
        super().__init__(manager, game, list(game.members))


@infer_getattr
class GameOptions(AttributeTemplate):
    key = GameType

    def generic_resolve(self, game: GameType, name: str) -> Any:
        return dict(game.members).get(name)


@lower_getattr_generic(GameType)
def _read_option(context: Any, builder: Any, game: GameType, value: Any, name: str) -> Any:
    option = getattr(cgutils.create_struct_proxy(game)(context, builder, value=value), name)
    return impl_ret_borrowed(context, builder, dict(game.members)[name], option)


@unbox(GameType)
def _unbox_game(game: GameType, python_object: Any, c: Any) -> NativeValue:
    native = cgutils.create_struct_proxy(game)(c.context, c.builder)
    cleanups = []
    for name, kind in game.members:
        attribute = c.pyapi.object_getattr_string(python_object, name)
        option = c.unbox(kind, attribute)
        setattr(native, name, option.value)
        c.pyapi.decref(attribute)  # the game itself keeps the attribute alive
        cleanups.append(option.cleanup)
    failed = cgutils.is_not_null(c.builder, c.pyapi.err_occurred())

    def clean_up() -> None:
        for cleanup in filter(None, cleanups):
            cleanup()

    return NativeValue(native._getvalue(), is_error=failed, cleanup=clean_up)


@overload_method(GameType, "initial", strict=False)
def _initial(self: GameType) -> Any:
    return self.rules.initial


@overload_method(GameType, "mover", strict=False)
def _mover(self: GameType, state: Any) -> Any:
    return self.rules.mover


@overload_method(GameType, "legal_moves", strict=False)
def _legal_moves(self: GameType, state: Any) -> Any:
    return self.rules.legal_moves


@overload_method(GameType, "play", strict=False)
def _play(self: GameType, state: Any, move: Any) -> Any:
    return self.rules.play


@overload_method(GameType, "outcome", strict=False)
def _outcome(self: GameType, state: Any) -> Any:
    return self.rules.outcome


@overload_method(GameType, "count_legal", strict=False)
def _count_legal(self: GameType, state: Any) -> Any:
    return getattr(self.rules, "count_legal", _count_by_walking)


@overload_method(GameType, "nth_legal", strict=False)
def _nth_legal(self: GameType, state: Any, n: Any) -> Any:
    return getattr(self.rules, "nth_legal", _find_by_walking)


@overload_method(GameType, "mark_legal", strict=False)
def _mark_legal(self: GameType, state: Any, words: Any, num_moves: Any, run: Any) -> Any:
    if hasattr(self.rules, "mark_moves"):
        return mark_by_rules
    return mark_runs if hasattr(self.rules, "nth_legal") else mark_by_walking


@overload_method(GameType, "mark_moves", strict=False)
def _mark_moves(self: GameType, state: Any, words: Any) -> Any:
    return getattr(self.rules, "mark_moves", None)


@overload_method(GameType, "canonical", strict=False)
def _canonical(self: GameType, state: Any) -> Any:
    return getattr(self.rules, "canonical", lambda self, state: state)


@overload_method(GameType, "class_of", strict=False)
def _class_of(self: GameType, state: Any, table: Any) -> Any:
    return getattr(self.rules, "class_of", lambda self, state, table: self.canonical(state))


@overload_method(GameType, "profile_of", strict=False)
def _profile_of(self: GameType, state: Any, table: Any) -> Any:
    return getattr(self.rules, "profile_of", lambda self, state, table: state)


def _count_by_walking(self: AnyGame, state: Any) -> int:
    count = 0
    for _ in self.legal_moves(state):
        count += 1
    return count


def _find_by_walking(self: AnyGame, state: Any, n: int) -> int:
    for move in self.legal_moves(state):
        if n == 0:
            return move
        n -= 1
    return -1


def mark_by_rules(self: CompiledGame, state: Any, words: Any, num_moves: int, run: int) -> int:
    for place in range(len(words)):
        words[place] = 0
    self.mark_moves(state, words)
    return self.count_legal(state)


def mark_by_walking(self: CompiledGame, state: Any, words: Any, num_moves: int, run: int) -> int:
    for place in range(len(words)):
        words[place] = 0
    count = place = word = 0  # the bits of a word are gathered before they are written
    for move in self.legal_moves(state):
        if move < 0 or move >= num_moves:  # compiled code would write to any place in memory
            return UNKNOWN_MOVE
        if move >> WORD_SHIFT != place:
            words[place] |= word
            place, word = move >> WORD_SHIFT, 0
        word |= 1 << (move & BIT_PLACE)
        count += 1
    words[place] |= word
    return count


def mark_runs(self: CompiledGame, state: Any, words: Any, num_moves: int, run: int) -> int:
    """Mark moves that follow each other at once: the first and the last are as far apart as their places are."""
    for place in range(len(words)):
        words[place] = 0
    count, place, run = self.count_legal(state), 0, min(run, MAX_RUN)
    while place < count:
        first, stop = self.nth_legal(state, place), min(place + run, count)
        if self.nth_legal(state, stop - 1) - first != stop - 1 - place:
            stop = place + 1  # a wrong guess
        if first < 0 or first + stop - place > num_moves:
            return UNKNOWN_MOVE
        word, shift, bits = first >> WORD_SHIFT, first & BIT_PLACE, (1 << (stop - place)) - 1
        words[word] |= bits << shift
        words[min(word + 1, len(words) - 1)] |= bits >> 1 >> (BIT_PLACE - shift)  # those beyond the word, if any
        place = stop
    return count


@overload_method(types.Integer, "bit_length", strict=False)
def _bit_length(number: Any) -> Any:
    """Add Python's `int.bit_length` to numba's integers."""
    return lambda number: 64 - leading_zeros(abs(number))


@overload_method(types.Integer, "bit_count", strict=False)
def _bit_count(number: Any) -> Any:
    """Add Python's `int.bit_count` to numba's integers."""
    return lambda number: count_bits(abs(number))
