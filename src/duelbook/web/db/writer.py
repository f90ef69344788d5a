"""The writer: changes that arrive at the same time are committed together, and acknowledged after the commit."""

import asyncio
import logging
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.exc import IntegrityError

from duelbook.web.db.changes import LOCKED, write_jobs
from duelbook.web.db.database import Database
from duelbook.web.db.errors import NO_ANSWER, TOO_BUSY, ConflictError, StoreUnavailableError
from duelbook.web.db.health import WriteHealth
from duelbook.web.db.tables import Change
from duelbook.web.db.threads import WORK_SECONDS
from duelbook.web.tasks import cancel_all

MAX_BATCH = 256  # jobs in one transaction
MAX_WAITING_JOBS = 20 * MAX_BATCH  # more are refused at once: they could not be written in time
WAIT_SECONDS = 3.0  # after which a change that has not been tried is refused
COMMIT_SECONDS = WAIT_SECONDS + WORK_SECONDS  # after which a change is committed, if it ever is
LOCK_SECONDS = 2.5  # for another session to release its lock on a match
LOCK_RETRY_SECONDS = 0.02
GATHER_SECONDS = 0.001  # to wait for more changes, for each change of the transaction before; that costs more than rows
MAX_GATHER_SECONDS = 0.008


log = logging.getLogger("duelbook.web")


class _Job(NamedTuple):
    changes: Sequence[Change]
    done: "asyncio.Future[None]"
    since: float  # on the clock of the event loop


class Writer:
    """Commits changes in batches, and wakes each caller when its change is durable."""

    def __init__(self, database: Database, health: WriteHealth) -> None:
        self._database = database
        self._health = health
        self._jobs: list[_Job] = []
        self._locked = 0  # jobs whose match another session has locked; they are tried again
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    @property
    def waiting(self) -> int:
        """How many jobs are not written yet."""
        return len(self._jobs) + self._locked

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        while (self._jobs or self._locked) and self._task and not self._task.done():
            await asyncio.sleep(0.01)
        if self._task:
            await cancel_all([self._task])

    async def apply(self, *changes: Change) -> None:
        """Write all of the changes or none; return once they are committed."""
        if len(self._jobs) >= MAX_WAITING_JOBS:
            raise StoreUnavailableError("too many changes are waiting", TOO_BUSY)
        loop = asyncio.get_running_loop()
        job = _Job(changes, loop.create_future(), loop.time())
        self._put(job)
        await job.done

    def _put(self, job: _Job) -> None:
        self._jobs.append(job)
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            batch = self._jobs[:MAX_BATCH]
            await self._commit(self._still_wanted(batch))
            del self._jobs[: len(batch)]
            if len(batch) > 1:
                await asyncio.sleep(min(GATHER_SECONDS * len(batch), MAX_GATHER_SECONDS))
            if not self._jobs:
                self._wake.clear()

    def _still_wanted(self, batch: Sequence[_Job]) -> Sequence[_Job]:
        """Return the jobs that have not waited too long. The others fail: nothing of them was written."""
        oldest = asyncio.get_running_loop().time() - WAIT_SECONDS
        for job in batch:
            if job.since < oldest:
                _finish(job, StoreUnavailableError("the change waited too long", TOO_BUSY))
        return [job for job in batch if not job.done.done()]

    async def _commit(self, batch: Sequence[_Job], check: bool = False) -> None:
        """Write the batch. If that fails, write it without the changes of matches that are not as expected."""
        if not batch:
            return
        ends = await self._try_write([job.changes for job in batch], check)
        if len(batch) == 1 or not _failed_together(ends):
            for job, end in zip(batch, ends, strict=True):
                self._retry_later(job) if end is LOCKED else _finish(job, end)
        elif not check:
            await self._commit(self._still_wanted(batch), check=True)
        else:
            for job in batch:  # one by one, so that only the job at fault fails
                await self._commit(self._still_wanted([job]))

    async def _try_write(self, jobs: Sequence[Sequence[Change]], check: bool = False) -> Sequence[Exception | None]:
        """Write the jobs in one transaction; return the error of each, the same one if all failed together."""
        error: Exception
        try:
            ends = await self._database.run(lambda connection: write_jobs(connection, jobs, check))
        except (ConflictError, IntegrityError) as conflict:
            error = ConflictError(str(conflict))
        except StoreUnavailableError as unavailable:
            log.warning("changes could not be written", extra={"count": len(jobs), "why": str(unavailable)})
            self._health.changes_failed(unavailable)
            error = unavailable
        except Exception as bug:  # of Duelbook or the driver, such as a bad value; the writer must keep running
            error = bug
        else:
            self._health.changes_written()
            return ends
        return [error] * len(jobs)

    def _retry_later(self, job: _Job) -> None:
        """Try to write the job again while there is time. Other jobs are written meanwhile."""
        loop = asyncio.get_running_loop()
        if loop.time() - job.since < LOCK_SECONDS:
            self._locked += 1
            loop.call_later(LOCK_RETRY_SECONDS, self._retry, job)
        else:
            log.warning("a match is locked by another session", extra={"match": job.changes[0].match.id})
            _finish(job, StoreUnavailableError("the match is locked by another session", NO_ANSWER))

    def _retry(self, job: _Job) -> None:
        self._locked -= 1
        self._put(job)


def _failed_together(ends: Sequence[Exception | None]) -> bool:
    """Return True if one of the jobs may have made the others fail."""
    first = ends[0]
    if first is None or first is LOCKED or isinstance(first, StoreUnavailableError):
        return False
    return {*ends} == {first}


def _finish(job: _Job, error: Exception | None) -> None:
    if job.done.done():
        return
    if error is None:
        job.done.set_result(None)
    else:
        job.done.set_exception(error)
