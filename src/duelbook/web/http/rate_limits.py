"""Rate limits for addresses and seats. Each process counts in memory, and tells the others what it counted."""

import asyncio
import ipaddress
import math
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
SINGLE_SECONDS = 1.0  # a client with one request in this time is not worth a message
MAX_SHARED_CLIENTS = 1000  # in one message; the counts of others are not shared
MAX_COUNTED_CLIENTS = 100_000  # of one kind; beyond it, those that have not come back for longest are forgotten
MESSAGES_PER_REQUEST = 5  # an address may send so many messages over sockets for each request that it may send
ADDRESS_DELAY_SECONDS = 1.0  # before an answer that says "too many": until then nothing more is read from the client,
SEAT_DELAY_SECONDS = 0.05  # or a flood would cost as much as if it were allowed
DELAY_SPREAD = 0.5  # of that delay is added to it at most, so that the connections of a client do not all go on at once
GOLDEN_RATIO = 0.6180339887  # its multiples are spread evenly between whole numbers
SOCKET_RETRY_SECONDS = 10

Counts = dict[str, dict[str, int]]  # requests by kind and client


class RateLimit:
    """The limit for one kind of request: so many at once, which a client regains evenly in a second or a minute.

    Of each client it knows only when it will have regained all it used (the generic cell rate algorithm).
    """

    def __init__(self, limit: int, seconds: int, delay_seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._interval = seconds / limit  # in which one request is regained
        self._delay_seconds = delay_seconds  # after which a client learns that it has exceeded the limit
        self._refusals = 0
        self._regained: dict[str, float] = {}  # when, by client
        self._regained_before: dict[str, float] = {}  # the same of clients that have not come since `_begun`
        self._begun = 0.0
        self._unshared: dict[str, int] = {}  # what the other processes do not know yet
        self._singles_since = 0.0

    @property
    def counted(self) -> int:
        """How many clients it knows of at most."""
        return len(self._regained) + len(self._regained_before)

    def take(self, client: str, now: float) -> float:
        """Count a request of the client, and return 0; or return the seconds until it may make one."""
        regained = max(self._find(client, now), now) + self._interval
        if (wait := regained - now - self._seconds) > self._interval / 1000:  # rounding adds up
            return wait
        self._regained[client] = regained
        return 0.0

    def note(self, client: str) -> None:
        """Note a request that the other processes should know of."""
        self._unshared[client] = self._unshared.get(client, 0) + 1

    def add(self, client: str, requests: int, now: float) -> None:
        """Count requests that another process has allowed. Together they may have allowed too many, up to a limit."""
        regained = max(self._find(client, now), now) + requests * self._interval
        self._regained[client] = min(regained, now + 2 * self._seconds - self._interval)

    def _find(self, client: str, now: float) -> float:
        """Return when the client has regained all; and forget clients that have, without looking for them."""
        if now >= self._begun + 2 * self._seconds or len(self._regained) >= MAX_COUNTED_CLIENTS:
            self._regained_before, self._regained, self._begun = self._regained, {}, now
        return self._regained.get(client) or self._regained_before.get(client, 0.0)

    def refuse(self, wait: float) -> Problem:
        """Return the problem of a client that has to wait so many seconds."""
        seconds = max(math.ceil(wait), 1)
        problem = Problem(
            "too-many",
            f"Too many requests; try again in {plural(seconds, 'second')}.",
            headers={"Retry-After": str(seconds)},
        )
        problem.delay_seconds = self._delay_seconds * (1 + DELAY_SPREAD * (self._refusals * GOLDEN_RATIO % 1))
        self._refusals += 1
        return problem

    def take_unshared(self, now: float) -> dict[str, int]:
        """Return what the other processes should know. Of most clients that is nothing: one request in this second."""
        least = 1 if self._seconds > 1 else 2
        shared = [(client, count) for client, count in self._unshared.items() if count >= least]
        if now >= self._singles_since + SINGLE_SECONDS:
            self._unshared, self._singles_since = {}, now
        else:
            self._unshared = {client: count for client, count in self._unshared.items() if count < least}
        return dict(shared[:MAX_SHARED_CLIENTS])


class Limiter:
    """Raises Problem for a request or a socket that exceeds a limit. It never waits for other processes."""

    def __init__(self, settings: Settings, send: Callable[[str], None] | None = None) -> None:
        self._limits = {
            "address": RateLimit(settings.address_limit, 1, ADDRESS_DELAY_SECONDS),
            "message": RateLimit(settings.address_limit * MESSAGES_PER_REQUEST, 1, ADDRESS_DELAY_SECONDS),
            "seat": RateLimit(settings.move_limit, 1, SEAT_DELAY_SECONDS),
            "create": RateLimit(settings.create_limit, 60),
            "challenge": RateLimit(settings.challenge_limit, 60),
            "study": RateLimit(settings.study_limit, 60),
            "picture": RateLimit(settings.picture_limit, 60),
        }
        self._send = send  # a message to the other processes, if there are any
        self._process = new_id()
        self._sharing: asyncio.TimerHandle | None = None
        self._sockets: Counter[str] = Counter()
        self._socket_limit = settings.socket_limit

    def check(self, kind: str, client: str) -> None:
        """Count one more request of the kind from the client; raise Problem if that is too many."""
        loop, limit = asyncio.get_running_loop(), self._limits[kind]
        if wait := limit.take(client, loop.time()):
            raise limit.refuse(wait)
        if self._send:
            limit.note(client)
            if self._sharing is None:
                self._sharing = loop.call_later(SHARE_SECONDS, self._share)

    def _share(self) -> None:
        """Tell the other processes what was counted since the last time."""
        self._sharing = None
        now = asyncio.get_running_loop().time()
        counts = {kind: shared for kind, limit in self._limits.items() if (shared := limit.take_unshared(now))}
        if counts and self._send:
            self._send(json.encode((self._process, counts)).decode())

    def receive(self, message: str) -> None:
        """Add what another process counted. A message that gets lost only makes the limits less strict."""
        process, counts = json.decode(message, type=tuple[str, Counts])
        if process != self._process:
            now = asyncio.get_running_loop().time()
            for kind, clients in counts.items():
                for client, requests in clients.items():
                    self._limits[kind].add(client, requests, now)

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
