"""How the service is doing, for those who run it; and what stands at its root."""

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from duelbook.web import metrics
from duelbook.web.api.answers import Standing
from duelbook.web.api.reading import Serving, refusals

router = APIRouter()

PLACEHOLDER = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Duelbook</title>
<h1>Duelbook</h1>
<p>Five two-player games, exactly as their rule books say. The service is running.</p>
<ul>
<li><a href="/api/docs">How to use it</a></li>
<li><a href="/api/games">The games</a></li>
</ul>
</html>
"""


@router.get("/", include_in_schema=False)
async def home() -> HTMLResponse:
    return HTMLResponse(PLACEHOLDER)


@router.get("/healthz", tags=["standing"], response_model=None, responses={200: {"model": Standing}, **refusals()})
async def healthz() -> dict[str, str]:
    """Whether the process is alive."""
    return {"status": "alive"}


@router.get("/readyz", tags=["standing"], response_model=None, responses={200: {"model": Standing}, **refusals()})
async def readyz(service: Serving) -> dict[str, str]:
    """Whether the process can serve: it reaches its database."""
    await service.store.version("none")
    return {"status": "ready"}


@router.get("/metrics", tags=["standing"], responses={200: {"content": {"text/plain": {}}}, **refusals()})
async def figures() -> Response:
    """Figures for Prometheus."""
    body, kind = metrics.page()
    return Response(body, headers={"Content-Type": kind})
