"""Soak: players of every kind for a long time, while worker processes are killed, with bounds on what may grow.

There are two workers on PostgreSQL and Redis; without those, one on SQLite that is not killed.
"""

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from benchmarks.service.clients import Client, wait_until_prepared
from benchmarks.service.crowd import Crowd
from benchmarks.service.figures import print_table, quantile
from benchmarks.service.load import running_tasks, wait
from benchmarks.service.plan import Plan
from benchmarks.service.server import Server, running_backends, running_server
from benchmarks.service.usage import open_files, resident, threads
from tests.support.service.backends import Missing

WORKERS = 2
SAMPLES = 30  # in a run
MIN_SAMPLE_SECONDS, RESTART_SECONDS = 5.0, 45.0
WARM_UP_SHARE, MIN_WARM_UP_SECONDS = 0.2, 60.0  # after which nothing may grow any more
QUIET_SECONDS = 15.0  # after which the connections of a crowd that has gone are closed
METRIC = re.compile(r"^(duelbook_(?:sockets|tasks|waiting)(?:\{[^}]*\})?) (\S+)$", re.MULTILINE)
FAULTS = (b"Traceback", b'"level": "error"', b'"level":"error"')

# The bounds
MAX_GROWTH_MEGABYTES, MAX_GROWTH_MEGABYTES_PER_HOUR = 10.0, 20.0  # of a worker after the warm-up
MAX_MORE_FILES, MAX_MORE_THREADS, MAX_MORE_COROUTINES = 20, 4, 20  # of a worker once it is quiet again
MAX_LEFT = 5  # sockets, tasks, changes or messages that wait once it is quiet again; heartbeats go on
MAX_P50_DRIFT, MAX_P99_DRIFT = 1.5, 3.0  # of the last third to the first one after the warm-up
REFERENCE_WORK = 3_000_000  # numbers to add up
DRIFT_MILLISECONDS = 10.0  # that do not count as drift


@dataclass(frozen=True)
class Sample:
    """What was found at one time."""

    seconds: float
    moves: Sequence[float]  # the seconds that each took since the last sample
    megabytes: float  # of the worker that is never killed
    all_megabytes: float  # of all workers
    files: int
    threads: int
    gauges: dict[str, float]
    machine: float  # seconds that the machine needs for a fixed amount of work, alone or beside others

    def row(self, rate: float) -> list[str]:
        waiting = sum(value for name, value in self.gauges.items() if "changes" in name or "messages" in name)
        return [
            f"{self.seconds:.0f}",
            f"{rate:,.0f}",
            f"{1000 * quantile(self.moves, 0.5):.1f}",
            f"{1000 * quantile(self.moves, 0.99):.1f}",
            f"{self.megabytes:.1f}",
            f"{self.all_megabytes:.1f}",
            str(self.files),
            str(self.threads),
            f"{self.gauges.get(COROUTINES, 0):.0f}",
            f"{waiting:.0f}",
            f"{self.gauges.get('duelbook_sockets', 0):.0f}",
            f"{1000 * self.machine:.0f}",
        ]


COROUTINES = 'duelbook_waiting{what="coroutines"}'
HEAD = (
    "s",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "MB",
    "MB of all",
    "files",
    "threads",
    "coroutines",
    "waiting",
    "sockets",
    "work ms",
)


async def run(plan: Plan) -> None:
    with soaked_server() as server:
        workers = server.settings.get("workers", 1)
        print(f"soak: {plan.soak_seconds:g} s, {workers} workers", flush=True)
        await wait_until_prepared(server)
        soak = Soak(server, plan.seed)
        before = await soak.sample()
        await soak.run(plan.soak_seconds)
        await asyncio.sleep(QUIET_SECONDS)
        after = await soak.sample()
        print_table(HEAD, [sample.row(rate) for sample, rate in soak.rates()])
        print(f"  {soak.crowd.summary()}; {soak.restarts} workers killed")
        violated = [*soak.violated(before, after), *log_faults(server)]
    for bound in violated:
        print(f"    MISSED: {bound}")
    if violated:
        sys.exit("The soak has violated its bounds.")
    print("    all bounds hold: memory, files, threads, coroutines, queues, latency, moves, agents' turns, log")


@contextmanager
def soaked_server() -> Iterator[Server]:
    with ExitStack() as stack:
        settings: dict[str, Any] = {}
        with suppress(Missing):
            backends = stack.enter_context(running_backends())
            settings = backends.settings(workers=WORKERS)
        yield stack.enter_context(running_server("info", metrics="on", **settings))


