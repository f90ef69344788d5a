"""The page: its files, read once, under an address that changes with them, so that browsers may keep them for good."""

import gzip
import inspect
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from duelbook.games import GAMES, find_rules

FOLDER = Path(__file__).parents[1] / "page"
STYLES = ("tokens.css", "parts.css", "screens.css")  # in this order they are one file
GAMES_FIRST = ("home.js", "analysis.js")  # screens that begin with the games; one that does not must not name them
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


class File(NamedTuple):
    body: bytes
    packed: bytes  # the same, compressed
    kind: str


class Page(NamedTuple):
    """All that browsers are sent: files by their path, and the shell of each screen, by its module."""

    files: dict[str, File]
    shells: dict[str, File]


def own_board(game: str) -> Path | None:
    """Answer the file of the game's own board, if it has one."""
    board = Path(inspect.getfile(find_rules(game))).with_name("board.js")
    return board if board.is_file() else None


@cache
def page() -> Page:
    """Answer the page as it is on disk when this is first asked for."""
    texts = {file.name: _read(file) for file in sorted(FOLDER.iterdir()) if file.suffix in (".js", ".svg")}
    texts |= {f"boards/{game}.js": _read(board) for game in GAMES if (board := own_board(game))}
    texts["style.css"] = "\n".join(_read(FOLDER / name) for name in STYLES)
    base = f"/static/{sha256(''.join(texts.values()).encode()).hexdigest()[:12]}/"
    shell = _read(FOLDER / "index.html")
    return Page(
        {f"{base}{path}": _file(path, text) for path, text in texts.items()},
        {path: _file("index.html", _shell(shell, base, path, texts)) for path in texts},
    )


def _shell(shell: str, base: str, screen: str, texts: dict[str, str]) -> str:
    """Answer the shell with what the screen needs named at once, or a browser would find it piece by piece."""
    modules = sorted(_needed("main.js", texts) | _needed(screen, texts))
    links = [f'<link rel="modulepreload" href="{base}{module}">' for module in modules]
    if screen in GAMES_FIRST:
        links.insert(0, '<link rel="preload" href="/api/games" as="fetch" crossorigin>')
    return shell.replace("{preloads}", "\n".join(links)).replace("{base}", base)


def _needed(module: str, texts: dict[str, str]) -> set[str]:
    """Answer the module and all that it imports from the start, and they in turn."""
    found: set[str] = set()
    new = {module}
    while new:
        found |= new
        new = {name for one in new for name in re.findall(r'^(?:import|\}) .*"\./(.+\.js)";', texts[one], re.M)} - found
    return found


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _file(path: str, text: str) -> File:
    body = text.encode()
    return File(body, gzip.compress(body, mtime=0), f"{KINDS[Path(path).suffix]}; charset=utf-8")
