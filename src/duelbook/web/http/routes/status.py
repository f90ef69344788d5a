"""The state of the service, for its operators."""

from starlette.responses import Response

from duelbook.web import metrics
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.schemas.studies import ServiceStatus

routes = RouteTable("status")


@routes.get("/healthz", response=ServiceStatus)
async def healthz(_: ApiRequest) -> ServiceStatus:
    """Whether the process is alive."""
    return ServiceStatus(status="alive")


@routes.get("/readyz", response=ServiceStatus)
async def readyz(request: ApiRequest) -> ServiceStatus:
    """Whether the process can serve: it can read from its database and write to it. If not, the problem says why."""
    await request.service.store.check()
    return ServiceStatus(status="ready")


@routes.get("/metrics", media_type="text/plain")
async def prometheus_metrics(_: ApiRequest) -> Response:
    """Metrics for Prometheus."""
    body, media_type = metrics.page()
    return Response(body, headers={"Content-Type": media_type})
