"""Errors whose message is meant for a person, and a check that all modules share."""

from typing import Any, Self


class PicklableError(Exception):
    """An error that can cross processes, whatever arguments its class takes."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes."""
        return self._unpickled, self.args, self.__dict__

    @classmethod
    def _unpickled(cls, *args: Any) -> Self:
        return cls.__new__(cls, *args)


class RefusedError(PicklableError, ValueError):
    """Something from outside is not acceptable; the message is a sentence or two for a person."""


class MissingExtraError(RefusedError):
    """A feature needs an extra of Duelbook that is not installed."""


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise RefusedError unless low <= value <= high."""
    if not low <= value <= high:
        raise RefusedError(f"{name} must be from {low} to {high}, not {value}.")
