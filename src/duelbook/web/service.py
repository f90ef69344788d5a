"""The service: its parts, put together, started and stopped."""

import asyncio
import logging

from msgspec import json

from duelbook.web import metrics
from duelbook.web.backends import Backends
from duelbook.web.clock import UPTIME_SECONDS, ServiceClock
from duelbook.web.db.store import Store
from duelbook.web.engine.agent_turns import AgentTurns
from duelbook.web.engine.pictures import Pictures
from duelbook.web.engine.pool import WorkerPool
from duelbook.web.engine.studies import Studies
from duelbook.web.engine.supervisor import COMPILE_SECONDS, EngineUnavailableError
from duelbook.web.live.hub import Hub, Update
from duelbook.web.live.presence import Presence
from duelbook.web.live.relay import Relay
from duelbook.web.maintenance import Maintenance
from duelbook.web.match.actions import MatchActions
from duelbook.web.match.challenges import Challenges
from duelbook.web.match.claims import Claims
from duelbook.web.match.help import MatchHelp
from duelbook.web.match.listings import Listings
from duelbook.web.match.lobby import Lobby
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import view_message
from duelbook.web.settings import Settings
from duelbook.web.tasks import cancel_all, start

REAL_BACKENDS = Backends()
EXPIRY_CHECK_SECONDS = 5.0  # between two looks at the open challenges

log = logging.getLogger("duelbook.web")


class Service:
    """All parts of the service in one process.

    After a change is durable the registry calls its listeners: the agents, the deadlines, the metrics and the relay
    to other processes. It calls its watchers, which publish the view to sockets, after changes of other processes, too.
    """

    def __init__(self, settings: Settings, backends: Backends = REAL_BACKENDS) -> None:
        self.settings = settings
        self.clock = ServiceClock(backends.now)
        self.store = Store(backends.open_databases(settings.database, settings.sqlite_megabytes))
        self.hub = Hub()
        self.engine = WorkerPool(settings.think_seconds, settings.study_seconds, backends.start_worker)
        self.studies = Studies()
        self.pictures = Pictures(self.engine)
        self.registry = MatchRegistry(self.store, self.clock, is_shared=bool(settings.redis_url))
        self.agent_turns = AgentTurns(self.registry, self.engine, settings.agent_limits)
        self.presence = Presence(self.hub.publish_presence, self._relay_presence)
        present = self.presence.seats
        self.lobby = Lobby(self.registry, self.agent_turns.check_agent, self.engine.prepare, present)
        self.listings = Listings(self.registry, self.store, self.presence.matches)
        self.challenges = Challenges(self.registry, self.store, present)
        self.help = MatchHelp(self.registry, COMPILE_SECONDS + 2 * settings.study_seconds)
        self.claims = Claims(self.registry, present, self.presence.seats_here, settings.claim_seconds)
        self.actions = MatchActions(self.registry, self.claims)
        self.maintenance = Maintenance(settings, self.store, self.clock, self.registry, self.hub, self.agent_turns)
        self.maintenance.jobs += [
            (self.presence.send_heartbeat, UPTIME_SECONDS),
            (self._measure, UPTIME_SECONDS),
            (self.challenges.expire, EXPIRY_CHECK_SECONDS),
        ]
        self.relay: Relay | None = None
        if settings.redis_url:
            channel = backends.open_channel(settings.redis_url)
            self.relay = Relay(channel, self._refresh, self._resync, self._take_uptime, self.presence.receive)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start every part. Can be tried again if the database is not there yet. Agents are prepared meanwhile."""
        await self.maintenance.start()
        self.store.start()
        self.claims.start()
        self.registry.watchers += [self._publish, self.claims.notice]
        self.registry.listeners += [self.agent_turns.notice, self.maintenance.notice, _count]
        if self.relay:
            self.registry.listeners.append(self.relay.send_change)
            self.maintenance.listeners.append(self.relay.send_uptime)
            self.relay.start()
        start(self._warm(), self._tasks)

    async def stop(self) -> None:
        """Stop every part; transactions that have begun are finished."""
        await cancel_all(self._tasks)
        await self.maintenance.close()
        await self.agent_turns.close()
        await self.claims.close()
        if self.relay:
            await self.relay.close()
        await self.studies.close()
        await self.pictures.close()
        await self.engine.close()
        await self.store.close()

    async def _warm(self) -> None:
        try:
            await self.engine.warm()
        except EngineUnavailableError as error:
            log.warning("the agents could not be prepared", extra={"why": str(error)})

    def _publish(self, served: ServedMatch) -> None:
        if self.hub.is_watched(served.row.id):
            self.hub.publish(served.row.id, Update(served.row.version, json.encode(view_message(served))))

    def _relay_presence(self, words: str) -> None:
        if self.relay:
            self.relay.send_presence(words)

    def _take_uptime(self, seconds: float | None) -> None:
        if seconds is not None:
            self.clock.catch_up(seconds)
        elif self.relay:
            self.relay.send_uptime(self.clock.seconds())

    async def _measure(self) -> None:
        """Count what waits or is held in memory. Nothing of it may grow without end."""
        counts = {
            "changes": self.store.waiting,
            "messages": self.relay.waiting if self.relay else 0,
            "matches": len(self.registry),
            "coroutines": len(asyncio.all_tasks()),
        }
        for what, number in counts.items():
            metrics.waiting.labels(what).set(number)

    async def _resync(self) -> None:
        """Catch up with what the other processes did while the connection was lost."""
        self.presence.synchronize()
        if self.relay:
            self.relay.request_uptime()
        await self.maintenance.resync()

    async def _refresh(self, match: str, version: int) -> None:
        """Load a change that another process made if somebody watches the match here, and else when it is needed."""
        if self.hub.is_watched(match):
            await self.registry.refresh(match, version)
        else:
            self.registry.expect(match, version)


def _count(served: ServedMatch) -> None:
    metrics.labelled(metrics.changes, served.row.game).inc()
