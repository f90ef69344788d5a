"""The themes: light, dark and high contrast, with the colours of the page's boards. The choice is kept."""

import msgspec
from textual.color import Color
from textual.theme import Theme

from duelbook.board import Theme as BoardTheme
from duelbook.board.colours import FELT, FELT_DEEP, INK, ON_FELT, ON_FELT_QUIET, PAGE, PAPER, SEATS, TILE
from duelbook.play.data_folder import data_file, load, save

FILE = "tui.json"  # in the data folder
DARK, LIGHT, HIGH_CONTRAST = "duelbook-dark", "duelbook-light", "high-contrast"
DARKER = 0.28  # of black in the ground of a board, in the dark theme

BOARD_COLOURS = {  # of the page's light scheme; the names are those of its style sheet
    "felt": FELT,
    "felt-deep": FELT_DEEP,
    "on-felt": ON_FELT,
    "on-felt-quiet": ON_FELT_QUIET,
    "tile": TILE,
    "ink": INK,
    "first": SEATS[0],
    "second": SEATS[1],
    "win": "#14713f",
    "draw": "#6a5410",
    "loss": "#a3241c",
    "on-value": "#ffffff",
    "cursor": "#ffd66b",
}
THEMES = (
    Theme(
        DARK,
        primary="#7fd6b8",
        secondary="#8fd0ff",
        accent="#f3b64c",
        warning="#f3b64c",
        error="#ff9d92",
        success="#7fd6b8",
        foreground="#eee8da",
        background="#14181a",
        surface="#1e2427",
        panel="#2a3338",
        variables={"felt": "#1d4438", "felt-deep": "#163429"},
    ),
    Theme(
        LIGHT,
        primary="#1f5c4b",
        secondary="#0a4a78",
        accent="#7a4a00",
        warning="#7a4a00",
        error="#a3312a",
        success="#1f5c4b",
        foreground=INK,
        background=PAGE,
        surface=PAPER,
        panel="#e6dcc8",
        dark=False,
    ),
    Theme(
        HIGH_CONTRAST,
        primary="#ffff00",
        secondary="#00ffff",
        accent="#ffff00",
        warning="#ffff00",
        error="#ff8080",
        success="#80ff80",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#303030",
        text_alpha=1.0,
        variables={
            "felt": "#000000",
            "felt-deep": "#000000",
            "on-felt": "#ffffff",
            "on-felt-quiet": "#ffffff",
            "tile": "#ffffff",
            "ink": "#000000",
            "first": "#ffff00",
            "second": "#00ffff",
            "win": "#004d00",
            "draw": "#4d3d00",
            "loss": "#7a0000",
            "cursor": "#ff80ff",
        },
    ),
)


class Preferences(msgspec.Struct, forbid_unknown_fields=True):
    """What the person has chosen for the interface."""

    theme: str = DARK


def game_colours(theme: str, look: BoardTheme) -> dict[str, str]:
    """Return the colours that a game's board has instead of those of the theme; none in high contrast."""
    if theme == HIGH_CONTRAST:
        return {}
    black = Color(0, 0, 0)
    ground = {"felt": Color.parse(look.felt), "felt-deep": Color.parse(look.felt_deep)}
    if theme == DARK:
        ground = {name: colour.blend(black, DARKER) for name, colour in ground.items()}
    return {"tile": look.tile, **{name: colour.hex.lower() for name, colour in ground.items()}}


def kept_theme() -> str:
    """Return the theme that was chosen last."""
    return load(data_file(FILE), Preferences).theme


def keep_theme(name: str) -> None:
    save(Preferences(name), data_file(FILE))
