"""Limits: how often an address or a seat may ask, counted in memory, or in Redis by all processes together."""

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from limits import RateLimitItem, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.aio.storage import RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter

from duelbook.web.problems import Problem
from duelbook.web.settings import Settings

REDIS_PORT = 6379  # which `limits` does not know
PAUSE = 5.0  # seconds for which a Redis that failed is not asked

log = logging.getLogger("duelbook.web")


class Windows:
    """Counts of the present second or minute, in memory (what `limits` has for it takes longer than a move's rules)."""

    def __init__(self) -> None:
        self._windows: dict[str, tuple[int, dict[str, int]]] = {}

    def hit(self, item: RateLimitItem, kind: str, who: str) -> bool:
        """Count one more of the kind; tell whether it is within the limit."""
        now = int(time.monotonic() // item.get_expiry())
        window = self._windows.get(kind)
        if window is None or window[0] != now:
            window = self._windows[kind] = now, {}
        count = window[1][who] = window[1].get(who, 0) + 1
        return count <= item.amount


class Limiter:
    def __init__(self, settings: Settings) -> None:
        self._items: dict[str, RateLimitItem] = {
            "address": RateLimitItemPerSecond(settings.address_limit),
            "seat": RateLimitItemPerSecond(settings.move_limit),
            "create": RateLimitItemPerMinute(settings.create_limit),
            "study": RateLimitItemPerMinute(settings.study_limit),
        }
        self._own = Windows()
        self._shared = FixedWindowRateLimiter(_redis(settings.redis_url)) if settings.redis_url else None
        self._shared_after = 0.0
        self._sockets: Counter[str] = Counter()
        self._socket_limit = settings.socket_limit

    async def check(self, kind: str, who: str) -> None:
        """Count one request of the kind, or refuse it as one too many."""
        if not await self._hit(self._items[kind], kind, who):
            seconds = str(self._items[kind].get_expiry())
            raise Problem("too-many", "that was too often; wait a little", headers={"Retry-After": seconds})

    async def _hit(self, item: RateLimitItem, kind: str, who: str) -> bool:
        if self._shared and time.monotonic() >= self._shared_after:
            try:
                return await self._shared.hit(item, kind, who)
            except Exception as error:  # whatever the client of Redis raises: then each process counts for itself
                log.warning("Redis cannot count", extra={"why": str(error)})
                self._shared_after = time.monotonic() + PAUSE
        return self._own.hit(item, kind, who)

    @asynccontextmanager
    async def socket(self, address: str) -> AsyncIterator[None]:
        """Count an open socket of the address, or refuse it as one too many."""
        if self._sockets[address] >= self._socket_limit:
            raise Problem("too-many", "too many sockets are open from your address", headers={"Retry-After": "10"})
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def _redis(url: str) -> Storage:
    parts = urlsplit(url)
    where = parts.netloc if parts.port else f"{parts.netloc.rstrip(':')}:{REDIS_PORT}"
    return RedisStorage(
        f"async+{parts._replace(netloc=where).geturl()}",
        implementation="redispy",
        key_prefix="duelbook",
        socket_connect_timeout=0.5,
        socket_timeout=0.5,
    )
