"""The page: the HTML of every screen, and the files that it is made of."""

from starlette.responses import Response

from duelbook.web.http.page_files import File, page
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import Handler, RouteTable
from duelbook.web.problems import Problem

SCREENS = {  # the module of each; the page itself says what is wrong with an id or a name
    "/": "home.js",
    "/match/{id}": "match.js",
    "/analysis": "analysis.js",
    "/analysis/{name}": "analysis.js",
    "/puzzle": "puzzle.js",
    "/puzzle/{name}": "puzzle.js",
    "/record": "record.js",
    "/watch": "watch.js",
}
IMMUTABLE = "public, max-age=31536000, immutable"

routes = RouteTable()


def _screen(module: str) -> Handler:
    async def screen(request: ApiRequest) -> Response:
        return _response(request, page().screens[module], {})

    return screen


for path, module in SCREENS.items():
    routes.get(path)(_screen(module))


@routes.get("/static/{path:path}")
async def static(request: ApiRequest) -> Response:
    """A file of the page; only files that were read at the start are found."""
    file = page().files.get(request.url.path)
    if file is None:
        raise Problem("not-found", "There is no such file.")
    return _response(request, file, {"Cache-Control": IMMUTABLE})


def _response(request: ApiRequest, file: File, headers: dict[str, str]) -> Response:
    headers["Vary"] = "Accept-Encoding"
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.body, headers=headers, media_type=file.media_type)
    return Response(file.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.media_type)
