"""The state of the service, for its operators."""

from starlette.responses import Response

from duelbook.web import metrics
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.schemas.studies import Standing

routes = RouteTable("standing")


@routes.get("/healthz", answer=Standing)
async def healthz(_: ApiRequest) -> Standing:
    """Whether the process is alive."""
    return Standing(status="alive")


@routes.get("/readyz", answer=Standing)
async def readyz(request: ApiRequest) -> Standing:
    """Whether the process can serve: it reaches its database."""
    await request.service.store.version("none")
    return Standing(status="ready")


@routes.get("/metrics", media_type="text/plain")
async def figures(_: ApiRequest) -> Response:
    """Figures for Prometheus."""
    body, media_type = metrics.page()
    return Response(body, headers={"Content-Type": media_type})
