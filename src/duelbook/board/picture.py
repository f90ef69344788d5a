"""The picture of a position: its board as SVG, in the colours and shapes of the page's boards."""

from collections.abc import Sequence
from typing import Any

from duelbook.board.colours import INK, LOSS, ON_FELT, ON_FELT_QUIET, SEATS, SEATS_DEEP
from duelbook.board.general import board_of, fields_board, theme_of
from duelbook.board.model import AnyPart, Board, Cell, Gauge, Grid, Row, Text, Track
from duelbook.board.parts import PADDING, WIDTH, big, outline, place, ringed, table, tile, token
from duelbook.board.picking import Picking
from duelbook.board.position import Played, Position
from duelbook.board.svg import (
    MONO,
    SERIF,
    Attributes,
    Drawing,
    column,
    cut,
    element,
    grid,
    label,
    path,
    rect,
    row,
    text_width,
    wrap,
)
from duelbook.board.theme import Sign, Theme
from duelbook.game import AnyGame, Player
from duelbook.narration import named
from duelbook.text import sanitize

SEATS_AS_NAMES = ("First player", "Second player")
INSIDE = WIDTH - 2 * PADDING
MONO_EM = 0.602  # the width of a character
MAX_TEXT_SIZE, MIN_TEXT_SIZE = 30.0, 11.0
MAX_COLUMNS = 48  # a text with longer lines is prose, and is wrapped
MAX_LINES = 24
PROSE_SIZE = 20.0
MIN_CELL, SMALL_CELL, WIDE_CELL, SLOT = 40.0, 60.0, 104.0, 56.0  # their width
GAP, SMALL_GAP = 9.0, 6.0
MIN_PORTION = 0.06  # a smaller part of a gauge has no room for its text
MAX_TRACK_CELL = 84.0  # its width, with the gap after it
SIGN_BOX = 24.0
DIAMOND = "M0-3.6 3.6 0 0 3.6-3.6 0Z"
MAX_FAN = 5  # cards of a stack that are drawn far apart


def picture_of(
    game: AnyGame, state: Any, history: Sequence[Played] = (), names: Sequence[str] = SEATS_AS_NAMES
) -> Drawing:
    """Return the picture of a position: the game's own board, or the general one if it has none."""
    at = Position(game, state, history)
    return BoardPicture(board_of(at), theme_of(game), list(at.legal), at.mover, names).draw()


def position_svg(
    game: AnyGame, state: Any, history: Sequence[Played] = (), names: Sequence[str] = SEATS_AS_NAMES
) -> str:
    """Return the picture of a position as an SVG document."""
    return picture_of(game, state, history, names).document()


def fields_picture(state: Any, names: Sequence[str] = SEATS_AS_NAMES) -> Drawing:
    """Return a picture that needs nothing of the game's own code."""
    return BoardPicture(fields_board(state), Theme(), [], None, names).draw()


