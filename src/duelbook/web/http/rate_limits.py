"""Rate limits for addresses and seats, counted in memory, or in Redis for all processes together."""

import ipaddress
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from urllib.parse import urlsplit

from limits import RateLimitItem, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.aio.storage import RedisStorage, Storage
from limits.aio.strategies import FixedWindowRateLimiter
from starlette.requests import HTTPConnection

from duelbook.text import plural
from duelbook.web.problems import Problem
from duelbook.web.settings import Settings

REDIS_PORT = 6379  # `limits` needs one in the URL
REDIS_PAUSE_SECONDS = 5.0  # without Redis after it failed
SOCKET_RETRY_SECONDS = 10

log = logging.getLogger("duelbook.web")


class FixedWindows:
    """Counts of the current second or minute, in memory; much faster than the storage in memory of `limits`."""

    def __init__(self) -> None:
        self._windows: dict[str, tuple[int, dict[str, int]]] = {}

    def hit(self, item: RateLimitItem, kind: str, client: str) -> bool:
        """Count one more request of the kind. Return True if it is within the limit."""
        now = int(time.monotonic() // item.get_expiry())
        window = self._windows.get(kind)
        if window is None or window[0] != now:
            window = self._windows[kind] = now, {}
        count = window[1][client] = window[1].get(client, 0) + 1
        return count <= item.amount


class Limiter:
    """Raises Problem for a request or a socket that exceeds a limit."""

    def __init__(self, settings: Settings) -> None:
        self._items: dict[str, RateLimitItem] = {
            "address": RateLimitItemPerSecond(settings.address_limit),
            "seat": RateLimitItemPerSecond(settings.move_limit),
            "create": RateLimitItemPerMinute(settings.create_limit),
            "study": RateLimitItemPerMinute(settings.study_limit),
        }
        self._own = FixedWindows()
        self._shared = FixedWindowRateLimiter(_redis(settings.redis_url)) if settings.redis_url else None
        self._shared_after = 0.0
        self._sockets: Counter[str] = Counter()
        self._socket_limit = settings.socket_limit

    async def check(self, kind: str, client: str) -> None:
        """Count one more request of the kind from the client; raise Problem if that is too many."""
        if not await self._hit(self._items[kind], kind, client):
            seconds = self._items[kind].get_expiry()
            raise Problem(
                "too-many",
                f"Too many requests; try again in {plural(seconds, 'second')}.",
                headers={"Retry-After": str(seconds)},
            )

    async def _hit(self, item: RateLimitItem, kind: str, client: str) -> bool:
        if self._shared and time.monotonic() >= self._shared_after:
            try:
                return await self._shared.hit(item, kind, client)
            except (
                Exception
            ) as error:  # whatever the client of Redis raises: until it is back each process counts alone
                log.warning("Redis cannot count requests", extra={"why": str(error)})
                self._shared_after = time.monotonic() + REDIS_PAUSE_SECONDS
        return self._own.hit(item, kind, client)

    @asynccontextmanager
    async def socket(self, address: str) -> AsyncIterator[None]:
        """Count a socket of the address while it is open; raise Problem if that is one too many."""
        if self._sockets[address] >= self._socket_limit:
            raise Problem(
                "too-many",
                "Too many sockets are open from your address; close one, or try again later.",
                headers={"Retry-After": str(SOCKET_RETRY_SECONDS)},
            )
        self._sockets[address] += 1
        try:
            yield
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def client_address(connection: HTTPConnection) -> str:
    """Return what a client is counted by: its IPv4 address, or its IPv6 network of 64 bits (one household)."""
    return _network(connection.client.host if connection.client else "unknown")


@lru_cache(maxsize=1024)
def _network(host: str) -> str:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(address.ipv4_mapped or ipaddress.ip_network((address.packed, 64), strict=False))


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
