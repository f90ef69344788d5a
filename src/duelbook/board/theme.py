"""How the board of a game looks: its colours, the shape of its cells, and the drawings on them."""

from collections.abc import Mapping

from msgspec import Struct

from duelbook.board.colours import FELT, FELT_DEEP, FELT_LINE, TILE, TILE_EDGE


class Sign(Struct, frozen=True, omit_defaults=True):
    """A drawing on a cell: the path of an SVG, in a square of 24 by 24, and a character for terminals."""

    path: str
    character: str = ""
    is_shape: bool = False  # the cell has this shape, with its text on it
    facets: tuple[str, ...] = ()  # paths on the shape, which are lighter


class Theme(Struct, frozen=True, omit_defaults=True):
    """The look of a game. The page shows the same colours darker in its dark scheme."""

    felt: str = FELT  # the ground; texts on it are light
    felt_deep: str = FELT_DEEP  # below the players
    felt_line: str = FELT_LINE
    tile: str = TILE  # what can be played; texts on it are dark
    tile_edge: str = TILE_EDGE
    signs: Mapping[str, Sign] = {}
