"""The examples of a rule book, as moves: an audit replays them. A game's are in its `examples.py`."""

from typing import NamedTuple


class Example(NamedTuple):
    """A game or a part of one that a book tells, with what the book says came of it."""

    title: str
    moves: tuple[str, ...]
    winner: str = ""  # `first` or `second` if the book names one
    ruling: str = ""  # what settles it where the example breaks the rules
