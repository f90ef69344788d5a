"""Where the pieces of a board stand on the screen: the far player above, the near one below, the rest between them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from duelbook.board.cells import MIN_TILE_WIDTH, TILES, Look, Piece, TextBoard, TextRow
from duelbook.game import Player

SOLID = (*TILES, Look.FIRST, Look.SECOND, Look.EMPTY, Look.CELL, Look.PICKED)  # fill the height of a tall row
TALL_LINES = 3
MAX_GAP = 3  # free lines between two parts
WAYS = ((True, True, True), (False, True, False), (False, False, False))  # which parts may be tall, the best first


class Placed(NamedTuple):
    """A piece with its place in cells."""

    piece: Piece
    x: int
    y: int
    width: int
    height: int
    mark: str = ""  # the value of the move

    def contains(self, x: int, y: int) -> bool:
        """Return True if the cell belongs to the piece."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Layout(NamedTuple):
    """The places of all pieces, and of the lines with the players' names."""

    pieces: list[Placed]
    plates: dict[Player, int]  # the line of each player's name
    height: int


def lay_out(board: TextBoard, width: int, height: int, value: Callable[[str], str]) -> Layout:
    """Return the layout, with the values of what can be pressed.

    Rows are tall, and lines stay free between the parts, where there is room for that.
    """
    near = board.near
    parts = (board.side(1 - near, width), board.middle(width), board.side(near, width))
    tall = next(parts_tall for parts_tall in WAYS if parts_tall == WAYS[-1] or _height(parts, parts_tall) <= height)
    needed = _height(parts, tall)
    free = max(0, height - needed)
    gaps = (min(MAX_GAP, (free + 1) // 2), min(MAX_GAP, free // 2))
    top = max(0, (free - sum(gaps)) // 2)
    pieces: list[Placed] = []
    plates = {1 - near: top}
    y = top + 1
    for number, part in enumerate(parts):
        if number:
            y += gaps[number - 1]
        if number == 2:
            plates[near] = y
            y += 1
        for row in part:
            lines = TALL_LINES if row.is_tall and tall[number] else 1
            pieces += _place(row, y, lines, width, value)
            y += lines
    return Layout(pieces, plates, max(height, needed))


def _height(parts: Sequence[Sequence[TextRow]], tall: tuple[bool, ...]) -> int:
    """Return the lines that all parts and the names take."""
    lines = [
        TALL_LINES if row.is_tall and is_tall else 1 for part, is_tall in zip(parts, tall, strict=True) for row in part
    ]
    return sum(lines) + 2


def _place(row: TextRow, y: int, lines: int, width: int, value: Callable[[str], str]) -> list[Placed]:
    found = [value(piece.words) if piece.words else "" for piece in row.pieces]
    widths = [_width(piece, lines, mark) for piece, mark in zip(row.pieces, found, strict=True)]
    gap = row.gap if sum(widths) + row.gap * (len(widths) - 1) <= width else 0
    x = max(0, (width - sum(widths) - gap * (len(widths) - 1)) // 2)
    placed = []
    for piece, mark, size in zip(row.pieces, found, widths, strict=True):
        high = lines if piece.look in SOLID else 1
        placed.append(Placed(piece, x, y + (lines - high) // 2, size, high, mark))
        x += size + gap
    return placed


def _width(piece: Piece, lines: int, mark: str) -> int:
    size = cell_len(piece.text)
    if piece.look in SOLID and lines > 1:
        return max(size + 2 * (piece.look in TILES), MIN_TILE_WIDTH, len(mark), cell_len(piece.note))
    if piece.look not in TILES:
        return size
    return size + 2 + len(mark)