class BoardPicture:
    """The drawing of a board. The first player is near, the second far, as spectators see it on the page."""

    def __init__(
        self, board: Board, theme: Theme, legal: Sequence[str], mover: Player | None, names: Sequence[str]
    ) -> None:
        self._board, self._theme, self._mover, self._names = board, theme, mover, names
        self._picking = Picking(legal)

    def draw(self) -> Drawing:
        """Return the whole board."""
        near, far = (self._place(seat) for seat in (0, 1))
        middle = [part for part in self._board.middle if isinstance(part, Text)] or self._board.middle
        return table(self._theme, far, column([self._part(part, in_side=False) for part in middle], 16), near)

    def _place(self, seat: Player) -> Drawing:
        side = self._board.sides[seat]
        drawn = [self._part(part, in_side=True) for part in side.parts]
        content = column(drawn, 10) if drawn else None
        return place(self._theme, seat, self._names[seat], side.note, content, is_turn=self._mover == seat)

    def _part(self, part: AnyPart, *, in_side: bool) -> Drawing:
        match part:
            case Text():
                return text_tile(named(part.text, self._names), self._theme)
            case Gauge():
                return self._battery(part) if part.is_divided else self._bar(part)
            case Track():
                return self._track(part)
            case Grid():
                size = min(64.0, (WIDTH - 200) / max(map(len, part.rows)))
                return grid([self._square(cell, size) for cells in part.rows for cell in cells], len(part.rows[0]), 6)
            case Row():
                return self._side_row(part) if in_side else self._row(part)

    # Rows

    def _row(self, part: Row) -> Drawing:
        """Return what can be played: cells of the same size, in lines."""
        cells = [cell for cell in part.cells if cell.state != "caption"]
        is_wide = any(len(cell.text) > 3 or (cell.sign and not self._shape(cell)) for cell in cells)
        largest = WIDE_CELL if is_wide else SMALL_CELL
        counts = (*part.wrap, *range(len(cells), 0, -1))
        count = min(len(cells), next(count for count in counts if _width(count) >= MIN_CELL))
        width = min(largest, _width(count))
        has_lines = any(cell.note or (cell.sign and not self._shape(cell)) for cell in cells)
        height = 68.0 if has_lines else width * 1.1 if any(map(self._shape, cells)) else 46.0
        drawn = [
            _caption(cell.text) if cell.state == "caption" else self._cell(cell, width, height) for cell in part.cells
        ]
        return grid(drawn, count + len(drawn) - len(cells), GAP)

    def _side_row(self, part: Row) -> Drawing:
        """Return what a player has: slots, stacks of cards, or single things."""
        slots = [cell for cell in part.cells if cell.state != "caption"]
        width = min(SLOT, (INSIDE - SMALL_GAP * (len(slots) - 1)) / max(1, len(slots)))
        drawn = []
        for cell in part.cells:
            if cell.count is not None:
                drawn.append(self._stack(cell, cell.count))
            elif cell.sign:
                drawn.append(self._card(cell))
            elif cell.words or cell.owner is not None or cell.state:
                drawn.append(self._cell(cell, width, 50.0))
            else:
                drawn.append(Drawing(18, 26, label(cell.text, 9, 13, 18, ON_FELT)))
        return row(drawn, 16 if any(cell.count is not None for cell in slots) else SMALL_GAP)

    def _cell(self, cell: Cell, width: float, height: float) -> Drawing:
        """Return a cell: something to play, what stands there, or the outline of what is not there."""
        shape = self._shape(cell)
        legal = bool(self._picking.word(cell.words))
        if cell.state == "caption" or not (cell.words or cell.state or cell.sign or cell.owner is not None):
            return _caption(cell.text)
        if shape:
            drawn = self._shaped(cell, shape, width, legal=legal)
        elif cell.state == "gone":
            mark = "" if cell.owner is None else token(cell.owner, 38).at(width / 2 - 19, height / 2 - 19)
            drawn = outline(width, height, mark + label(cell.text, width / 2, height / 2, 17, INK, family=SERIF))
        elif cell.owner is not None:
            ground = rect(1, 1, width - 2, height - 2, 7, SEATS[cell.owner], stroke=INK, stroke_width=2)
            drawn = Drawing(width, height, ground + big(cell.text, width, height, 26))
        elif cell.state in ("lost", "empty"):
            size = 15.0 if cell.text.isdecimal() else 25.0
            face = big(cell.text, width, height, size, ON_FELT if size < 25 else ON_FELT_QUIET)
            if cell.state == "lost":
                face += path(f"M9 {height / 2:g}H{width - 9:g}", stroke=ON_FELT_QUIET, stroke_width=2.5)
            drawn = outline(width, height, face, radius=7)
        elif legal:
            drawn = tile(self._theme, width, height, self._face(cell, width, height, INK))
        else:
            drawn = outline(width, height, self._face(cell, width, height, ON_FELT))
        return ringed(drawn) if cell.last else drawn

    def _face(self, cell: Cell, width: float, height: float, ink: str) -> str:
        """Return the sign, the text and the note of a cell, and the tokens of those who want it."""
        wanted = "".join(token(seat, 12).at(5, height - 17 - 13 * at) for at, seat in enumerate(cell.wanted))
        sign, note = self._theme.signs.get(cell.sign), cell.note
        is_word = len(cell.text) > 3
        text = label(cell.text, 0, 0, 15, ink) if is_word else label(cell.text, 0, 0, 23, ink, family=SERIF)
        lines = [Drawing(0, 22, _sign(sign, -11, 0, 22, ink))] if sign else []
        high = 17 if is_word else 23
        lines.append(Drawing(0, high, element("g", text, transform=f"translate(0 {high / 2:g})")))
        if note:
            lines.append(Drawing(0, 15, label(note, 0, 7, 14, ink)))
        whole = column(lines, 3)
        return whole.at(width / 2, (height - whole.height) / 2) + wanted

    def _shape(self, cell: Cell) -> Sign | None:
        """Return the shape of a cell, if it has one of its own."""
        sign = self._theme.signs.get(cell.sign)
        return sign if sign and sign.is_shape else None

    def _shaped(self, cell: Cell, shape: Sign, width: float, *, legal: bool) -> Drawing:
        """Return a cell in its own shape: free, out of reach, or taken."""
        height = width * 1.1
        theme, is_gone = self._theme, cell.state == "gone"
        body: Attributes = {"stroke": INK, "fill": theme.tile_edge}
        facet: Attributes = {"stroke": theme.tile_edge, "fill": theme.tile}
        if is_gone:
            fill, edge = (theme.felt, ON_FELT) if cell.owner is None else (SEATS[cell.owner], SEATS_DEEP[cell.owner])
            body = {"stroke": edge, "fill": fill, "stroke_width": 1.2}
            facet = {"stroke": "#000", "stroke_opacity": 0.2, "fill": "#fff", "fill_opacity": 0.2}
        scale = width / SIGN_BOX * (0.95 if is_gone else 1.05)
        shadow = path(shape.path, "#000", fill_opacity=0.25, transform="translate(0 1.2)") if legal else ""
        gem = shadow + path(shape.path, **body) + "".join(path(each, **facet) for each in shape.facets)
        inset = (width - SIGN_BOX * scale) / 2
        drawn = element(
            "g",
            gem,
            transform=f"translate({inset:g} {inset + height * 0.045:g}) scale({scale:.4g})",
            opacity=0.7 if cell.state == "out" else None,
            stroke_linejoin="round",
        )
        drawn += big(cell.text, width, height, 9 + width * 0.24)
        if cell.owner is not None:
            drawn += token(cell.owner, width * 0.3).at(width * 0.7, height - width * 0.32)
        return Drawing(width, height, drawn)

    # Cards

    def _card(self, cell: Cell) -> Drawing:
        """Return a card that was played, or a sign with its text."""
        ink = INK if cell.last else ON_FELT
        size, sign = 18.0, self._theme.signs.get(cell.sign)
        width = 40 + text_width(cell.text, size)
        face = (_sign(sign, 10, 14, size, ink) if sign else "") + label(cell.text, 34, 23, size, ink, "start")
        if not cell.last or cell.owner is None:
            return Drawing(width, 46, face)
        return ringed(Drawing(width, 46, rect(0.5, 0.5, width - 1, 45, 5, SEATS[cell.owner], stroke=INK) + face), 9)

    def _stack(self, cell: Cell, count: int) -> Drawing:
        """Return cards of one kind in a hand."""
        width, height, sign = 46.0, 46.0, self._theme.signs.get(cell.sign)
        if not count:
            face = label("0", 34, 23, 18, ON_FELT) + (_sign(sign, 6, 14, 18, ON_FELT_QUIET) if sign else "")
            return outline(width, height, face, radius=5)
        step = 6.0 if count <= MAX_FAN else 3.0
        lefts, colour = [step * at for at in range(count)], self._theme.tile
        cards = [rect(left + 0.5, 0.5, width - 1, height - 1, 5, colour, stroke=INK) for left in lefts]
        left = lefts[-1]
        face = label(str(count), left + 34, 23, 18, INK) + (_sign(sign, left + 6, 14, 18, INK) if sign else "")
        return Drawing(left + width, height, "".join(cards) + face)

    # Gauges

    def _bar(self, gauge: Gauge) -> Drawing:
        """Return a bar with a part for each portion."""
        parts, left = [], 2.0
        for portion in gauge.portions:
            width = (INSIDE - 4) * portion.points / gauge.full
            parts.append(rect(left, 2, max(0.5, width - 2), 28, 3, SEATS[gauge.owner]))
            if portion.points / gauge.full >= MIN_PORTION:
                parts.append(label(portion.text, left + width / 2 - 1, 16, 17, INK))
            left += width
        ground = rect(1, 1, INSIDE - 2, 30, 8, self._theme.felt, stroke=ON_FELT, stroke_width=2)
        return Drawing(INSIDE, 32, ground + "".join(parts))

    def _battery(self, gauge: Gauge) -> Drawing:
        """Return a battery with a cell for each point; what the last move gained is marked."""
        width, height, goal = INSIDE - 12, 34.0, gauge.full
        shell = rect(1.25, 1.25, width - 2.5, height - 2.5, 9, stroke=ON_FELT, stroke_width=2.5)
        pole = rect(width + 1, height * 0.27, 8, height * 0.46, 3, ON_FELT)
        gaps = [4 if (cell + 1) % 5 == 0 and cell < goal - 1 else 1.5 for cell in range(goal)]
        each, left, cells = (width - 12 - sum(gaps)) / goal, 6.0, []
        gained = [portion.gained for portion in gauge.portions for _ in range(portion.points)]
        for at in range(goal):
            fill = SEATS[gauge.owner] if at < len(gained) else self._theme.felt
            cells.append(rect(left, 6, each, height - 12, 2.5, fill))
            if at < len(gained) and gained[at]:
                dashes: Attributes = {"stroke": INK, "stroke_width": 2, "stroke_dasharray": "4 3"}
                cells.append(rect(left + 1, 7, each - 2, height - 14, 2, **dashes))
            left += each + gaps[at]
        return Drawing(INSIDE, height, shell + pole + "".join(cells))

    # Squares and tracks

    def _square(self, cell: Cell, size: float) -> Drawing:
        """Return a square of a grid, with the tokens that stand on it."""
        ground = rect(0.5, 0.5, size - 1, size - 1, 6, self._theme.tile, stroke=self._theme.tile_edge)
        face = "" if cell.tokens else label(cell.text, size / 2, size / 2, size * 0.34, INK)
        tokens = "".join(token(seat, size * 0.6).at(size * 0.2, size * 0.2) for seat in cell.tokens)
        drawn = Drawing(size, size, ground + face + tokens)
        return ringed(drawn, 8, gap=2) if cell.last else drawn

    def _track(self, track: Track) -> Drawing:
        """Return the track with the tokens; a long one bends into rows."""
        count = len(track.cells)
        across = min(count, track.bend)
        scale = min(MAX_TRACK_CELL, WIDTH / across) / 10  # a cell is drawn 10 by 10, a row 13 high
        spots = _spots(count, across)
        line: Attributes = {"stroke": self._theme.tile_edge, "stroke_width": 4, "stroke_linecap": "round"}
        bed = path(f"M{'L'.join(f'{x:g} {y:g}' for x, y in spots)}", stroke_linejoin="round", **line)
        cells = [self._track_cell(cell, *spot) for cell, spot in zip(track.cells, spots, strict=True)]
        height = max(y for _, y in spots) + 10
        moved = element("g", bed, *cells, transform=f"scale({scale:.4g}) translate(5 5)")
        return Drawing(across * 10 * scale, height * scale, moved)

    def _track_cell(self, cell: Cell, x: float, y: float) -> str:
        """Return a cell with its number or sign, and the tokens on it; one that can be reached has a dashed edge."""
        is_reached = bool(self._picking.word(cell.words)) and self._mover is not None
        edge, dashes = (SEATS_DEEP[self._mover or 0], "1.2 0.9") if is_reached else (self._theme.tile_edge, None)
        drawn = rect(
            x - 4.5, y - 4.5, 9, 9, 1.5, self._theme.tile, stroke=edge, stroke_width=0.5, stroke_dasharray=dashes
        )
        sign = self._theme.signs.get(cell.sign)
        if not (sign or cell.tokens):
            drawn += label(cell.text, x, y, 2.6, INK)
        for seat in cell.tokens:
            body = element("circle", r=3) if seat == 0 else path(DIAMOND, SEATS[seat])
            ring = rect(-5.1, -5.1, 10.2, 10.2, 2, stroke=ON_FELT, stroke_width=0.6) if cell.last else ""
            shaped = element("g", body, fill=SEATS[seat], stroke=INK, stroke_width=0.7)
            drawn += element("g", shaped + ring, transform=f"translate({x:g} {y:g})")
        if sign:
            look: Attributes = {"stroke": INK, "stroke_width": 1.2, "stroke_linejoin": "round"}
            drawn += path(sign.path, LOSS, transform=f"translate({x - 4.3:g} {y - 4.3:g}) scale(0.36)", **look)
        return drawn


