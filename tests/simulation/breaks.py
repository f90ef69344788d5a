"""Deliberate breaks of the service, to show that the simulation finds them."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from sqlalchemy import ColumnElement, select, update

from duelbook.web.clock import ServiceClock
from duelbook.web.db import changes
from duelbook.web.db.changes import CHANGING_COLUMNS, Statements
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.row_parameters import packed_rows, unpacked_rows
from duelbook.web.db.store import Store
from duelbook.web.db.tables import IS_DUE, matches
from duelbook.web.db.writer import Writer
from duelbook.web.engine.agent_turns import AgentTurn, AgentTurns
from duelbook.web.engine.supervisor import EngineUnavailableError, OnProgress, Worker, ignore_progress
from duelbook.web.live.presence import ALL, REQUEST, Presence
from duelbook.web.live.relay import Relay
from duelbook.web.maintenance import DAY_SECONDS, Maintenance
from duelbook.web.match import actions, served_match
from duelbook.web.match.claims import Claims
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from tests.simulation import checker
from tests.simulation.cluster import STARTED_AT, Cluster

log = logging.getLogger("duelbook.web")

Break = Callable[[pytest.MonkeyPatch, Cluster], None]


def acknowledge_before_commit(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A move is acknowledged at once and committed a little later."""
    real = Writer.apply
    later: set[asyncio.Task[None]] = set()

    async def delayed(self: Writer, *changes: Any) -> None:
        await asyncio.sleep(0.2)
        await real(self, *changes)

    async def apply(self: Writer, *changes: Any) -> None:
        later.add(asyncio.create_task(delayed(self, *changes)))

    patch.setattr(Writer, "apply", apply)


