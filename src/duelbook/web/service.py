"""The service: its parts, put together, started and stopped."""

import asyncio
import logging
from typing import TYPE_CHECKING

from msgspec import json

from duelbook.web import metrics
from duelbook.web.clock import BEAT, ServiceClock
from duelbook.web.db.store import Store
from duelbook.web.engine.agent_turns import AgentTurns
from duelbook.web.engine.pool import EngineUnavailableError, WorkerPool
from duelbook.web.http.rate_limits import Limiter
from duelbook.web.live.hub import Hub, Update
from duelbook.web.live.presence import Presence
from duelbook.web.maintenance import Maintenance
from duelbook.web.match.actions import MatchActions
from duelbook.web.match.lobby import Lobby
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import view_message
from duelbook.web.settings import Settings
from duelbook.web.tasks import end

if TYPE_CHECKING:
    from duelbook.web.live.relay import Relay  # which needs the client of Redis, and most services do not

log = logging.getLogger("duelbook.web")


class Service:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock = ServiceClock()
        self.store = Store(settings.database, megabytes=settings.sqlite_megabytes)
        self.hub = Hub()
        self.engine = WorkerPool(settings.think_seconds, settings.study_seconds)
        self.registry = MatchRegistry(self.store, self.clock)
        self.actions = MatchActions(self.registry)
        self.lobby = Lobby(self.registry, self.engine)
        self.agent_turns = AgentTurns(self.registry, self.engine)
        self.limiter = Limiter(settings)
        self.maintenance = Maintenance(settings, self.store, self.clock, self.registry, self.hub, self.agent_turns)
        self.presence = Presence(self.hub.attend, self._attend)
        self.maintenance.works.append((self.presence.beat, BEAT))
        self.relay = self._relay(settings.redis_url) if settings.redis_url else None
        self._warming: asyncio.Task[None] | None = None

    def _relay(self, url: str) -> "Relay":
        from duelbook.web.live.relay import Relay

        return Relay(url, self._heard, self._listening, self.clock.heard, self.presence.hear)

    async def start(self) -> None:
        """Start every part; may be tried again if the database is not there. Solutions are made ready meanwhile."""
        await self.maintenance.start()
        self.store.start()
        self.registry.watchers.append(self._publish)
        self.registry.listeners += [self.agent_turns.notice, _count]
        if self.relay:
            self.registry.listeners.append(self.relay.notice)
            self.maintenance.listeners.append(self.relay.beat)
            self.relay.start()
        self._warming = asyncio.create_task(self._warm())

    async def stop(self) -> None:
        """Stop every part; what was begun with the database is finished."""
        if self._warming:
            await end([self._warming])
        await self.maintenance.close()
        await self.agent_turns.close()
        if self.relay:
            await self.relay.close()
        self.engine.close()
        await self.store.close()

    async def _warm(self) -> None:
        try:
            await self.engine.warm()
        except (EngineUnavailableError, TimeoutError) as error:
            log.warning("the computers could not be made ready", extra={"why": str(error)})

    def _publish(self, served: ServedMatch) -> None:
        if self.hub.is_watched(served.row.id):
            self.hub.publish(served.row.id, Update(served.row.version, json.encode(view_message(served)).decode()))

    def _attend(self, words: str) -> None:
        if self.relay:
            self.relay.attend(words)

    async def _listening(self) -> None:
        self.presence.join()
        await self.maintenance.resync()

    async def _heard(self, match: str, version: int) -> None:
        if self.hub.is_watched(match):
            await self.registry.changed_elsewhere(match, version)


def _count(served: ServedMatch) -> None:
    metrics.changes.labels(served.row.game).inc()
