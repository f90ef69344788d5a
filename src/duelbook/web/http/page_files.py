"""The files of the page, read once. Their address changes with their content, so that browsers can cache them."""

import gzip
import json
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from duelbook.game_folder import game_file
from duelbook.games import GAMES, find_rules
from duelbook.web.http.module_groups import group_of, grouped, in_order

FOLDER = Path(__file__).parents[1] / "page"
STYLES = ("tokens.css", "parts.css", "boards.css", "screens.css", "print.css")  # served as one file, in this order
MAIN = "main.js"  # the module that every screen begins with
TYPES = ("api-types.js", "types.js")  # for the type checker; there is no code in them
CATALOGUE_SCREENS = ("home.js", "analysis.js")  # screens that preload the catalogue; others must not
MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
BINARY = (".png", ".ico")  # which are compressed already
SERVICE_WORKER, SHELL, FILE_LIST = "service-worker.js", "shell.html", "files.json"
MANIFEST, FAVICON = "manifest.webmanifest", "favicon.ico"
ICONS = {
    "icon-192.png": ("192x192", "any"),
    "icon-512.png": ("512x512", "any"),
    "icon-maskable.png": ("512x512", "maskable"),
}
ABOUT = "Two-player strategy games, exactly as their rule books say: learn, play, watch and study."
MAX_REMEMBERED_SCREENS = 256


class File(NamedTuple):
    """A file as it is sent."""

    body: bytes
    compressed: bytes | None  # None if that would not make it smaller
    media_type: str


class LinkPreview(NamedTuple):
    """What other sites show for a link to a screen: a title, a text and a picture."""

    title: str
    text: str
    address: str
    picture: str
    private: bool = False  # search engines should leave it out


class PageFiles(NamedTuple):
    """All files by their path, those at the root by their name, and the HTML of each screen by its module."""

    files: dict[str, File]
    root_files: dict[str, File]
    screens: dict[str, str]


def own_board(game: str) -> Path | None:
    """Return the file of the game's own board, if it has one."""
    return game_file(find_rules(game), "board.js")


@cache
def page() -> PageFiles:
    """Return the page as it is on disk at the first call."""
    modules = {file.name: _read(file) for file in sorted(FOLDER.glob("*.js")) if file.name not in TYPES}
    texts = grouped(modules) | {file.name: _read(file) for file in sorted(FOLDER.glob("*.svg"))}
    texts |= {f"boards/{game}.js": _read(board) for game in GAMES if (board := own_board(game))}
    texts["style.css"] = "\n".join(_read(FOLDER / name) for name in STYLES)
    pictures = {file.name: file.read_bytes() for file in sorted(FOLDER.iterdir()) if file.suffix in BINARY}
    html = _read(FOLDER / "index.html")
    content = [*(text.encode() for text in (*texts.values(), html)), *pictures.values()]
    base = f"/static/{sha256(b''.join(content)).hexdigest()[:12]}/"
    worker = texts.pop(SERVICE_WORKER).replace("{base}", base)
    html = html.replace("{main}", group_of(modules)[MAIN])
    screens = {module: _screen(html, base, module, modules) for module in modules}
    texts[SHELL] = _with_head(_filled(html, base, ""), f"<title>Duelbook</title>\n{_description(ABOUT)}")
    texts[FILE_LIST] = json.dumps([*texts, *(name for name in pictures if name in ICONS)])
    files = {f"{base}{path}": _file(path, text.encode()) for path, text in texts.items()}
    files |= {f"{base}{path}": _file(path, body) for path, body in pictures.items()}
    root_files = {
        SERVICE_WORKER: _file(SERVICE_WORKER, worker.encode()),
        MANIFEST: _file(MANIFEST, json.dumps(_manifest(base)).encode()),
        FAVICON: _file(FAVICON, pictures[FAVICON]),
    }
    return PageFiles(files, root_files, screens)


@lru_cache(maxsize=MAX_REMEMBERED_SCREENS)
def screen_file(module: str, preview: LinkPreview) -> File:
    """Return the HTML of a screen, with what other sites show for a link to it."""
    return _file("index.html", _with_head(page().screens[module], _head(preview)).encode())


def _head(preview: LinkPreview) -> str:
    """Return the elements that name and describe a screen. Whatever is in the preview is text."""
    properties = {
        "og:type": "website",
        "og:site_name": "Duelbook",
        "og:title": preview.title,
        "og:description": preview.text,
        "og:url": preview.address,
        "og:image": preview.picture,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": preview.title,
    }
    lines = [f"<title>{escape(preview.title)}</title>", _description(preview.text)]
    lines += [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image">')  # title, text and picture are those above
    if preview.private:
        lines.append('<meta name="robots" content="noindex">')
    return "\n".join(lines)


def _description(text: str) -> str:
    return f'<meta name="description" content="{escape(text)}">'


def _with_head(html: str, head: str) -> str:
    before, _, after = html.partition("{head}")
    return f"{before}{head}{after}"


def _manifest(base: str) -> dict[str, object]:
    """Return the web app manifest, with which the page can be installed."""
    return {
        "id": "/",
        "name": "Duelbook",
        "short_name": "Duelbook",
        "description": ABOUT,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f0e6",
        "theme_color": "#21493e",
        "icons": [
            {"src": f"{base}{name}", "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, (sizes, purpose) in ICONS.items()
        ],
        "shortcuts": [{"name": "Puzzle of the day", "url": "/puzzle/daily"}, {"name": "Lobby", "url": "/lobby"}],
    }


def _screen(html: str, base: str, module: str, modules: dict[str, str]) -> str:
    """Return the HTML that preloads all modules of a screen; otherwise a browser would load them one by one."""
    groups = group_of(modules)
    files = sorted({groups.get(one, one) for one in in_order((MAIN, module), modules)})
    links = [f'<link rel="modulepreload" href="{base}{file}">' for file in files]
    if module in CATALOGUE_SCREENS:
        links.insert(0, '<link rel="preload" href="/api/games" as="fetch" crossorigin>')
    return _filled(html, base, "\n".join(links))


def _filled(html: str, base: str, preloads: str) -> str:
    return html.replace("{preloads}", preloads).replace("{base}", base).replace("{games}", str(len(GAMES)))


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _file(path: str, body: bytes) -> File:
    suffix = Path(path).suffix
    compressed = None if suffix in BINARY else gzip.compress(body, mtime=0)
    return File(body, compressed, MEDIA_TYPES[suffix])
