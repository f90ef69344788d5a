"""What the boards of all games are made of: tokens, tiles, the places of the players, and the felt below them."""

from duelbook.board.colours import INK, ON_FELT, ON_FELT_QUIET, SEATS
from duelbook.board.svg import (
    SANS,
    SERIF,
    Attributes,
    Drawing,
    column,
    cut,
    element,
    label,
    path,
    rect,
    text_width,
)
from duelbook.board.theme import Theme
from duelbook.game import Player

WIDTH = 600.0  # of a board
PADDING = 20.0
PLATE_HEIGHT = 34.0
NAME_SIZE = 20.0


def token(seat: Player, size: float = 22) -> Drawing:
    """Return a player's token: a circle for the first player, a diamond for the second."""
    half, line = size / 2, size / 9
    look: Attributes = {"fill": SEATS[seat], "stroke": INK, "stroke_width": line}
    if seat == 0:
        return Drawing(size, size, element("circle", cx=half, cy=half, r=half - line / 2, **look))
    far, near = size - line / 2, line / 2
    return Drawing(
        size,
        size,
        element(
            "path",
            d=f"M{half:g} {near:g} {far:g} {half:g} {half:g} {far:g} {near:g} {half:g}Z",
            stroke_linejoin="round",
            **look,
        ),
    )


def tile(theme: Theme, width: float, height: float, content: str = "", *, radius: float = 8) -> Drawing:
    """Return a tile that can be played, with what is on it."""
    shadow = rect(0, 4, width, height, radius, "#000", fill_opacity=0.22)
    edge = rect(0, 2, width, height, radius, theme.tile_edge)
    face = rect(0.5, 0.5, width - 1, height - 1, radius, theme.tile, stroke=theme.tile_edge)
    return Drawing(width, height, shadow + edge + face + content)


def outline(width: float, height: float, content: str = "", *, radius: float = 8) -> Drawing:
    """Return a dashed outline, for what is not there or cannot be played."""
    look: Attributes = {"stroke": ON_FELT_QUIET, "stroke_width": 1.5, "stroke_dasharray": "5 4"}
    return Drawing(width, height, rect(0.75, 0.75, width - 1.5, height - 1.5, radius, **look) + content)


def ringed(drawing: Drawing, radius: float = 12, gap: float = 5) -> Drawing:
    """Return the drawing with a line around it: it was played last."""
    width, height = drawing.width + 2 * gap, drawing.height + 2 * gap
    ring = rect(-gap, -gap, width, height, radius, stroke=ON_FELT, stroke_width=2.5)
    return drawing._replace(markup=drawing.markup + ring)


def big(text: str, width: float, height: float, size: float, fill: str = INK) -> str:
    """Return a letter or a number in the middle of a tile."""
    return label(text, width / 2, height / 2, size, fill, family=SERIF)


def place(
    theme: Theme, seat: Player, name: str, note: str, content: Drawing | None = None, *, is_turn: bool = False
) -> Drawing:
    """Return a player's place: token and name, whether it is their turn, a note such as a total, and what they have."""
    width, inside = WIDTH, WIDTH - 2 * PADDING
    note_width = text_width(note, NAME_SIZE) if note else 0.0
    turn_width = text_width("To move", 15) + 20 if is_turn else 0.0
    shown = cut(name, inside - 34 - note_width - turn_width - 30, NAME_SIZE)
    middle = 12 + PLATE_HEIGHT / 2
    plate = [
        token(seat).at(PADDING, middle - 11),
        label(shown, PADDING + 34, middle, NAME_SIZE, ON_FELT, "start"),
        label(note, width - PADDING, middle, NAME_SIZE, ON_FELT, "end") if note else "",
    ]
    if is_turn:
        left = width - PADDING - note_width - turn_width - (10 if note else 0)
        plate.append(rect(left, middle - 14, turn_width, 28, 14, SEATS[seat]))
        plate.append(label("To move", left + turn_width / 2, middle, 15, INK, family=SANS))
    height = 24 + PLATE_HEIGHT + (content.height + 8 if content else 0)
    below = content.at((width - content.width) / 2, 16 + PLATE_HEIGHT) if content else ""
    edge = SEATS[seat] if is_turn else theme.felt_line
    ground = rect(1, 1, width - 2, height - 2, 12, theme.felt_deep, stroke=edge, stroke_width=2 if is_turn else 1.5)
    return Drawing(width, height, ground + "".join(plate) + below)


def table(theme: Theme, far: Drawing, middle: Drawing, near: Drawing) -> Drawing:
    """Return a board: the far player's place, what is between the players, and the near player's place."""
    content = column([far, middle, near], 24)
    width, height = content.width + 2 * PADDING, content.height + 2 * PADDING
    shades = element("stop", offset=0, stop_color=theme.felt) + element("stop", offset=1, stop_color=theme.felt_deep)
    name = f"felt-{theme.felt[1:]}"  # several boards may stand in one document
    light = element("radialGradient", shades, id=name, cx="50%", cy="0%", r="110%")
    ground = rect(0.75, 0.75, width - 1.5, height - 1.5, 22, f"url(#{name})", stroke=theme.felt_line, stroke_width=1.5)
    return Drawing(width, height, element("defs", light) + ground + content.at(PADDING, PADDING))


def brand(size: float) -> Drawing:
    """Return the sign of Duelbook."""
    ring: Attributes = {"stroke_width": 1.5}
    return Drawing(
        size,
        size,
        element(
            "g",
            element("circle", cx=11, cy=16, r=8, fill=SEATS[0], stroke="#7a4a00", **ring),
            path("M21 7l9 9-9 9-9-9z", SEATS[1], stroke="#0a4a78", **ring),
            transform=f"scale({size / 32:.4g})",
        ),
    )
