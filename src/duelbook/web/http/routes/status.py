"""How the service is doing, for those who run it."""

from fastapi import APIRouter, Response

from duelbook.web import metrics
from duelbook.web.http.requests import Serving, refusals
from duelbook.web.http.study_schemas import Standing

router = APIRouter()


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
