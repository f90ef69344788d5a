"""The page's addresses: every screen is a shell that names its modules, and the files it is made of."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response

from duelbook.web.http.page_files import File, page
from duelbook.web.problems import Problem

SCREENS = {
    "/": "home.js",
    "/match/{match}": "match.js",
    "/analysis": "analysis.js",
    "/analysis/{game}": "analysis.js",
    "/puzzle": "puzzle.js",
    "/puzzle/{game}": "puzzle.js",
    "/record": "record.js",
    "/watch": "watch.js",
}
FOR_GOOD = "public, max-age=31536000, immutable"

router = APIRouter(include_in_schema=False)


def _screen(module: str) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def screen(request: Request) -> Response:
        return _sent(request, page().shells[module], {})

    return screen


for path, module in SCREENS.items():
    router.add_api_route(path, _screen(module))


@router.get("/static/{path:path}")
async def static(request: Request) -> Response:
    """A file of the page; paths are looked up among those that were read at the start."""
    file = page().files.get(request.url.path)
    if file is None:
        raise Problem("not-found", "there is no such file")
    return _sent(request, file, {"Cache-Control": FOR_GOOD})


def _sent(request: Request, file: File, headers: dict[str, str]) -> Response:
    headers["Vary"] = "Accept-Encoding"
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.body, headers=headers, media_type=file.kind)
    return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.kind)
