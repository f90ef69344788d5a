"""The places for connections in a process: how many one address may take, and the room that is kept for players."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from ipaddress import ip_address, ip_network
from typing import Protocol

from duelbook.web.http.rate_limits import RateLimit, counted_address
from duelbook.web.problems import Problem, unavailable

RESERVED_PERCENT = 10  # of all places: only clients that show the token of a seat get one of the last
SILENT_SECONDS = 1.0  # after which a connection that has sent no request may lose its place to another
ANSWERED_REFUSALS = 100  # a second, of one address; further connections beyond its limit are just closed
MAX_REFUSED_CONNECTIONS = 500  # that are open until they have got their answer; others are just closed
RETRY_SECONDS = 10


class Evictable(Protocol):
    """A connection that can be made to end at once."""

    def evict(self) -> None: ...


class ConnectionPlace:
    """The place of one connection, until it is released."""

    __slots__ = ("_address", "_connections", "_is_reserved")

    def __init__(self, connections: "OpenConnections", address: str | None, is_reserved: bool) -> None:
        self._connections = connections
        self._address = address
        self._is_reserved = is_reserved

    @property
    def is_reserved(self) -> bool:
        """Return True if only a client with a seat may use the place. Any client may once there is room again."""
        return self._is_reserved and self._connections.is_crowded

    def release(self) -> None:
        self._connections.release(self._address)


class OpenConnections:
    """Counts the connections of a process, in all and by address.

    A trusted proxy has any number of connections: its clients are limited by their requests and sockets.
    """

    def __init__(self, limit: int, address_limit: int, proxies: Iterable[str] = ()) -> None:
        self._limit = limit
        self._unreserved = limit - limit * RESERVED_PERCENT // 100
        self._address_limit = address_limit
        self._proxies = [ip_network(proxy) for proxy in proxies]
        self._count = 0
        self._by_address: Counter[str] = Counter()
        self._silent: dict[Evictable, float] = {}  # connections without a request, and since when; the oldest first
        self._answers = RateLimit(ANSWERED_REFUSALS, 1)
        self.refused = 0

    @property
    def is_crowded(self) -> bool:
        """Return True if only reserved places are left."""
        return self._count >= self._unreserved

    def must_close(self, host: str) -> bool:
        """Return True if a new connection is not worth an answer: its address has too many, and has been told."""
        address = None if self._is_proxy(host) else counted_address(host)
        if address is None or self._by_address[address] < self._address_limit:
            return False
        now = asyncio.get_running_loop().time()
        return self.refused >= MAX_REFUSED_CONNECTIONS or self._answers.take(address, now) > 0

    def take(self, host: str) -> ConnectionPlace | Problem:
        """Return a place for a new connection, or why there is none."""
        address = None if self._is_proxy(host) else counted_address(host)
        if address and self._by_address[address] >= self._address_limit:
            return Problem(
                "too-many",
                "Too many connections are open from your address; close one, or try again later.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        while self.is_crowded and self._evict():
            pass
        if self._count >= self._limit:
            return unavailable("Too many clients are connected to the service now. Try again in a moment.")
        self._count += 1
        if address:
            self._by_address[address] += 1
        return ConnectionPlace(self, address, self._count > self._unreserved)

    def release(self, address: str | None) -> None:
        """Count a connection of the address as closed."""
        self._count -= 1
        if address:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def add_silent(self, connection: Evictable) -> None:
        """Note that the connection has a place, and has not sent a request yet."""
        self._silent[connection] = asyncio.get_running_loop().time()

    def remove_silent(self, connection: Evictable) -> None:
        """Note that the connection has sent a request or is closed."""
        self._silent.pop(connection, None)

    def _evict(self) -> bool:
        """Close the connection that has been silent for longest; return False if all have just been opened."""
        oldest, since = next(iter(self._silent.items()), (None, 0.0))
        if oldest is None or asyncio.get_running_loop().time() < since + SILENT_SECONDS:
            return False
        del self._silent[oldest]
        oldest.evict()
        return True

    def _is_proxy(self, host: str) -> bool:
        try:
            return bool(self._proxies) and any(ip_address(host) in network for network in self._proxies)
        except ValueError:
            return False
