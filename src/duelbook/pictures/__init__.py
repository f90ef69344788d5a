"""Pictures of positions: drawn as SVG in the colours and shapes of the page's boards, and turned into PNG."""

from duelbook.pictures.card import card
from duelbook.pictures.picture import Picture, Played, history_of, picture_of, position_svg
from duelbook.pictures.png import png
from duelbook.pictures.svg import Drawing

__all__ = ["Drawing", "Picture", "Played", "card", "history_of", "picture_of", "png", "position_svg"]
