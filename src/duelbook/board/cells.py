"""A board as rows of text pieces, for a terminal: what each piece is and whether it can be pressed, not its colours."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from duelbook.board.model import AnyPart, Board, Cell, Gauge, Grid, Portion, Row, Text, Track
from duelbook.board.picking import Picking
from duelbook.board.theme import Theme
from duelbook.game import Player
from duelbook.narration import named
from duelbook.text import sanitize

TOKENS = ("●", "◆")  # of the first and the second player, as on the page
MIN_WIDTH = 20  # of a board
MIN_TILE_WIDTH = 5
MAX_POINT_COLUMNS = 3  # of a gauge
CELL_WIDTH = 5  # of a track or a grid
MAX_SAME_WIDTH = 3  # up to which the texts of a row are made equally long
STILL_GAP = 2  # between pieces that nobody presses
GONE = "·"


class Look(StrEnum):
    """What a piece is, which decides how it looks."""

    PLAIN = "plain"
    QUIET = "quiet"
    FIRST = "first"  # in the colour of the first player
    SECOND = "second"
    FIRST_TEXT = "first text"  # text in the colour of the first player
    SECOND_TEXT = "second text"
    EMPTY = "empty"  # an empty part of a gauge, an empty slot or cell
    CELL = "cell"  # one of these that can be pressed, or reached
    PICKED = "picked"
    TILE = "tile"  # something to play
    GONE = "gone"  # what was a tile, or cannot be played now


TILES = (Look.TILE, Look.GONE)  # drawn with a space on both sides
SEAT_LOOKS = (Look.FIRST, Look.SECOND)
SEAT_TEXTS = (Look.FIRST_TEXT, Look.SECOND_TEXT)
FRAMED = (Look.FIRST, Look.SECOND, Look.EMPTY, Look.CELL, Look.PICKED)  # blocks with a space on both sides


class Piece(NamedTuple):
    """A text on the board. It can be pressed if it has words."""

    text: str
    look: Look = Look.PLAIN
    words: str = ""  # that pressing it picks
    last: bool = False  # it shows the last move
    note: str = ""


class TextRow(NamedTuple):
    """Pieces side by side, with gaps between them. A tall row takes three lines where there is room."""

    pieces: Sequence[Piece]
    gap: int = 1
    is_tall: bool = False


class TextBoard:
    """A board for a terminal. `picking` knows what can be picked, and `is_open` says whether anybody may."""

    def __init__(
        self,
        board: Board,
        theme: Theme,
        picking: Picking,
        names: Sequence[str],
        *,
        near: Player = 0,
        is_open: bool = False,
    ) -> None:
        self.board, self.theme, self.picking, self.near, self.is_open = board, theme, picking, near, is_open
        self._names = names  # of the players, by seat

    def note(self, seat: Player) -> str:
        """Return what stands beside a player's name, such as a total."""
        return self.board.sides[seat].note

    def side(self, seat: Player, width: int) -> list[TextRow]:
        """Return what a player has, in so many columns."""
        return self._rows(self.board.sides[seat].parts, width)

    def middle(self, width: int) -> list[TextRow]:
        """Return what is between the players."""
        return self._rows(self.board.middle, width)

    def _rows(self, parts: Iterable[AnyPart], width: int) -> list[TextRow]:
        return [row for part in parts for row in self._part(part, max(MIN_WIDTH, width))]

    def _part(self, part: AnyPart, width: int) -> list[TextRow]:
        match part:
            case Text():
                lines = sanitize(named(part.text, self._names)).rstrip().split("\n")
                return [*(TextRow([Piece(line)]) for line in _aligned(lines)), TextRow([])]
            case Gauge():
                return [_gauge(part, width)]
            case Grid():
                rows = [row[::-1] for row in part.rows[::-1]] if part.turns and self.near else part.rows
                return [TextRow([self._piece(cell, CELL_WIDTH) for cell in row], 0, True) for row in rows]
            case Track():
                return self._track(part)
            case Row():
                return self._row(part, width)

    def _track(self, track: Track) -> list[TextRow]:
        cells = track.cells[::-1] if self.near else track.cells
        pieces = [self._piece(cell, CELL_WIDTH) for cell in cells]
        if len(pieces) > track.bend:
            pieces += [Piece(" " * CELL_WIDTH)] * (-len(pieces) % track.bend)  # the last line stands below the others
        rows = [TextRow(pieces[at : at + track.bend], 0, True) for at in range(0, len(pieces), track.bend)]
        return [*rows, TextRow([])]

    def _row(self, row: Row, width: int) -> list[TextRow]:
        pieces = [self._piece(cell) for cell in row.cells]
        if not any(cell.words for cell in row.cells):
            return [TextRow(pieces, STILL_GAP)]
        signs = {cell.sign for cell in row.cells}
        if len(signs) == 1 and (sign := signs.pop()) and not self._is_drawn(sign):
            pieces.insert(0, Piece(sign, Look.QUIET))
        same = min(MAX_SAME_WIDTH, max(len(piece.text) for piece in pieces))
        pieces = [piece._replace(text=piece.text.center(same)) for piece in pieces]
        per_row = next((count for count in row.wrap if sum(map(_room, pieces[:count])) <= width + 1), 0)
        return _wrapped(pieces, width, per_row)

    def _is_drawn(self, sign: str) -> bool:
        """Return True if the sign is the shape of its cell, or a character stands for it."""
        found = self.theme.signs.get(sign)
        return found is not None and (found.is_shape or bool(found.character))

    def _piece(self, cell: Cell, width: int = 0) -> Piece:
        """Return a cell as a piece. A cell of a track or a grid has a width, and no shape of its own."""
        words = self.picking.word(cell.words)
        look = self._look(cell, is_legal=bool(words), is_tile=not width)
        text = self._face(cell)
        if look is Look.CELL and width:
            text = f"›{text.strip()}‹"
        framed = f" {text} " if look in FRAMED and not width else text.center(width)
        return Piece(framed, look, words if self.is_open else "", cell.last, cell.note)

    def _look(self, cell: Cell, *, is_legal: bool, is_tile: bool) -> Look:
        if any(words in self.picking.picked for words in cell.words):
            return Look.PICKED
        if cell.state == "caption":
            return Look.PLAIN if cell.last else Look.QUIET
        if cell.state == "gone":
            return Look.QUIET if cell.owner is None else SEAT_TEXTS[cell.owner]
        if cell.tokens or cell.owner is not None:
            return SEAT_LOOKS[cell.tokens[0] if cell.tokens else cell.owner or 0]
        if cell.state == "lost":
            return Look.QUIET
        if cell.state == "empty" or not is_tile:
            return Look.CELL if is_legal else Look.EMPTY
        if cell.words:
            return Look.TILE if is_legal else Look.GONE
        return Look.PLAIN

    def _face(self, cell: Cell) -> str:
        """Return the text of a cell, with the tokens that belong to it."""
        found = self.theme.signs.get(cell.sign)
        character = found.character if found else ""
        if cell.tokens:
            return "".join(TOKENS[seat] for seat in cell.tokens) + character
        if cell.state == "gone":
            return (GONE if cell.owner is None else f"{TOKENS[cell.owner]}{cell.text}").center(MIN_TILE_WIDTH)
        if cell.state == "lost":
            return f"✗{cell.text} "
        if cell.count is not None:
            return f"{cell.text} ×{cell.count}"
        if cell.sign and not cell.words and not self._is_drawn(cell.sign) and cell.text.isdecimal():
            return f"{cell.sign} {cell.text}"
        return (character or cell.text) + "".join(TOKENS[seat] for seat in cell.wanted)


