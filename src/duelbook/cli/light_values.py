"""Values of the command line that need little conversion, so that most commands start without Pydantic.

Typer converts every value with Pydantic, also text and values that are not given, and Pydantic takes longer to load
than all else that a game of two people needs.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args, get_origin

MAX_DIGITS = 15  # of a number that is converted here


class LightConversion:
    """Returns what is text, or not given, as it is, and converts plain numbers. Typer converts and checks the rest."""

    def __init__(self, full_conversion: Callable[[], Any]) -> None:
        self._full_conversion = full_conversion

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value in the type of the parameter, or raise Typer's BadParameter."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        annotation = param.type_descriptor.annotation
        if type(value) is annotation:  # text where text is wanted, or a default
            return value
        if get_args(annotation) == (str,) and param.multiple:
            return list(value)
        if get_origin(annotation) is Literal and value in get_args(annotation):
            return value
        if annotation is int and _is_plain_number(value) and _is_allowed(int(value), param.type_descriptor):
            return int(value)
        return self._full_conversion().coerce(value, param=param, ctx=ctx)


def _is_plain_number(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= MAX_DIGITS


def _is_allowed(number: int, descriptor: Any) -> bool:
    """Return True if the number is in the range of the parameter. Typer says what is wrong with any other."""
    smallest, largest = descriptor.parameter_info.min, descriptor.parameter_info.max
    return (smallest is None or number >= smallest) and (largest is None or number <= largest)


def lighten(parameters: Iterable[Any]) -> None:
    """Give parameters of Typer the light conversion. A version of Typer without Pydantic is not affected."""
    for parameter in parameters:
        full_conversion = getattr(parameter, "get_runtime_param", None)
        if full_conversion and "get_runtime_param" not in vars(parameter):
            light = LightConversion(full_conversion)
            parameter.get_runtime_param = lambda light=light: light
