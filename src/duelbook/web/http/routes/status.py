"""The state of the service, for its operators."""

import asyncio

from starlette.responses import Response

from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.metrics import RecentPage
from duelbook.web.schemas.studies import ServiceStatus

METRICS_PATH = "/metrics"

routes = RouteTable("status")
recent = RecentPage()


@routes.get("/healthz", response=ServiceStatus)
async def healthz(_: ApiRequest) -> ServiceStatus:
    """Whether the process is alive."""
    return ServiceStatus(status="alive")


@routes.get("/readyz", response=ServiceStatus)
async def readyz(request: ApiRequest) -> ServiceStatus:
    """Whether the process can serve: it can read from its database and write to it. If not, the problem says why."""
    await request.service.store.check()
    return ServiceStatus(status="ready")


@routes.get(METRICS_PATH, media_type="text/plain")
async def prometheus_metrics(_: ApiRequest) -> Response:
    """Metrics for Prometheus."""
    body, media_type = recent.read(asyncio.get_running_loop().time())
    return Response(body, headers={"Content-Type": media_type})
