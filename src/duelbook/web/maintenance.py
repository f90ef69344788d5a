"""Maintenance: recurring jobs, and timers that end a match when a player's time is up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from duelbook.web.clock import UPTIME_SECONDS, ServiceClock
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.store import Store
from duelbook.web.engine.agent_turns import AgentTurns
from duelbook.web.live.hub import Hub
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem
from duelbook.web.settings import Settings
from duelbook.web.tasks import cancel_all, start

RESYNC_SECONDS = 5.0  # between two checks of what watchers were sent against the store
PURGE_SECONDS = 60.0
MAX_TASKS = 100  # for matches that are ended or refreshed at the same time
MAX_TURNS = 10_000  # that were left behind and wait in this process; the others are taken when there are fewer
DEADLINE_MARGIN_SECONDS = 0.01  # after which the time is up by the clock of the service, too
DAY_SECONDS = 86_400
MAX_UNRECORDED = 3  # times in a row that another process may be recording the uptime at this moment

log = logging.getLogger("duelbook.web")

Job = Callable[[], Awaitable[None]]


class Maintenance:
    """Repeats its jobs until it is closed, and ends matches at their deadlines."""

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
        self.listeners: list[Callable[[float], None]] = []  # called with every uptime that was recorded
        self.jobs: list[tuple[Job, float]] = [  # with the seconds between two runs
            (self._record_uptime, UPTIME_SECONDS),
            (self._end_late_matches, UPTIME_SECONDS),
            (self._take_overdue_turns, UPTIME_SECONDS),
            (self.resync, RESYNC_SECONDS),
            (self._purge, PURGE_SECONDS),
        ]
        self._unrecorded = 0  # times in a row that the uptime was locked
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending, self._refreshing = MatchTasks(), MatchTasks()
        self._deadlines: dict[str, asyncio.TimerHandle] = {}

    async def start(self) -> None:
        """Continue from the recorded uptime, take the agents' turns that were interrupted, and start the jobs."""
        self._clock.set(await self._store.record_uptime(0.0) or 0.0)
        await self._take_turns(None)
        for job, seconds in self.jobs:
            start(self._repeat(job, seconds), self._tasks)

    async def close(self) -> None:
        for timer in self._deadlines.values():
            timer.cancel()
        await cancel_all({*self._tasks, *self._ending.tasks, *self._refreshing.tasks})

    async def _repeat(self, job: Job, seconds: float) -> None:
        while True:
            await self._run(job)
            await asyncio.sleep(seconds)

    async def _run(self, job: Job) -> None:
        try:
            await job()
        except StoreUnavailableError as error:
            log.warning("the database cannot be reached", extra={"why": str(error)})
        except Exception:
            log.exception("maintenance failed")

    async def _record_uptime(self) -> None:
        recorded = await self._store.record_uptime(self._clock.seconds())
        if recorded is None:
            self._unrecorded += 1
            if self._unrecorded > MAX_UNRECORDED:
                log.warning("another session has locked the uptime, so clocks stand still")
            return
        self._unrecorded = 0
        self._clock.set(recorded)
        for listener in self.listeners:
            listener(self._clock.seconds())

    async def _end_late_matches(self) -> None:
        """End the matches that another process left behind when the time of a person was up."""
        async for page in self._store.out_of_time(self._clock.seconds()):
            for match in page:
                if not self._registry.is_unservable(match):
                    await self._ending.start(match, partial(self._run, partial(self._end_if_out_of_time, match)))

    async def _end_if_out_of_time(self, match: str, version: int = 0, turn_started: float = 0.0) -> None:
        try:
            await self._registry.end_if_out_of_time(match, version, turn_started)
        except Problem as problem:
            log.info("a match could not be ended", extra={"match": match, "why": str(problem)})

    async def _take_overdue_turns(self) -> None:
        """Take the agents' turns that another process left behind."""
        await self._take_turns(self._clock.seconds() - 2 * self._settings.think_seconds)

    async def _take_turns(self, before: float | None) -> None:
        async for page in self._store.with_agent_due(before):
            for match in page:
                if self._agent_turns.recovered >= MAX_TURNS:
                    return  # the others are found again
                if not self._registry.is_unservable(match):
                    self._agent_turns.take(match)

    def notice(self, served: ServedMatch) -> None:
        """Set the timer for the end of the mover's time. A listener of the registry."""
        match = served.row.id
        if timer := self._deadlines.pop(match, None):
            timer.cancel()
        left = served.seconds_left
        if left is not None:
            turn = match, served.row.version, served.match.turn_started
            loop = asyncio.get_running_loop()
            self._deadlines[match] = loop.call_later(left + DEADLINE_MARGIN_SECONDS, self._reach_deadline, *turn)

    def _reach_deadline(self, match: str, version: int, turn_started: float) -> None:
        self._deadlines.pop(match, None)
        start(self._run(partial(self._end_if_out_of_time, match, version, turn_started)), self._tasks)

    async def resync(self) -> None:
        """Send watchers the changes that they have missed."""
        watched = self._hub.watched()
        for match, version in (await self._store.versions(watched)).items():
            if version > watched[match]:
                await self._refreshing.start(match, partial(self._run, partial(self._refresh, match, version)))

    async def _refresh(self, match: str, version: int) -> None:
        with suppress(Problem):  # the match was removed
            await self._registry.refresh(match, version)

    async def _purge(self) -> None:
        """Remove idle and finished matches that are old by the uptime: the time of day may be wrong."""
        for finished, days in ((False, self._settings.idle_days), (True, self._settings.finished_days)):
            if days:
                removed = await self._store.purge(self._clock.seconds() - days * DAY_SECONDS, finished=finished)
                if removed:
                    log.info(
                        "old matches were removed", extra={"count": removed, "finished": finished, "uptime_days": days}
                    )


class MatchTasks:
    """Tasks that run at the same time, at most one for a match: one that is stuck holds up no other."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()
        self._matches: set[str] = set()

    async def start(self, match: str, job: Job) -> None:
        """Start the job unless there is a task for the match. Wait while there are too many tasks."""
        if match in self._matches:
            return
        while len(self.tasks) >= MAX_TASKS:
            await asyncio.wait(self.tasks, return_when=asyncio.FIRST_COMPLETED)
        self._matches.add(match)
        start(self._run(match, job), self.tasks)

    async def _run(self, match: str, job: Job) -> None:
        try:
            await job()
        finally:
            self._matches.discard(match)
