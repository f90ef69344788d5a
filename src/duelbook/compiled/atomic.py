"""Atomic operations on arrays in compiled code, for threads that share them (extra `fast`)."""

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic


@intrinsic
def atomic_add(context: Any, array: Any, place: Any, number: Any) -> Any:
    """Add a number to an element of the array. Return what the element was before."""
    return _operation("add", array, place, number)


@intrinsic
def atomic_or(context: Any, array: Any, place: Any, bits: Any) -> Any:
    """Set bits in an element of the array. Return what the element was before."""
    return _operation("or", array, place, bits)


@intrinsic
def compare_and_swap(context: Any, array: Any, place: Any, expected: Any, new: Any) -> Any:
    """Set an element of the array if it is what was expected. Return what it was before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        old, replacement = (
            context.cast(builder, arguments[number], signature.args[number], array.dtype) for number in (2, 3)
        )
        result = builder.cmpxchg(pointer, old, replacement, "monotonic", "monotonic")
        return builder.extract_value(result, 0)

    return array.dtype(array, place, expected, new), generate


def _operation(name: str, array: Any, place: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature, arguments)
        operand = context.cast(builder, arguments[2], signature.args[2], array.dtype)
        return builder.atomic_rmw(name, pointer, operand, "monotonic")

    return array.dtype(array, place, number), generate


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    place = context.cast(builder, arguments[1], signature.args[1], types.intp)
    return cgutils.gep(builder, data, place)
