"""The service: its parts, put together, started and stopped."""

import asyncio
import json
import logging
from typing import TYPE_CHECKING

from pydantic_core import to_json

from duelbook.game import Player
from duelbook.records.record import SEATS
from duelbook.web import metrics
from duelbook.web.clock import BEAT, ServiceClock
from duelbook.web.db.store import Store
from duelbook.web.engine.agent_turns import Computers
from duelbook.web.engine.pool import ThinkerLostError, Thinking
from duelbook.web.http.rate_limits import Limiter
from duelbook.web.live.hub import Hub, Update
from duelbook.web.live.presence import Presence
from duelbook.web.maintenance import Upkeep
from duelbook.web.match.actions import Referee
from duelbook.web.match.lobby import Seating
from duelbook.web.match.registry import Matches
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import shown, view
from duelbook.web.settings import Settings
from duelbook.web.tasks import end

if TYPE_CHECKING:
    from duelbook.web.live.relay import Relay  # which needs the client of Redis, and most services do not

PRESENT = [json.dumps({"first": bool(seats & 1), "second": bool(seats & 2)}) for seats in range(4)]

log = logging.getLogger("duelbook.web")


class Service:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock = ServiceClock()
        self.store = Store(settings.database, megabytes=settings.sqlite_megabytes)
        self.hub = Hub()
        self.thinking = Thinking(settings.think_seconds, settings.study_seconds)
        self.matches = Matches(self.store, self.clock)
        self.referee = Referee(self.matches)
        self.seating = Seating(self.matches, self.thinking)
        self.computers = Computers(self.matches, self.thinking)
        self.limiter = Limiter(settings)
        self.upkeep = Upkeep(settings, self.store, self.clock, self.matches, self.hub, self.computers)
        self.presence = Presence(self.hub.attend, self._attend)
        self.upkeep.works.append((self.presence.beat, BEAT))
        self.relay = self._relay(settings.redis_url) if settings.redis_url else None
        self._warming: asyncio.Task[None] | None = None

    def _relay(self, url: str) -> "Relay":
        from duelbook.web.live.relay import Relay

        return Relay(url, self._heard, self._listening, self.clock.heard, self.presence.hear)

    async def start(self) -> None:
        """Start every part; may be tried again if the database is not there. Solutions are made ready meanwhile."""
        await self.upkeep.start()
        self.store.start()
        self.matches.watchers.append(self._publish)
        self.matches.listeners += [self.computers.notice, _count]
        if self.relay:
            self.matches.listeners.append(self.relay.notice)
            self.upkeep.listeners.append(self.relay.beat)
            self.relay.start()
        self._warming = asyncio.create_task(self._warm())

    async def stop(self) -> None:
        """Stop every part; what was begun with the database is finished."""
        if self._warming:
            await end([self._warming])
        await self.upkeep.close()
        await self.computers.close()
        if self.relay:
            await self.relay.close()
        self.thinking.close()
        await self.store.close()

    async def _warm(self) -> None:
        try:
            await self.thinking.warm()
        except (ThinkerLostError, TimeoutError) as error:
            log.warning("the computers could not be made ready", extra={"why": str(error)})

    def _publish(self, hosted: ServedMatch) -> None:
        if self.hub.is_watched(hosted.row.id):
            self.hub.publish(hosted.row.id, update(hosted))

    def _attend(self, words: str) -> None:
        if self.relay:
            self.relay.attend(words)

    async def _listening(self) -> None:
        self.presence.join()
        await self.upkeep.resync()

    async def _heard(self, match: str, version: int) -> None:
        if self.hub.is_watched(match):
            await self.matches.changed_elsewhere(match, version)


def update(hosted: ServedMatch) -> Update:
    """Answer the message that watchers get after a change, whoever made it."""
    return Update(hosted.row.version, f'{_head(hosted)}, "match": {_measured(hosted)}}}')


def greeting(hosted: ServedMatch, seat: Player | None, seats: int) -> Update:
    """Answer the first message of a socket: whose it is, who is there, and the view with the time that is left."""
    whose = json.dumps(None if seat is None else SEATS[seat])
    about = f'"seat": {whose}, "present": {PRESENT[seats | hosted.agents]}'
    return Update(hosted.row.version, f'{_head(hosted)}, {about}, "match": {_measured(hosted)}}}')


def _measured(hosted: ServedMatch) -> str:
    """Answer the view, with the time that is left now where there is a limit."""
    return shown(hosted) if hosted.row.time_limit is None else to_json(view(hosted)).decode()


def attendance(seats: int) -> str:
    """Answer the message about whose players are there; a computer always is."""
    return f'{{"type": "presence", "present": {PRESENT[seats]}}}'


def _head(hosted: ServedMatch) -> str:
    return f'{{"type": "view", "version": {hosted.row.version}, "ply": {hosted.row.ply}'


def _count(hosted: ServedMatch) -> None:
    metrics.changes.labels(hosted.row.game).inc()
