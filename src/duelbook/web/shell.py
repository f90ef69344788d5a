"""The page: its files, read once, under an address that changes with them, so that browsers may keep them for good."""

import gzip
import inspect
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from duelbook.games import GAMES, find_rules

FOLDER = Path(__file__).with_name("page")
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FIRST = ("main.js", "dom.js", "api.js", "prefs.js", "home.js")  # what the home page cannot do without


class File(NamedTuple):
    body: bytes
    packed: bytes  # the same, compressed
    kind: str


class Page(NamedTuple):
    """All that browsers are sent: files by their path, and the shell that names them."""

    files: dict[str, File]
    shell: bytes


def own_board(game: str) -> Path | None:
    """Answer the file of the game's own board, if it has one."""
    board = Path(inspect.getfile(find_rules(game))).with_name("board.js")
    return board if board.is_file() else None


@cache
def page() -> Page:
    """Answer the page as it is on disk when this is first asked for."""
    sources = {file.name: file for file in sorted(FOLDER.iterdir()) if file.suffix in KINDS}
    sources |= {f"boards/{game}.js": board for game in GAMES if (board := own_board(game))}
    found = {path: _file(source) for path, source in sources.items()}
    version = sha256(b"".join(file.body for file in found.values())).hexdigest()[:12]
    preloads = "\n".join(f'<link rel="modulepreload" href="{{base}}{path}">' for path in FIRST)
    shell = (FOLDER / "index.html").read_text(encoding="utf-8").replace("{preloads}", preloads)
    base = f"/static/{version}/"
    return Page({f"{base}{path}": file for path, file in found.items()}, shell.replace("{base}", base).encode())


def _file(source: Path) -> File:
    body = source.read_bytes()
    return File(body, gzip.compress(body, mtime=0), f"{KINDS[source.suffix]}; charset=utf-8")
