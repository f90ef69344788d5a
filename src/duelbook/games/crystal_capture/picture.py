"""Crystal Capture as a picture: the crystals between the players, and a bar for each that fills up to the goal."""

from duelbook import pictures
from duelbook.game import PASS, Player
from duelbook.games.crystal_capture.rules import CrystalCapture, State
from duelbook.pictures.colours import FELT, INK, ON_FELT, SEATS, SEATS_DEEP, TILE, TILE_EDGE
from duelbook.pictures.parts import WIDTH, big, ringed, token
from duelbook.pictures.svg import Drawing, Look, element, grid, label, path, rect

INSIDE = WIDTH - 40
BODY = "M20 2 37 12V32L20 42 3 32V12Z"  # a crystal as in board.js, 40 by 44
FACETS = ("M20 2 37 12 31 15.5 20 9 9 15.5 3 12Z", "M20 9 31 15.5V28.5L20 35 9 28.5V15.5Z")
FEW_CRYSTALS = 12
MIN_NUMBER_SHARE = 0.06  # a smaller part of the bar has no room for a number


class Picture(pictures.Picture[CrystalCapture, State]):
    """The picture of a position in Crystal Capture."""

    def note(self, seat: Player) -> str:
        return f"{self.view['totals'][seat]} of {self.view['goal']}"

    def side(self, seat: Player) -> Drawing:
        taken = [int(played.move) for played in self.history if played.seat == seat and played.move != PASS]
        total, goal = self.view["totals"][seat], self.view["goal"]
        parts, left = [], 2.0
        for worth in taken if sum(taken) == total else [total] if total else []:
            width = (INSIDE - 4) * worth / goal
            parts.append(rect(left, 2, max(0.5, width - 2), 28, 3, SEATS[seat]))
            if worth / goal >= MIN_NUMBER_SHARE:
                parts.append(label(str(worth), left + width / 2 - 1, 16, 17, INK))
            left += width
        ground = rect(1, 1, INSIDE - 2, 30, 8, FELT, stroke=ON_FELT, stroke_width=2)
        return Drawing(INSIDE, 32, ground + "".join(parts))

    def middle(self) -> Drawing:
        count = self.game.crystals
        columns = count if count <= FEW_CRYSTALS else 10
        size = min(62.0, (WIDTH - 8 * (columns - 1)) / columns)
        return grid((self.crystal(number, size) for number in range(1, count + 1)), columns, 8)

    def crystal(self, number: int, size: float) -> Drawing:
        """Return a crystal: free, too large for the player to move, or taken."""
        taker = next((played.seat for played in self.history if played.move == str(number)), None)
        gone = number not in self.view["pool"]
        out = not gone and self.mover is not None and str(number) not in self.legal
        height = size * 1.1
        body: Look = {"stroke": INK, "fill": TILE_EDGE}
        facet: Look = {"stroke": TILE_EDGE, "fill": TILE}
        if gone:
            fill, edge = (SEATS[taker], SEATS_DEEP[taker]) if taker is not None else (FELT, ON_FELT)
            body, facet = {"stroke": edge, "fill": fill, "stroke_width": 2}, {"stroke": "#000", "stroke_opacity": 0.2}
            facet |= {"fill": "#fff", "fill_opacity": 0.2}
        gem = path(BODY, **body) + "".join(path(each, **facet) for each in FACETS)
        scale = size / 40 * (0.9 if gone else 1.0)
        inset = size * 0.05 if gone else 0.0
        shadow = "" if gone or out else path(BODY, "#000", fill_opacity=0.25, transform="translate(0 2)")
        drawn = element(
            "g",
            shadow + gem,
            transform=f"translate({inset:g} {inset * 1.1:g}) scale({scale:.4g})",
            opacity=0.7 if out else None,
            stroke_linejoin="round",
        )
        drawn += big(str(number), size, height, 9 + size * 0.24)
        if taker is not None:
            drawn += token(taker, size * 0.3).at(size * 0.7, height - size * 0.32)
        crystal = Drawing(size, height, drawn)
        return ringed(crystal, 10, gap=2) if self.last and self.last.move == str(number) else crystal