def no_unique_key(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A second writer is accepted: versions are not checked, and rows are overwritten."""
    how = Statements("sqlite")
    how.new = {table: statement.prefix_with("OR REPLACE") for table, statement in how.new.items()}
    match = unpacked_rows("sqlite", matches.c)
    unchecked = update(matches).where(matches.c.id == match.c.id)
    how.change_match = unchecked.values({name: match.c[name] for name in CHANGING_COLUMNS})
    how.advance_match = unchecked.values({name: match.c[name] for name in ("version", "ply", "turn_started")})
    patch.setattr(changes, "statements", lambda _: how)
    patch.setattr(changes, "_write_rows", lambda connection, *what: connection.execute(what[0], packed_rows(what[1])))


def forget_answers(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Retries are not recognized."""
    patch.setattr(actions, "find_retried_line", lambda *_: None)


def forget_agents(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Agents' turns that a restart interrupted are not taken."""

    async def none(*_: Any) -> AsyncIterator[list[str]]:
        return
        yield

    patch.setattr(Store, "with_agent_due", none)


def never_resync(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Messages that Redis loses are lost for good."""

    async def nothing(_: Maintenance) -> None: ...

    patch.setattr(Maintenance, "resync", nothing)


def swallow_errors(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A change that could not be written is acknowledged."""
    real = Writer._try_write

    async def written(self: Writer, jobs: Any, check: bool = False) -> Sequence[Exception | None]:
        ends = await real(self, jobs, check)
        return [None if isinstance(end, StoreUnavailableError) else end for end in ends]

    patch.setattr(Writer, "_try_write", written)


def end_turns_exactly(patch: pytest.MonkeyPatch) -> None:
    """Give and allow no time in which a move may have been stored: it is as long as a fault, and would hide breaks."""
    for module in (served_match, checker):
        patch.setattr(module, "COMMIT_SECONDS", 0.0)


def charge_down_time(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Clocks run on while the service is down."""
    patch.setattr(ServiceClock, "seconds", lambda _: cluster.loop.time())
    end_turns_exactly(patch)


def wait_for_redis(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """The answer to a move waits for Redis."""
    real = Store.apply

    async def apply(self: Store, *changes: Any) -> None:
        await real(self, *changes)
        with suppress(OSError):
            await cluster.channel.open(0).publish("waiting")

    patch.setattr(Store, "apply", apply)


def lost_last_write(_: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """A crash loses the last transaction, although it was acknowledged."""
    cluster.store.keeps_last_write = False


def no_time_limit(_: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Nothing limits how long the service waits for its store."""
    cluster.store.limit = None


# Defects that were mended, put back


def purge_by_time_of_day(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Idle matches are removed by the time of day, which may jump."""

    async def purge(self: Maintenance) -> None:
        days = (self._clock.now() - STARTED_AT).total_seconds() / DAY_SECONDS - self._settings.idle_days
        await self._store.purge(days * DAY_SECONDS)

    patch.setattr(Maintenance, "_purge", purge)


def only_first_page(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """Of the turns that are due only the first few are looked at, computers' turns and persons' clocks together."""

    def due(self: Store, before: float | None = None) -> AsyncIterator[Sequence[str]]:
        return pages(self, *([] if before is None else [matches.c.due < before]))

    async def pages(self: Store, *conditions: "ColumnElement[bool]") -> AsyncIterator[Sequence[str]]:
        found = await self._read(select(matches.c.id).where(IS_DUE, *conditions).order_by(matches.c.id).limit(1))
        yield [match for (match,) in found]

    patch.setattr(Store, "with_agent_due", due)
    patch.setattr(Store, "out_of_time", due)


def give_up_turns(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """An agent's turn is given up when it has failed three times."""
    real, failures = AgentTurns._play, Counter[tuple[AgentTurns, str]]()

    async def play(self: AgentTurns, turn: AgentTurn, work: Any) -> ServedMatch:
        try:
            return await real(self, turn, work)
        except (EngineUnavailableError, StoreUnavailableError) as error:
            failures[self, turn.row.id] += 1
            if failures[self, turn.row.id] == 3:
                await asyncio.Event().wait()
            raise error

    patch.setattr(AgentTurns, "_play", play)


def pass_on_worker_failures(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A worker that ends in the middle is not replaced, and its failure is nobody's business."""

    async def run(
        self: Worker, kind: Any, seconds: float, task: str, on_progress: OnProgress = ignore_progress, **arguments: Any
    ) -> Any:
        question = msgspec.json.encode({"task": task, **arguments}) + b"\n"
        try:
            return await self._ask(kind, seconds, question, on_progress)
        except BaseException:
            self.kill()
            raise

    patch.setattr(Worker, "run", run)


def drop_subscription(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A change that cannot be loaded since the database is lost drops the subscription to Redis."""

    async def receive(self: Relay) -> None:
        while True:
            try:
                async with self._channel.subscribed() as next_message:
                    await self._on_connect()
                    while True:
                        self._take(await next_message())
                        while not self._jobs.empty():
                            await self._jobs.get_nowait()()
            except OSError:
                pass
            except Exception:
                log.exception("a message from Redis could not be processed")
            await asyncio.sleep(1)

    async def nothing(_: Relay) -> None: ...

    patch.setattr(Relay, "_receive", receive)
    patch.setattr(Relay, "_work", nothing)


def forget_lost_presence(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A process that missed a message about who is present does not ask for it."""
    real = Presence.receive

    def receive(self: Presence, process: str, words: list[str]) -> None:
        changes = int(words[0])
        if words[1:] not in ([], [REQUEST]) and words[1] != ALL and self._known_changes.get(process, -1) < changes:
            self._known_changes[process] = changes - 1  # as if nothing were missing
        elif not words[1:]:
            self._known_changes[process] = changes
        real(self, process, words)

    patch.setattr(Presence, "receive", receive)


def start_behind(patch: pytest.MonkeyPatch, _: Cluster) -> None:
    """A process that starts does not ask the others for the uptime, so its clock is up to a second behind theirs."""
    patch.setattr(Relay, "request_uptime", lambda _: None)


def claim_at_once(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """A win can be claimed without waiting."""
    patch.setattr(ServedMatch, "claim_seconds_left", property(lambda _: 0.0))


def claim_against_the_present(patch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    """Claims do not look whether a player is there."""
    real = Claims.__init__

    def blind(claims: Claims, registry: MatchRegistry, *_: Any) -> None:
        real(claims, registry, lambda _: 0, lambda _: 0, cluster.settings.claim_seconds)

    patch.setattr(Claims, "__init__", blind)


BREAKS: dict[str, Break] = {
    broken.__name__.replace("_", "-"): broken
    for broken in (
        acknowledge_before_commit,
        no_unique_key,
        forget_answers,
        forget_agents,
        never_resync,
        swallow_errors,
        charge_down_time,
        wait_for_redis,
        lost_last_write,
        no_time_limit,
        purge_by_time_of_day,
        only_first_page,
        give_up_turns,
        pass_on_worker_failures,
        drop_subscription,
        forget_lost_presence,
        start_behind,
        claim_at_once,
        claim_against_the_present,
    )
}
