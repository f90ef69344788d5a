"""The observation vector of a game: the numbers of a state with their ranges, laid out for a learning agent.

The fields of a state declare their encoding: `points: Annotated[int, UpTo("goal"), "points"]`. A field without a
declaration is one element that may be any whole number, so that every game has a vector.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import count
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from duelbook.game import AnyGame, Player
from duelbook.options import drawn_options

Bound = int | str | Callable[[Any], int]  # a number, the name of an option, or a function of the game

ALL_BITS = -1
NO_SYMBOL = -1  # the element is the number itself
MAX_WHOLE = 1 << 63  # numbers are stored in 64 bits


class Element(NamedTuple):
    """How an element is computed from a number: shift and mask it, then compare it with the symbol, if there is one."""

    shift: int = 0
    mask: int = ALL_BITS
    symbol: int = NO_SYMBOL

    def read(self, number: int) -> int:
        """Return the element for this number, of any size."""
        found = number >> self.shift & self.mask
        return found if self.symbol == NO_SYMBOL else int(found == self.symbol)


class ObservedPart(NamedTuple):
    """Elements that follow each other and come from one number, which compiled code writes together.

    They are the bits of the number from `shift` on, or 1 for the symbol that it holds, or a single element.
    """

    number: int
    shift: int
    mask: int
    symbol: int  # the first, or NO_SYMBOL
    start: int  # the place of the first element
    length: int

    def continued(self, number: int, element: Element) -> bool:
        """Return True if the element can be the next one of this part."""
        if self.symbol != NO_SYMBOL:
            return (number, *element) == (self.number, self.shift, self.mask, self.symbol + self.length)
        return self.mask == 1 and (number, *element) == (self.number, self.shift + self.length, 1, NO_SYMBOL)


def observed_parts(elements: Iterable[tuple[int, Element]]) -> list[ObservedPart]:
    """Return the elements, each with the index of its number, as parts."""
    parts: list[ObservedPart] = []
    for place, (number, element) in enumerate(elements):
        if parts and parts[-1].continued(number, element):
            parts[-1] = parts[-1]._replace(length=parts[-1].length + 1)
        else:
            parts.append(ObservedPart(number, *element, place, 1))
    return parts


class UpTo(NamedTuple):
    """A number from 0 to the maximum."""

    maximum: Bound

    def elements(self, game: AnyGame) -> Iterator[Element]:
        yield Element()

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return 0, max(1, _bound(game, self.maximum))  # Gymnasium warns of a space with only one value


class Bits(NamedTuple):
    """A set of things as a bit mask, one element per thing: 1 if it is in the set."""

    things: Bound

    def elements(self, game: AnyGame) -> Iterator[Element]:
        return (Element(bit, 1) for bit in range(_bound(game, self.things)))

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return 0, 1


class Slots(NamedTuple):
    """Slots of one byte each. There is an element for every slot and symbol: 1 if that symbol is on that slot."""

    slots: Bound
    first: int  # the code of the first symbol
    symbols: int

    def elements(self, game: AnyGame) -> Iterator[Element]:
        symbols = range(self.first, self.first + self.symbols)
        return (Element(8 * slot, 255, symbol) for slot in range(_bound(game, self.slots)) for symbol in symbols)

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return 0, 1


class Whole(NamedTuple):
    """A number of unknown range."""

    def elements(self, game: AnyGame) -> Iterator[Element]:
        yield Element()

    def limits(self, game: AnyGame) -> tuple[int, int]:
        return -MAX_WHOLE, MAX_WHOLE


Encoding = UpTo | Bits | Slots | Whole
Seat = Annotated[Player, UpTo(1), "the mover's seat: 0 first, 1 second"]


class Feature(NamedTuple):
    """One number of a state and its elements in the vector."""

    name: str
    about: str
    number: int  # its index: the numbers of the state come first, then those of `shown_options`
    elements: tuple[Element, ...]
    low: int
    high: int


def features_of(game: AnyGame) -> tuple[Feature, ...]:
    """Return the features of the game's vector, in order."""
    numbers = count()
    parts = [*_parts(game.initial()), *_option_parts(game)]
    return tuple(
        Feature(name, about, next(numbers), tuple(encoding.elements(game)), *encoding.limits(game))
        for name, encoding, about in parts
    )


