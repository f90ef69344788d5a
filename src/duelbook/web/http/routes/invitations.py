"""Invitations: the link to a match as a QR code, for a phone to read from the screen."""

from functools import lru_cache
from io import BytesIO

from starlette.responses import Response

from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable

SVG = "image/svg+xml"
MAX_CACHED_CODES = 256
QUIET_ZONE = 4  # modules around the code, as readers need them

routes = RouteTable("matches")


@routes.get("/api/matches/{match}/qr", media_type=SVG, problems=("not-found",))
async def qr_code(request: ApiRequest) -> Response:
    """The link to a match as a QR code."""
    await request.service.registry.read(request.match)  # which raises if there is none
    link = f"{request.url.scheme}://{request.url.netloc}/match/{request.match}"
    return Response(_drawn(link), media_type=SVG, headers={"Cache-Control": "private, max-age=3600"})


@lru_cache(maxsize=MAX_CACHED_CODES)
def _drawn(text: str) -> bytes:
    """Return the QR code of the text as SVG, black on white, of any size."""
    import segno  # which only the first invitation needs

    drawn = BytesIO()
    segno.make_qr(text, error="m").save(drawn, kind="svg", border=QUIET_ZONE, light="white", omitsize=True)
    return drawn.getvalue()
