"""Rate limits for addresses and seats. Each process counts in memory, and tells the others what it counted."""

import asyncio
import ipaddress
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from msgspec import json

from duelbook.text import plural
from duelbook.web.match.tokens import new_id
from duelbook.web.problems import Problem
from duelbook.web.settings import Settings

SHARE_SECONDS = 0.1  # between messages to the other processes
MAX_SHARED_CLIENTS = 1000  # in one message; the counts of others are not shared
MESSAGES_PER_REQUEST = 5  # an address may send so many messages over sockets for each request that it may send
ADDRESS_DELAY_SECONDS = 1.0  # before an answer that says "too many": until then nothing more is read from the client,
SEAT_DELAY_SECONDS = 0.05  # or a flood would cost as much as if it were allowed
SOCKET_RETRY_SECONDS = 10

Counts = dict[str, dict[str, int]]  # requests by kind and client


class RateLimit:
    """The limit for one kind of request, and how many each client has made in the current second or minute."""

    __slots__ = ("_counts", "_ends_at", "_limit", "delay_seconds", "seconds", "unshared")

    def __init__(self, limit: int, seconds: int, delay_seconds: float = 0.0) -> None:
        self._limit = limit
        self.seconds = seconds
        self.delay_seconds = delay_seconds  # after which a client learns that it has exceeded the limit
        self._ends_at = 0.0
        self._counts: dict[str, int] = {}
        self.unshared: dict[str, int] = {}  # what the other processes do not know yet

    def add(self, client: str, requests: int = 1) -> bool:
        """Count requests of the client. Return True if they are within the limit."""
        now = asyncio.get_running_loop().time()
        if now >= self._ends_at:
            self._ends_at = now + self.seconds
            self._counts = {}
        count = self._counts[client] = self._counts.get(client, 0) + requests
        return count <= self._limit

    def take_unshared(self) -> dict[str, int]:
        """Return what the other processes should know. Of most clients that is nothing: one request in this second."""
        unshared, self.unshared = self.unshared, {}
        least = 1 if self.seconds > 1 else 2
        shared = [(client, count) for client, count in unshared.items() if self._counts.get(client, 0) >= least]
        return dict(shared[:MAX_SHARED_CLIENTS])


class Limiter:
    """Raises Problem for a request or a socket that exceeds a limit. It never waits for other processes."""

    def __init__(self, settings: Settings, send: Callable[[str], None] | None = None) -> None:
        self._limits = {
            "address": RateLimit(settings.address_limit, 1, ADDRESS_DELAY_SECONDS),
            "message": RateLimit(settings.address_limit * MESSAGES_PER_REQUEST, 1, ADDRESS_DELAY_SECONDS),
            "seat": RateLimit(settings.move_limit, 1, SEAT_DELAY_SECONDS),
            "create": RateLimit(settings.create_limit, 60),
            "study": RateLimit(settings.study_limit, 60),
        }
        self._send = send  # a message to the other processes, if there are any
        self._process = new_id()
        self._sharing: asyncio.TimerHandle | None = None
        self._sockets: Counter[str] = Counter()
        self._socket_limit = settings.socket_limit

    def check(self, kind: str, client: str) -> None:
        """Count one more request of the kind from the client; raise Problem if that is too many."""
        limit = self._limits[kind]
        is_within = limit.add(client)
        if self._send:
            limit.unshared[client] = limit.unshared.get(client, 0) + 1
            if self._sharing is None:
                self._sharing = asyncio.get_running_loop().call_later(SHARE_SECONDS, self._share)
        if not is_within:
            problem = Problem(
                "too-many",
                f"Too many requests; try again in {plural(limit.seconds, 'second')}.",
                headers={"Retry-After": str(limit.seconds)},
            )
            problem.delay_seconds = limit.delay_seconds
            raise problem

    def _share(self) -> None:
        """Tell the other processes what was counted since the last time."""
        self._sharing = None
        counts = {kind: shared for kind, limit in self._limits.items() if (shared := limit.take_unshared())}
        if counts and self._send:
            self._send(json.encode((self._process, counts)).decode())

    def receive(self, message: str) -> None:
        """Add what another process counted. A message that gets lost only makes the limits less strict."""
        process, counts = json.decode(message, type=tuple[str, Counts])
        if process != self._process:
            for kind, clients in counts.items():
                for client, requests in clients.items():
                    self._limits[kind].add(client, requests)

    @contextmanager
    def socket(self, address: str) -> Iterator[None]:
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


def client_address(scope: Mapping[str, Any]) -> str:
    """Return what a client is counted by: its IPv4 address, or its IPv6 network of 64 bits (one household)."""
    client = scope.get("client")
    return counted_address(client[0] if client else "unknown")


@lru_cache(maxsize=1024)
def counted_address(host: str) -> str:
    """Return what a host is counted by."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(address.ipv4_mapped or ipaddress.ip_network((address.packed, 64), strict=False))
