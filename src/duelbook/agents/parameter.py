"""What may follow an agent's name after a colon, and how it is read."""

from typing import Any, NamedTuple, Protocol

from duelbook.errors import RefusedError
from duelbook.text import sanitize, shorten

LONGEST = 400  # characters, so that a record can hold the whole name


class Parameter(Protocol):
    """What an agent is told in its name, as in `search:4`."""

    @property
    def name(self) -> str: ...

    def read(self, text: str | None) -> Any:
        """Answer what the text after the colon means, None being no colon; refuse what it cannot be."""
        ...


class Number(NamedTuple):
    """A whole number from 1 on, which may be left out."""

    name: str
    default: int
    most: int

    def read(self, text: str | None) -> int:
        if text is None:
            return self.default
        if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= self.most):
            raise RefusedError(f"{self.name} must be from 1 to {self.most}")
        return int(text)


class Text(NamedTuple):
    """Any text, which has to be there."""

    name: str
    example: str

    def read(self, text: str | None) -> str:
        words = (text or "").strip()
        if not words:
            raise RefusedError(f"{self.name} is missing, as in '{self.example}'")
        if len(words) > LONGEST or sanitize(words) != words or "\n" in words:
            raise RefusedError(f"{self.name} must be one line of at most {LONGEST} characters")
        return words


def read_parameter(parameter: Parameter, agent: str) -> Any:
    """Answer what the agent's name says behind its colon, or refuse it with the whole name."""
    _, colon, text = agent.partition(":")
    try:
        return parameter.read(text if colon else None)
    except RefusedError as error:
        raise RefusedError(f"'{shorten(agent)}': {error}") from error
