"""The page's addresses: every screen is the same shell, and the files it is made of."""

from fastapi import APIRouter, Request, Response

from duelbook.web.problems import Problem
from duelbook.web.shell import page

SCREENS = ("/", "/match/{match}", "/analysis", "/analysis/{game}", "/puzzle", "/puzzle/{game}", "/record", "/watch")
FOR_GOOD = "public, max-age=31536000, immutable"

router = APIRouter(include_in_schema=False)


async def shell() -> Response:
    return Response(page().shell, media_type="text/html; charset=utf-8")


for screen in SCREENS:
    router.add_api_route(screen, shell, methods=["GET", "HEAD"])


@router.get("/static/{path:path}")
async def static(request: Request) -> Response:
    """A file of the page; paths are looked up among those that were read at the start."""
    file = page().files.get(request.url.path)
    if file is None:
        raise Problem("not-found", "there is no such file")
    headers = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.body, headers=headers, media_type=file.kind)
    return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.kind)