def _gauge(gauge: Gauge, width: int) -> TextRow:
    """Return a bar with a part for each portion, and one for the points that are missing."""
    columns = min(MAX_POINT_COLUMNS * gauge.full, width - 4)
    pieces, done, end = [Piece("▕")], 0, 0
    missing = Portion(gauge.full - sum(portion.points for portion in gauge.portions))
    for portion in (*gauge.portions, missing):
        done += portion.points
        begin, end = end, columns * done // gauge.full
        look = Look.EMPTY if portion is missing else SEAT_LOOKS[gauge.owner]
        text = "·" * (end - begin) if portion is missing else _portion(portion, end - begin)
        pieces.append(Piece(text, look, last=portion.gained))
    return TextRow([piece for piece in (*pieces, Piece("▏")) if piece.text], gap=0)


def _portion(portion: Portion, columns: int) -> str:
    """Return a portion with a line after it, or as many signs as it has columns if it has no text."""
    if not portion.text:
        return ("+" if portion.gained else " ") * columns
    return f"{portion.text.center(columns - 1)}│" if columns > len(portion.text) else "│" * columns


def _aligned(lines: Sequence[str]) -> list[str]:
    """Return lines of the same length, so that a drawing stays one when each line is centred."""
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def _room(piece: Piece) -> int:
    """Return the columns that a piece takes in a row that is tall, with a gap."""
    return max(MIN_TILE_WIDTH, len(piece.text) + 2 * (piece.look in TILES), len(piece.note)) + 1


def _wrapped(pieces: Iterable[Piece], width: int, per_row: int) -> list[TextRow]:
    """Return the pieces in as many tall rows as they need, with at most so many in each, or any number if it is 0."""
    rows: list[list[Piece]] = [[]]
    used = 0
    for piece in pieces:
        room = _room(piece)
        if rows[-1] and (used + room > width or len(rows[-1]) == per_row):
            rows.append([])
            used = 0
        rows[-1].append(piece)
        used += room
    return [TextRow(row, is_tall=True) for row in rows if row]
