"""Parts of compiled code that Python cannot spell: the bits of a number, and states as rows of an array."""

import itertools
from collections.abc import Iterator
from typing import Any

from numba.core import cgutils, types
from numba.core.types.containers import BaseTuple
from numba.extending import intrinsic


@intrinsic
def leading_zeros(context: Any, number: Any) -> Any:
    """Return how many of the 64 bits of a number come before the first one that is set."""
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctlz(*args, cgutils.false_bit)


@intrinsic
def count_bits(context: Any, number: Any) -> Any:
    """Return how many of the 64 bits of a number are set."""
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(*args)


@intrinsic
def write_eight_bytes(context: Any, array: Any, place: Any, number: Any) -> Any:
    """Write a number of 64 bits into an array of bytes from a place on, which need not be aligned."""

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(array)(context, builder, arguments[0]).data
        start = cgutils.gep(builder, data, arguments[1])
        builder.store(arguments[2], builder.bitcast(start, arguments[2].type.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), write


@intrinsic
def write_state(context: Any, like: Any, state: Any, row: Any) -> Any:
    """Write the numbers of a state, which must have the structure of `like`, into an int64 array."""
    if _structure(state) != _structure(like):
        return None  # a type error for numba

    def write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(row)(context, builder, arguments[2]).data
        for position, (value, kind) in enumerate(_numbers(builder, arguments[1], state)):
            number = context.cast(builder, value, kind, types.int64)
            builder.store(number, cgutils.gep(builder, data, position))
        return context.get_dummy_value()

    return types.void(like, state, row), write


@intrinsic
def read_state(context: Any, like: Any, row: Any) -> Any:
    """Return the state with the structure of `like` whose numbers are in the array."""

    def read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(row)(context, builder, arguments[1]).data
        positions = itertools.count()

        def build(kind: Any) -> Any:
            if isinstance(kind, BaseTuple):
                return context.make_tuple(builder, kind, [build(part) for part in kind.types])
            number = builder.load(cgutils.gep(builder, data, next(positions)))
            return context.cast(builder, number, types.int64, kind)

        return build(like)

    return like(like, row), read


def _structure(kind: Any) -> Any:
    """Return the nesting of tuples in a state type. Numbers of all types count as equal."""
    return tuple(map(_structure, kind.types)) if isinstance(kind, BaseTuple) else None


def _numbers(builder: Any, value: Any, kind: Any) -> Iterator[tuple[Any, Any]]:
    """Return the numbers of a compiled state in order, each with its type."""
    if isinstance(kind, BaseTuple):
        for position, part in enumerate(kind.types):
            yield from _numbers(builder, builder.extract_value(value, position), part)
    else:
        yield value, kind
