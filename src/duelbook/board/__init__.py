"""What lies on the table, as data, and how it is drawn: as text pieces for terminals, as SVG and as PNG."""

from duelbook.board.card import card
from duelbook.board.general import board_of, theme_of
from duelbook.board.model import Board, Cell, Gauge, Grid, PlayerSide, Portion, Row, Text, Track
from duelbook.board.picture import picture_of, position_svg
from duelbook.board.png import png
from duelbook.board.position import Played, Position, history_of
from duelbook.board.svg import Drawing
from duelbook.board.theme import Sign, Theme

__all__ = [
    "Board",
    "Cell",
    "Drawing",
    "Gauge",
    "Grid",
    "Played",
    "PlayerSide",
    "Portion",
    "Position",
    "Row",
    "Sign",
    "Text",
    "Theme",
    "Track",
    "board_of",
    "card",
    "history_of",
    "picture_of",
    "png",
    "position_svg",
    "theme_of",
]
