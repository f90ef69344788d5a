"""Flag Chase as a picture: the track from one player's end to the other's, with the flag in the middle."""

from duelbook import pictures
from duelbook.game import Player
from duelbook.games.flag_chase.rules import FlagChase, State
from duelbook.pictures.colours import INK, LOSS, ON_FELT, SEATS, SEATS_DEEP, TILE, TILE_EDGE
from duelbook.pictures.parts import WIDTH, big, outline, tile
from duelbook.pictures.svg import Drawing, column, element, label, path, rect, row

ROW_CELLS = 11  # an odd number keeps the flag in the middle
MAX_CELL = 84.0  # its width, with the gap after it
FLAG = "M-2 3V-4.5L3.5-2.5-1.2-.5V3Z"  # as in board.js, for a cell of 10 by 10
DIAMOND = "M0-3.6 3.6 0 0 3.6-3.6 0Z"


class Picture(pictures.Picture[FlagChase, State]):
    """The picture of a position in Flag Chase."""

    def note(self, seat: Player) -> str:
        left = abs(self.view["flag"] - self.view["tokens"][seat])
        return f"{left} to go" if left else "on the flag"

    def middle(self) -> Drawing:
        steps = row([self.step(cells) for cells in range(1, self.game.stride + 1)], 10)
        return column([self.track(), steps], 24)

    def track(self) -> Drawing:
        """Return the track with the tokens; a long one bends into rows."""
        cells, flag = self.view["cells"], self.view["flag"]
        across = min(cells, ROW_CELLS)
        scale = min(MAX_CELL, WIDTH / across) / 10  # a cell is drawn 10 by 10, a row 13 high
        spots = self.spots()
        bed = path(
            f"M{'L'.join(f'{x:g} {y:g}' for x, y in spots)}",
            stroke=TILE_EDGE,
            stroke_width=4,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
        parts = [bed, *(self.cell(cell, *spots[cell - 1]) for cell in range(1, cells + 1))]
        parts += [self.runner(seat, *spots[self.view["tokens"][seat] - 1]) for seat in (0, 1)]
        x, y = spots[flag - 1]
        pole = path(FLAG, LOSS, stroke=INK, stroke_width=0.4, stroke_linejoin="round")
        parts.append(element("g", pole, transform=f"translate({x:g} {y:g})"))
        height = max(y for _, y in spots) + 10
        moved = element("g", *parts, transform=f"scale({scale:.4g}) translate(5 5)")
        return Drawing(across * 10 * scale, height * scale, moved)

    def spots(self) -> list[tuple[float, float]]:
        """Return the centres of the cells: the middle row is full, and the track bends away from it."""
        count = self.view["cells"]
        across = min(count, ROW_CELLS)
        before = (count - across) // 2  # cells on either side of the middle row
        rows = -(-before // across)
        spots = []
        for index in range(count):
            at, column_number = divmod(index - before, across)
            x = across - 1 - column_number if at % 2 else column_number
            spots.append((x * 10.0, (rows - at) * 13.0))
        return spots

    def cell(self, cell: int, x: float, y: float) -> str:
        """Return a cell with its number; one that can be reached has a dashed edge."""
        mover = self.mover
        reach = mover is not None and cell in {self.ahead(mover, int(move)) for move in self.legal}
        edge, dashes = (SEATS_DEEP[mover], "1.2 0.9") if reach and mover is not None else (TILE_EDGE, None)
        ground = rect(x - 4.5, y - 4.5, 9, 9, 1.5, TILE, stroke=edge, stroke_width=0.5, stroke_dasharray=dashes)
        counted = self.view["cells"] <= ROW_CELLS and cell != self.view["flag"]
        return ground + (label(str(cell), x, y, 2.6, INK) if counted else "")

    def ahead(self, seat: Player, cells: int) -> int:
        """Return the cell so many cells further towards the flag, but not beyond it."""
        at, flag = self.view["tokens"][seat], self.view["flag"]
        reached: int = min(at + cells, flag) if seat == 0 else max(at - cells, flag)
        return reached

    def runner(self, seat: Player, x: float, y: float) -> str:
        """Return a player's token on the track."""
        body = element("circle", r=3) if seat == 0 else path(DIAMOND, SEATS[seat])
        ring = ""
        if self.last and self.last.seat == seat:
            ring = rect(-5.1, -5.1, 10.2, 10.2, 2, stroke=ON_FELT, stroke_width=0.6)
        shaped = element("g", body, fill=SEATS[seat], stroke=INK, stroke_width=0.7)
        return element("g", shaped + ring, transform=f"translate({x:g} {y:g})")

    def step(self, cells: int) -> Drawing:
        """Return the button of a move, or its outline."""
        legal = str(cells) in self.legal
        ink = INK if legal else ON_FELT
        face = big(str(cells), 58, 50, 24, ink) + label("cell" if cells == 1 else "cells", 29, 50, 15, ink)
        return tile(58, 68, face) if legal else outline(58, 68, face)