def text_tile(text: str, theme: Theme) -> Drawing:
    """Return a text on a tile, as large as it fits; long lines are wrapped."""
    width = WIDTH
    lines = sanitize(text).rstrip().split("\n")
    columns = max(8, *map(len, lines))
    if columns > MAX_COLUMNS:
        lines = [part for line in lines for part in wrap(line, (width - 40) * 0.98, PROSE_SIZE, MAX_LINES) or [""]]
        columns = max(8, *map(len, lines))
    size = max(MIN_TEXT_SIZE, min(MAX_TEXT_SIZE, (width - 40) / columns / MONO_EM))
    lines = [cut(line, 2 * width, size) for line in lines[:MAX_LINES]]
    height = 40 + 1.4 * size * len(lines)
    left = (width - columns * size * MONO_EM) / 2
    drawn = [
        label(line, max(20.0, left), 20 + 1.4 * size * (index + 0.5), size, INK, "start", MONO)
        for index, line in enumerate(lines)
    ]
    return Drawing(width, height, rect(0, 0, width, height, 12, theme.tile) + "".join(drawn))


def _caption(text: str) -> Drawing:
    width = text_width(text, 18)
    return Drawing(width, 26, label(text, width / 2, 13, 18, ON_FELT))


def _width(count: int) -> float:
    """Return the width of each of so many cells side by side."""
    return (WIDTH - GAP * (count - 1)) / count


def _sign(sign: Sign, x: float, y: float, size: float, fill: str) -> str:
    return path(sign.path, fill, transform=f"translate({x:g} {y:g}) scale({size / SIGN_BOX:.4g})")


def _spots(count: int, across: int) -> list[tuple[float, float]]:
    """Return the centres of the cells of a track: the middle row is full, and the track bends away from it."""
    before = (count - across) // 2  # cells on either side of the middle row
    rows = -(-before // across)
    spots = []
    for index in range(count):
        at, column_number = divmod(index - before, across)
        x = across - 1 - column_number if at % 2 else column_number
        spots.append((x * 10.0, (rows - at) * 13.0))
    return spots
