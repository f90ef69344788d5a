"""Compressed answers: JSON that is the same for everybody, and large enough to be worth it."""

import gzip
from functools import lru_cache

from starlette.responses import Response

from duelbook.web.http.requests import JSON, ApiRequest

COMPRESSED_ANSWERS = 8  # that are kept: the catalogue, and the demonstrations of today


@lru_cache(maxsize=COMPRESSED_ANSWERS)
def _compress(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def compressed(request: ApiRequest, body: bytes) -> Response:
    """Return JSON compressed, if the client takes that. It must hold no secret, and be the same for many requests."""
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(body, headers=headers, media_type=JSON)
    return Response(_compress(body), headers={**headers, "Content-Encoding": "gzip"}, media_type=JSON)
