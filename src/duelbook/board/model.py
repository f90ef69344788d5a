"""What lies on the table, as data: a game says it once, and every renderer draws it.

A board has a side for each player and what is between them. Its parts are rows, grids, tracks, gauges and texts.
A cell that belongs to moves has words of their names: pressing it picks these words. As soon as the words that are
picked leave a single legal move, that move is played.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct

from duelbook.game import Player

CellState = Literal["", "empty", "gone", "lost", "out", "warn", "vain", "caption"]


class Cell(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """All that can be looked at or pressed."""

    text: str = ""
    words: tuple[str, ...] = ()  # of the moves that it belongs to, such as `charge 3`, or `self 3` in `E self 3`
    owner: Player | None = None  # whose it is
    wanted: tuple[Player, ...] = ()  # who would like to have it
    tokens: tuple[Player, ...] = ()  # whose tokens stand on it
    state: CellState = ""  # empty; taken away; lost to the opponent; out of reach; costly; useless; only words
    note: str = ""  # a word or two below the text
    label: str = ""  # what a screen reader says, if not the text. It may name the first and the second player
    sign: str = ""  # the name of a drawing of the theme
    count: int | None = None  # so many of them, in a stack
    last: bool = False  # it shows the last move
    piece: str = ""  # its identity: where the same piece is drawn elsewhere, it has moved there
    origin: str = ""  # the piece that it comes from when it is new
    via: tuple[str, ...] = ()  # pieces that the token on it has passed on its way


class Row(Struct, frozen=True, omit_defaults=True, tag="row", tag_field="part"):
    """Cells side by side: a hand, a pool, slots, or what can be chosen."""

    cells: Sequence[Cell]
    label: str = ""  # what a screen reader calls it
    wrap: Sequence[int] = ()  # cells in a line, the most first; by default as many as there is room for
    is_choice: bool = False  # only what can be chosen: nothing of it lies on the table


class Grid(Struct, frozen=True, omit_defaults=True, tag="grid", tag_field="part"):
    """Rows of cells of the same size, the far player's first."""

    rows: Sequence[Sequence[Cell]]
    label: str = ""
    turns: bool = False  # it is turned for the second player, whose own end is always near


class Track(Struct, frozen=True, omit_defaults=True, tag="track", tag_field="part"):
    """Cells one after the other, from the first player's end on. It is turned for the second player."""

    cells: Sequence[Cell]
    label: str = ""
    bend: int = 11  # cells in a line; a longer track bends. An odd number keeps its middle in the middle


class Portion(Struct, frozen=True, omit_defaults=True):
    """Points of a gauge that belong together."""

    points: int
    text: str = ""
    gained: bool = False  # by the last move
    piece: str = ""
    origin: str = ""


class Gauge(Struct, frozen=True, omit_defaults=True, tag="gauge", tag_field="part"):
    """Points on the way to a goal."""

    owner: Player
    portions: Sequence[Portion]
    full: int
    is_divided: bool = False  # into single points


class Text(Struct, frozen=True, omit_defaults=True, tag="text", tag_field="part"):
    """Text as it is, in characters of the same width. It may name the first and the second player."""

    text: str


AnyPart = Row | Grid | Track | Gauge | Text


class PlayerSide(Struct, frozen=True, omit_defaults=True):
    """What a player has."""

    note: str = ""  # beside the name, such as a total
    parts: Sequence[AnyPart] = ()


class Board(Struct, frozen=True, omit_defaults=True):
    """What lies on the table. A text on it may name the first and the second player."""

    sides: tuple[PlayerSide, PlayerSide]  # of the first and of the second player
    middle: Sequence[AnyPart]
    cue: str = ""  # how to choose a move whose words are picked one after the other


EMPTY = Board((PlayerSide(), PlayerSide()), ())


def cells_of(board: Board) -> Iterator[Cell]:
    """Return all cells of a board."""
    for part in (*board.sides[0].parts, *board.middle, *board.sides[1].parts):
        if isinstance(part, Row | Track):
            yield from part.cells
        elif isinstance(part, Grid):
            yield from chain.from_iterable(part.rows)
