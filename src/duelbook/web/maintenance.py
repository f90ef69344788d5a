"""Maintenance: what a process does now and then, whether or not anybody asks for something."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from duelbook.web.clock import BEAT, ServiceClock
from duelbook.web.db.store import Store
from duelbook.web.db.writer import StoreUnavailableError
from duelbook.web.engine.agent_turns import AgentTurns
from duelbook.web.live.hub import Hub
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.problems import Problem
from duelbook.web.settings import Settings
from duelbook.web.tasks import end

RESYNC = 5.0  # seconds between two comparisons of what watchers were sent with what is stored
PURGE = 3600.0
DAY = 86_400

log = logging.getLogger("duelbook.web")


class Maintenance:
    def __init__(
        self,
        settings: Settings,
        store: Store,
        clock: ServiceClock,
        registry: MatchRegistry,
        hub: Hub,
        agent_turns: AgentTurns,
    ) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._registry = registry
        self._hub = hub
        self._agent_turns = agent_turns
        self.listeners: list[Callable[[float], None]] = []  # told every uptime that has been noted
        self.works: list[tuple[Callable[[], Awaitable[None]], float]] = [  # with the seconds between
            (self._beat, BEAT),
            (self.resync, RESYNC),
            (self._purge, PURGE),
        ]
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Go on from the uptime that is noted, pick up the computers' turns, and keep at it."""
        self._clock.noted(await self._store.record_uptime(0.0))
        for match in await self._store.with_agent_due():
            self._agent_turns.take(match)
        for work, seconds in self.works:
            self._tasks.append(asyncio.create_task(self._repeat(work, seconds)))

    async def close(self) -> None:
        await end(self._tasks)

    async def _repeat(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        while True:
            try:
                await work()
            except StoreUnavailableError as error:
                log.warning("the database cannot be reached", extra={"why": str(error)})
            except Exception:
                log.exception("upkeep failed")
            await asyncio.sleep(seconds)

    async def _beat(self) -> None:
        """Note the uptime, end the matches whose time is up, and take turns that another process left."""
        self._clock.noted(await self._store.record_uptime(self._clock.seconds()))
        for listener in self.listeners:
            listener(self._clock.seconds())
        for match in await self._store.out_of_time(self._clock.seconds()):
            await self._glance(match)
        left = self._clock.seconds() - 2 * self._settings.think_seconds
        for match in await self._store.with_agent_due(left):
            self._agent_turns.take(match)

    async def _glance(self, match: str) -> None:
        try:
            await self._registry.read(match)  # which ends it
        except Problem:
            log.info("a match went away", extra={"match": match})

    async def resync(self) -> None:
        """Send watchers what they have missed."""
        watched = self._hub.watched()
        for match, version in (await self._store.versions(watched)).items():
            if version > watched[match]:
                await self._registry.changed_elsewhere(match, version)

    async def _purge(self) -> None:
        if self._settings.idle_days:
            before = int(self._clock.now().timestamp() - self._settings.idle_days * DAY)
            gone = await self._store.purge(before)
            if gone:
                log.info("idle matches were removed", extra={"count": gone})
