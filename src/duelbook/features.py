"""What the numbers of a state tell a learner: their ranges, and how they are spread over one vector.

The fields of a state say so themselves: `points: Annotated[int, UpTo("goal"), "points"]`. A field that says nothing is
one element that may be any whole number, so that every game has a vector.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import count
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from duelbook.game import AnyGame, Player

Bound = int | str | Callable[[Any], int]  # a number, the name of an option, or what the game makes of its options

ALL_BITS = -1
AS_IT_IS = -1  # instead of a symbol: the element is the number itself
FARTHEST = 1 << 63  # whole numbers are kept in 64 bits


class Cell(NamedTuple):
    """How one element comes from a number: shifted and masked, then the number itself or 1 where it is the symbol."""

    shift: int = 0
    mask: int = ALL_BITS
    symbol: int = AS_IT_IS


class UpTo(NamedTuple):
    """A number from 0 up to this one."""

    most: Bound

    def cells(self, game: AnyGame) -> Iterator[Cell]:
        yield Cell()

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return 0, max(1, _bound(game, self.most))  # a space that holds nothing but 0 is warned of


class Bits(NamedTuple):
    """A set of so many things, an element each: 1 while it is in the set."""

    things: Bound

    def cells(self, game: AnyGame) -> Iterator[Cell]:
        return (Cell(bit, 1) for bit in range(_bound(game, self.things)))

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return 0, 1


class Slots(NamedTuple):
    """So many slots, a byte each; for every slot and symbol an element: 1 while that symbol is on that slot."""

    slots: Bound
    first: int  # the number of the first symbol
    symbols: int

    def cells(self, game: AnyGame) -> Iterator[Cell]:
        symbols = range(self.first, self.first + self.symbols)
        return (Cell(8 * slot, 255, symbol) for slot in range(_bound(game, self.slots)) for symbol in symbols)

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return 0, 1


class Whole(NamedTuple):
    """A number of which nothing is known."""

    def cells(self, game: AnyGame) -> Iterator[Cell]:
        yield Cell()

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return -FARTHEST, FARTHEST


Reading = UpTo | Bits | Slots | Whole
Seat = Annotated[Player, UpTo(1), "the mover's seat: 0 first, 1 second"]


class Feature(NamedTuple):
    """One number of a state as it stands in the vector."""

    name: str
    about: str
    number: int  # which of the numbers it is: those of the state, then those of `held`
    cells: tuple[Cell, ...]
    low: int
    high: int


def features_of(game: AnyGame) -> tuple[Feature, ...]:
    """Answer what the vector of the game is made of, in order."""
    numbers = count()
    parts = [*_parts(game.initial()), *_held_parts(game)]
    return tuple(
        Feature(name, about, next(numbers), tuple(reading.cells(game)), *reading.limits(game))
        for name, reading, about in parts
    )


def numbers_of(state: Any) -> Iterator[int]:
    """Answer the numbers of a state in order, those of its parts included."""
    for part in state:
        if isinstance(part, tuple):
            yield from numbers_of(part)
        else:
            yield part


def held(game: AnyGame, mover: Player) -> tuple[int, ...]:
    """Answer what the game itself holds by seat and has a learner see: the mover's first, then the opponent's."""
    pairs = (getattr(game, name) for name in _read_fields(game))
    return tuple(pair[seat] for pair in pairs for seat in (mover, 1 - mover))


def _parts(
    state: Any, path: str = "", owner: str = "", usual: Reading | None = None
) -> Iterator[tuple[str, Reading, str]]:
    """Answer the numbers of a state in order, each with its name, its reading and what is said about it."""
    hints = get_type_hints(type(state), include_extras=True) if hasattr(state, "_fields") else {}
    for name, value in zip(getattr(state, "_fields", map(str, count())), state, strict=False):
        reading, about = _notes(hints.get(name))
        about = f"{owner} {about}".strip()
        if isinstance(value, tuple):
            yield from _parts(value, f"{path}{name}.", about, reading or usual)
        else:
            yield path + name, reading or usual or Whole(), about


def _held_parts(game: AnyGame) -> Iterator[tuple[str, Reading, str]]:
    for name, (reading, about) in _read_fields(game).items():
        for side, owner in (("mine", "the mover's"), ("theirs", "the opponent's")):
            yield f"{name}.{side}", reading, f"{owner} {about}"


def _read_fields(game: AnyGame) -> dict[str, tuple[Reading, str]]:
    """Answer the fields of the game that say how they are read."""
    hints = get_type_hints(type(game), include_extras=True)
    notes = {field.name: _notes(hints[field.name]) for field in fields(game)}
    return {name: (reading, about) for name, (reading, about) in notes.items() if reading}


def _notes(hint: Any) -> tuple[Reading | None, str]:
    """Answer the reading and the words among the annotations of a field."""
    notes = get_args(hint)[1:] if hasattr(hint, "__metadata__") else ()
    readings = [note for note in notes if isinstance(note, Reading)]
    return readings[0] if readings else None, next((note for note in notes if isinstance(note, str)), "")


def _bound(game: AnyGame, bound: Bound) -> int:
    if isinstance(bound, str):
        bound = getattr(game, bound)
        assert isinstance(bound, int)
    return bound if isinstance(bound, int) else bound(game)
