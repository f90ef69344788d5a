"""The page: the HTML of every screen, the files that it is made of, and what makes it an app."""

import re
from collections.abc import Awaitable, Callable
from urllib.parse import quote, urlencode

from starlette.responses import RedirectResponse, Response

from duelbook.web.http.errors import as_problem
from duelbook.web.http.page_files import FAVICON, MANIFEST, SERVICE_WORKER, File, LinkPreview, page, screen_file
from duelbook.web.http.previews import (
    DAILY_PUZZLE,
    HOME,
    NOT_FOUND,
    Words,
    game_picture,
    is_game,
    lesson_words,
    match_picture,
    match_words,
    position_words,
    preview,
    puzzle_words,
)
from duelbook.web.http.requests import ApiRequest, check_match_id
from duelbook.web.http.router import Handler, PageRoutes, Resource, Route, RouteTable
from duelbook.web.problems import STATUS, Problem

Screen = tuple[LinkPreview, int]  # with its status
Find = Callable[[ApiRequest], Awaitable[Screen]]
IMMUTABLE = "public, max-age=31536000, immutable"
FAVICON_CACHED = "public, max-age=86400"
PLY = re.compile("[0-9]{1,6}")
PUZZLE_PARAMETERS = {
    "day": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "seed": re.compile("[0-9]{1,20}"),
    "level": re.compile("[0-9]"),
    "kind": re.compile("[a-z-]{1,20}"),
}  # that say which puzzle it is
MAX_MOVES_CHARACTERS = 4000  # of an address whose moves are shown

routes = RouteTable()


async def home(request: ApiRequest) -> Screen:
    return preview(request, HOME), 200


async def match(request: ApiRequest) -> Screen:
    """Return what everybody sees of the match. If it cannot be read now, the page itself tries again."""
    match = request.path_params["id"]
    try:
        check_match_id(match)
        served = await request.service.registry.read(match)
    except Exception as error:
        problem = as_problem(error)
        if problem and problem.status == STATUS["not-found"]:
            return preview(request, NOT_FOUND, private=True), 404
        return preview(request, HOME, private=True), 200
    last, asked = len(served.moves), request.query_params.get("ply", "")
    ply = min(int(asked), last) if PLY.fullmatch(asked) else last
    return preview(request, match_words(served, ply), match_picture(match, ply), private=True), 200


async def analysis(request: ApiRequest) -> Screen:
    name, after = request.path_params.get("name", ""), request.query_params.get("after", "")
    if not name:
        return preview(request, Words("Analysis · Duelbook", "Any position of any game, move by move.")), 200
    if not is_game(name):
        return preview(request, NOT_FOUND), 404
    moves = [move.strip() for move in after[:MAX_MOVES_CHARACTERS].split(",") if move.strip()]
    query = f"?{request.url.query}" if request.url.query else ""
    return preview(request, position_words(name, moves), f"/pictures/positions/{name}.png{query}"), 200


async def puzzle(request: ApiRequest) -> Screen:
    name, asked = request.path_params.get("name", ""), request.query_params
    known = {key: asked[key] for key, form in PUZZLE_PARAMETERS.items() if key in asked and form.fullmatch(asked[key])}
    query = f"?{urlencode(known)}" if known else ""
    if name in ("", "daily"):
        return preview(request, DAILY_PUZZLE, f"/pictures/puzzles/daily.png{query if [*known] == ['day'] else ''}"), 200
    if not is_game(name):
        return preview(request, NOT_FOUND), 404
    picture = f"/pictures/puzzles/{name}.png{query}" if "seed" in known and "day" not in known else game_picture(name)
    return preview(request, puzzle_words(name), picture), 200


async def learn(request: ApiRequest) -> Screen:
    name = request.path_params.get("name", "")
    if not name:
        return preview(request, Words("Learn · Duelbook", "Every game in a minute, move by move.")), 200
    if not is_game(name):
        return preview(request, NOT_FOUND), 404
    return preview(request, lesson_words(name), game_picture(name)), 200


def plain(title: str, text: str) -> Find:
    """Return a function that returns always the same preview."""

    async def find(request: ApiRequest) -> Screen:
        return preview(request, Words(f"{title} · Duelbook", text)), 200

    return find


lobby = plain("Lobby", "Play somebody who is here right now, or watch others play.")


async def missing(request: ApiRequest) -> Screen:
    return preview(request, NOT_FOUND), 404


SCREENS: dict[str, tuple[str, Find]] = {  # the module of each; the page itself says what is wrong with an id or a name
    "/": ("home.js", home),
    "/match/{id}": ("match.js", match),
    "/analysis": ("analysis.js", analysis),
    "/analysis/{name}": ("analysis.js", analysis),
    "/puzzle": ("puzzle.js", puzzle),
    "/puzzle/run": ("puzzle-run.js", plain("Puzzle run", "How many puzzles can you solve in three minutes?")),
    "/puzzle/{name}": ("puzzle.js", puzzle),
    "/games": ("games.js", plain("Your games", "The games that you played in this browser.")),
    "/learn": ("learn.js", learn),
    "/learn/{name}": ("learn.js", learn),
    "/record": ("record.js", plain("A record", "Open a record file and step through its moves.")),
    "/lobby": ("lobby.js", lobby),
}


def _screen(module: str, find: Find) -> Handler:
    async def screen(request: ApiRequest) -> Response:
        found, status = await find(request)
        return _response(request, screen_file(module, found), {}, status)

    return screen


for path, (module, find) in SCREENS.items():
    routes.get(path)(_screen(module, find))


@routes.get("/static/{path:path}")
async def static(request: ApiRequest) -> Response:
    """A file of the page; only files that were read at the start are found."""
    file = page().files.get(request.url.path)
    if file is None:
        raise Problem("not-found", "There is no such file.")
    return _response(request, file, {"Cache-Control": IMMUTABLE})


@routes.get(f"/{FAVICON}")
async def favicon(request: ApiRequest) -> Response:
    """The icon, for programs that ask for it without reading the page."""
    return _response(request, page().root_files[FAVICON], {"Cache-Control": FAVICON_CACHED})


@routes.get(f"/{MANIFEST}")
async def manifest(request: ApiRequest) -> Response:
    """What a browser needs to know to install the page as an app."""
    return _response(request, page().root_files[MANIFEST], {})


@routes.get(f"/{SERVICE_WORKER}")
async def service_worker(request: ApiRequest) -> Response:
    """The service worker, which changes with every version of the page."""
    return _response(request, page().root_files[SERVICE_WORKER], {})


async def without_slash(request: ApiRequest) -> Response:
    """Lead from an address with a slash at its end to the one without."""
    path: str = request.scope["path"]  # decoded: a slash at its end may have been sent as %2F
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{quote(path.rstrip('/'))}{query}", 308)


fallback = PageRoutes(
    missing=Route(method="GET", path="none", handler=_screen("not-found.js", missing)),
    redirect=Route(method="GET", path="none", handler=without_slash),
    screens=[Resource(path).pattern for path in SCREENS],
)


def _response(request: ApiRequest, file: File, headers: dict[str, str], status: int = 200) -> Response:
    headers["Vary"] = "Accept-Encoding"
    if file.compressed is None or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.body, status, headers, file.media_type)
    return Response(file.compressed, status, {**headers, "Content-Encoding": "gzip"}, file.media_type)