class Soak:
    """A run: the crowd, the restarts, and the samples."""

    def __init__(self, server: Server, seed: int) -> None:
        self.crowd = Crowd(server.port, seed)
        self.restarts = 0
        self._server = server
        self._survivor, *_ = server.workers()
        self._start = time.perf_counter()
        self._samples: list[Sample] = []

    async def run(self, seconds: float) -> None:
        """Let the crowd play, and take samples."""
        self._seconds = seconds
        every = max(MIN_SAMPLE_SECONDS, seconds / SAMPLES)
        self._start = time.perf_counter()
        async with running_tasks([self.crowd.run(), self._restart_workers()]) as tasks:
            for number in count(1):
                if number * every > seconds:
                    break
                await wait(tasks, self._start + number * every - time.perf_counter())
                self._samples.append(await self.sample())
            self.crowd.stop()
            await asyncio.wait([tasks[0]])
            tasks[0].result()

    async def sample(self) -> Sample:
        moves, self.crowd.moves = self.crowd.moves, []
        client = Client(self._server.port)
        with suppress(OSError):  # the worker may just have been killed
            page = (await client.ask("GET", "/metrics")).body.decode()
        client.close()
        return Sample(
            time.perf_counter() - self._start,
            moves,
            resident([self._survivor]),
            resident(self._server.workers()),
            open_files(self._survivor),
            threads(self._survivor),
            {name: float(value) for name, value in METRIC.findall(page)},
            machine_seconds(),
        )

    async def _restart_workers(self) -> None:
        """Kill the workers other than the first one, now and then; others take their place."""
        while True:
            await asyncio.sleep(RESTART_SECONDS)
            for victim in self._server.workers():
                if victim != self._survivor:
                    os.kill(victim, signal.SIGKILL)
                    self.restarts += 1

    def rates(self) -> Iterator[tuple[Sample, float]]:
        """Yield each sample with the moves a second before it."""
        last = 0.0
        for sample in self._samples:
            yield sample, len(sample.moves) / (sample.seconds - last)
            last = sample.seconds

    def violated(self, before: Sample, after: Sample) -> Iterator[str]:
        """Yield the bounds that do not hold."""
        warm = max(MIN_WARM_UP_SECONDS, WARM_UP_SHARE * self._seconds)
        samples = [sample for sample in self._samples if sample.seconds >= warm]
        yield from self.crowd.wrong
        if len(samples) < 3:
            yield f"The run is too short: nothing was measured after the warm-up of {warm:g} s."
            return
        yield from self._grown(samples)
        yield from drifted(samples)
        for what, more, limit in (
            ("files", after.files - before.files, MAX_MORE_FILES),
            ("threads", after.threads - samples[0].threads, MAX_MORE_THREADS),
            ("coroutines", after.gauges[COROUTINES] - before.gauges[COROUTINES], MAX_MORE_COROUTINES),
        ):
            if more > limit:
                yield f"{more:g} more {what} than before, at most {limit} are allowed."
        for name, value in after.gauges.items():
            if value > MAX_LEFT and name not in (COROUTINES, 'duelbook_waiting{what="matches"}'):
                yield f"{name} is {value:g} although nobody is there."

    def _grown(self, samples: Sequence[Sample]) -> Iterator[str]:
        hours = (samples[-1].seconds - samples[0].seconds) / 3600
        slope = least_squares_slope([(sample.seconds / 3600, sample.megabytes) for sample in samples])
        allowed = MAX_GROWTH_MEGABYTES + MAX_GROWTH_MEGABYTES_PER_HOUR * hours
        print(f"  memory of the first worker grows by {slope * hours:+.1f} MB in {3600 * hours:.0f} s")
        if slope * hours > allowed:
            yield f"The memory of a worker grew by {slope * hours:.1f} MB, at most {allowed:.1f} are allowed."


def machine_seconds() -> float:
    """Return how long a fixed amount of work takes now."""
    start = time.perf_counter()
    sum(range(REFERENCE_WORK))
    return time.perf_counter() - start


def least_squares_slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the line that fits the points best."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return covariance / sum((x - mean_x) * (x - mean_x) for x, _ in points)


def drifted(samples: Sequence[Sample]) -> Iterator[str]:
    """Yield which latencies have grown from the first third to the last one, more than the machine has slowed down."""
    third = max(1, len(samples) // 3)
    busy, busier = (quantile([sample.machine for sample in part], 0.5) for part in (samples[:third], samples[-third:]))
    slowed = max(1.0, busier / busy)
    first, last = (
        [seconds for sample in part for seconds in sample.moves] for part in (samples[:third], samples[-third:])
    )
    for name, part, limit in (("p50", 0.5, MAX_P50_DRIFT), ("p99", 0.99, MAX_P99_DRIFT)):
        was, now = 1000 * quantile(first, part), 1000 * quantile(last, part)
        if not now <= limit * slowed * was + DRIFT_MILLISECONDS:
            yield f"The {name} of moves went from {was:.1f} to {now:.1f} ms; the machine became {slowed:.1f} × slower."


def log_faults(server: Server) -> Iterator[str]:
    """Yield the faults that the server logged."""
    faults = [
        line for line in (server.folder / "log").read_bytes().split(b"\n") if any(word in line for word in FAULTS)
    ]
    if faults:
        yield f"The log has {len(faults)} faults, first: {faults[0][:300].decode(errors='replace')}"
