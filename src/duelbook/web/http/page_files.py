"""The files of the page, read once. Their address changes with their content, so that browsers can cache them."""

import gzip
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from duelbook.game_folder import game_file
from duelbook.games import GAMES, find_rules

FOLDER = Path(__file__).parents[1] / "page"
STYLES = ("tokens.css", "parts.css", "screens.css")  # served as one file, in this order
CATALOGUE_SCREENS = ("home.js", "analysis.js")  # screens that preload the catalogue; others must not
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


class File(NamedTuple):
    """A file as it is sent."""

    body: bytes
    compressed: bytes
    media_type: str


class Page(NamedTuple):
    """All files by their path, and the HTML of each screen by its module."""

    files: dict[str, File]
    screens: dict[str, File]


def own_board(game: str) -> Path | None:
    """Return the file of the game's own board, if it has one."""
    return game_file(find_rules(game), "board.js")


@cache
def page() -> Page:
    """Return the page as it is on disk at the first call."""
    texts = {file.name: _read(file) for file in sorted(FOLDER.iterdir()) if file.suffix in (".js", ".svg")}
    texts |= {f"boards/{game}.js": _read(board) for game in GAMES if (board := own_board(game))}
    texts["style.css"] = "\n".join(_read(FOLDER / name) for name in STYLES)
    base = f"/static/{sha256(''.join(texts.values()).encode()).hexdigest()[:12]}/"
    html = _read(FOLDER / "index.html")
    return Page(
        {f"{base}{path}": _file(path, text) for path, text in texts.items()},
        {path: _file("index.html", _screen(html, base, path, texts)) for path in texts},
    )


def _screen(html: str, base: str, module: str, texts: dict[str, str]) -> str:
    """Return the HTML that preloads all modules of a screen; otherwise a browser would load them one by one."""
    modules = sorted(_imports("main.js", texts) | _imports(module, texts))
    links = [f'<link rel="modulepreload" href="{base}{one}">' for one in modules]
    if module in CATALOGUE_SCREENS:
        links.insert(0, '<link rel="preload" href="/api/games" as="fetch" crossorigin>')
    return html.replace("{preloads}", "\n".join(links)).replace("{base}", base).replace("{games}", str(len(GAMES)))


def _imports(module: str, texts: dict[str, str]) -> set[str]:
    """Return the module and all that it imports at its start, directly or not."""
    found: set[str] = set()
    new = {module}
    while new:
        found |= new
        new = {name for one in new for name in re.findall(r'^(?:import|\}) .*"\./(.+\.js)";', texts[one], re.M)}
        new = (new & texts.keys()) - found  # the board of a game from outside may import what does not exist
    return found


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _file(path: str, text: str) -> File:
    body = text.encode()
    return File(body, gzip.compress(body, mtime=0), f"{MEDIA_TYPES[Path(path).suffix]}; charset=utf-8")