def numbers_of(state: Any) -> list[int]:
    """Return the numbers of a state in order, including those of nested tuples."""
    numbers: list[int] = []
    for part in state:
        if isinstance(part, tuple):
            numbers += numbers_of(part)
        else:
            numbers.append(part)
    return numbers


def state_from_numbers(like: Any, numbers: Iterator[int]) -> Any:
    """Return a state of the same type as `like` with these numbers."""
    parts = [state_from_numbers(part, numbers) if isinstance(part, tuple) else next(numbers) for part in like]
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def states_from_columns(like: Any, columns: Iterator[list[int]]) -> list[Any]:
    """Return states of the same type as `like`: the numbers of all of them in order, those of each place together."""
    parts = [states_from_columns(part, columns) if isinstance(part, tuple) else next(columns) for part in like]
    make: Callable[..., Any] = type(like)._make if hasattr(like, "_fields") else tuple
    return list(map(make, zip(*parts, strict=True)))


def number_names(state: Any) -> list[str]:
    """Return the names of the numbers of a state in order, as in `mine.points`."""
    return [name for name, _, _ in _parts(state)]


def shown_options(game: AnyGame, mover: Player) -> tuple[int, ...]:
    """Return the options that a learner sees, as numbers; of those by seat the mover's, then the opponent's."""
    return tuple(number for field in _shown_fields(game) for number in field.numbers(game, mover))


def _parts(
    state: Any, path: str = "", owner: str = "", inherited: Encoding | None = None
) -> Iterator[tuple[str, Encoding, str]]:
    """Return the numbers of a state in order, each with its name, encoding and description."""
    hints = get_type_hints(type(state), include_extras=True) if hasattr(state, "_fields") else {}
    for name, value in zip(getattr(state, "_fields", map(str, count())), state, strict=False):
        encoding, about = _notes(hints.get(name))
        about = f"{owner} {about}".strip()
        if isinstance(value, tuple):
            yield from _parts(value, f"{path}{name}.", about, encoding or inherited)
        else:
            yield path + name, encoding or inherited or Whole(), about


class _ShownField(NamedTuple):
    """A field of a game that a learner sees: one number, a list of numbers, or one number for each seat."""

    name: str
    encoding: Encoding
    about: str
    by_seat: bool

    def numbers(self, game: AnyGame, mover: Player) -> tuple[int, ...]:
        value = getattr(game, self.name)
        if self.by_seat:
            return value[mover], value[1 - mover]
        return value if isinstance(value, tuple) else (value,)

    def parts(self, game: AnyGame) -> Iterator[tuple[str, Encoding, str]]:
        """Return the numbers of the field in order, each with its name, encoding and description."""
        if self.by_seat:
            yield f"{self.name}.mine", self.encoding, f"the mover's {self.about}"
            yield f"{self.name}.theirs", self.encoding, f"the opponent's {self.about}"
            return
        value = getattr(game, self.name)
        for place in range(len(value)) if isinstance(value, tuple) else [None]:
            yield self.name if place is None else f"{self.name}.{place}", self.encoding, self.about


def _option_parts(game: AnyGame) -> Iterator[tuple[str, Encoding, str]]:
    return (part for field in _shown_fields(game) for part in field.parts(game))


def _shown_fields(game: AnyGame) -> Iterator[_ShownField]:
    """Return the fields that declare an encoding, and the drawn ones of whole numbers: these differ between matches."""
    hints, drawn = get_type_hints(type(game), include_extras=True), drawn_options(type(game))
    for field in fields(game):
        hint = hints[field.name]
        encoding, about = _notes(hint)
        kind = hint.__origin__ if hasattr(hint, "__metadata__") else hint
        if encoding is None and field.name in drawn and int in (kind, *get_args(kind)):
            encoding = Whole()
        if encoding is not None:  # Whole() is empty, and so counts as False
            yield _ShownField(field.name, encoding, about, by_seat=get_args(kind) == (int, int))


def _notes(hint: Any) -> tuple[Encoding | None, str]:
    """Return the encoding and the description among the annotations of a field."""
    notes = get_args(hint)[1:] if hasattr(hint, "__metadata__") else ()
    encodings = [note for note in notes if isinstance(note, Encoding)]
    return encodings[0] if encodings else None, next((note for note in notes if isinstance(note, str)), "")


def _bound(game: AnyGame, bound: Bound) -> int:
    if isinstance(bound, str):
        bound = getattr(game, bound)
        assert isinstance(bound, int)
    return bound if isinstance(bound, int) else bound(game)
