"""The simulated processes of the service: started, paused, crashed and started again on the same database."""

import asyncio
from datetime import UTC, datetime, timedelta

from duelbook.errors import RefusedError
from duelbook.web.app import Application
from duelbook.web.backends import Backends
from duelbook.web.settings import Settings
from tests.simulation.channel import ChannelServer
from tests.simulation.database import DatabaseServer
from tests.simulation.event_loop import Process, VirtualLoop
from tests.simulation.faults import Fault, Faults, Kind
from tests.simulation.network import Connection
from tests.simulation.workers import Workers

STARTED_AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
BOOT_SECONDS = 0.3
RECOVERY_SECONDS = 5.0  # for which a fault has consequences after its end
STOP_SECONDS = 20.0  # for answers under way when a process stops
DELAYING = (Kind.SLOW_STORE, Kind.SILENT_STORE, Kind.FAILING_STORE, Kind.FULL_DISK, Kind.LOSSY_NETWORK)
SETTINGS = Settings(
    database_url="sqlite:///simulated",
    redis_url="redis://simulated",
    think_seconds=3.0,
    claim_seconds=2.5,
    study_seconds=5.0,
    move_limit=1000,
    address_limit=10_000,
    create_limit=10_000,
)


class Node:
    """One place where a process of the service runs; a new process after each crash."""

    def __init__(self, cluster: "Cluster", number: int) -> None:
        self.number = number
        self.process: Process | None = None
        self.application: Application | None = None  # while it is started
        self.connections: dict[Connection, None] = {}  # in the order in which they came
        self.clock_offset = 0.0  # of the time of day, in seconds
        self.interrupted = 0.0  # when it last was stopped, started, paused or resumed
        self.disturbed = 0.0  # when a fault last began or ended that may delay answers
        self._cluster = cluster
        self._starts = 0

    def now(self) -> datetime:
        return STARTED_AT + timedelta(seconds=self._cluster.loop.time() + self.clock_offset)

    def start(self) -> None:
        self._starts += 1
        self.process = Process(self._cluster.loop, f"{self.number}.{self._starts}")
        self.process.spawn(self._run())

    async def _run(self) -> None:
        """Start the service. As a supervisor does, try again if its database cannot be used."""
        cluster, number = self._cluster, self.number
        backends = Backends(
            open_databases=lambda *_: cluster.store.open(number),
            open_channel=lambda _: cluster.channel.open(number),
            start_worker=lambda _: cluster.workers.start(number),
            now=self.now,
        )
        while True:
            await asyncio.sleep(BOOT_SECONDS)
            application = Application(cluster.settings, backends)
            try:
                await application.start()
            except RefusedError:
                continue
            self.application = application
            self.interrupted = self.disturbed = cluster.loop.time()
            cluster.note_up()
            return

    def crash(self) -> None:
        if self.process is None:
            return
        self.process.crash()
        self._end()

    async def stop(self) -> None:
        """Stop in order: let answers under way be finished, close sockets, and stop the service."""
        process, application, self.application = self.process, self.application, None
        if process is None or application is None:
            self.crash()
            return
        self._cluster.note_up()
        for connection in list(self.connections):
            connection.shut_down()
        deadline = self._cluster.loop.time() + STOP_SECONDS
        while any(not one.over for one in self.connections) and self._cluster.loop.time() < deadline:
            await asyncio.sleep(0.1)
        stopped = process.spawn(application.stop())
        while not stopped.done() and not process.crashed:
            await asyncio.sleep(0.1)
        if self.process is process:
            stopped.result()
            process.crash()
            self._end()

    def _end(self) -> None:
        self.process = self.application = None
        self.interrupted = self.disturbed = self._cluster.loop.time()
        self._cluster.channel.disconnect(self.number)
        self._cluster.note_up()
        for connection in list(self.connections):
            connection.reset()
        self.connections.clear()


class Cluster:
    """All processes, and what they share."""

    def __init__(self, loop: VirtualLoop, seed: object, nodes: int) -> None:
        self.loop = loop
        self.faults = Faults()
        self.settings = SETTINGS
        self.store = DatabaseServer(loop, seed, self.faults)
        self.channel = ChannelServer(loop, seed, self.faults)
        self.workers = Workers(loop, seed, self.faults)
        self.nodes = [Node(self, number) for number in range(nodes)]
        self._fault_spans: list[tuple[float, float]] = []
        self._up_changes: list[tuple[float, bool]] = [(0.0, False)]

    def start(self) -> None:
        for node in self.nodes:
            node.start()

    async def carry_out(self, fault: Fault) -> None:
        """Let the fault happen, and end it."""
        await asyncio.sleep(fault.start)
        concerned = [node for node in self.nodes if fault.node in (None, node.number)]
        self.faults.begin(fault)
        began = self.loop.time()
        self._disturb(fault, concerned)
        if fault.kind is Kind.CHANNEL_DOWN:
            self.channel.disconnect(fault.node)
        await asyncio.gather(*(_strike(node, fault) for node in concerned))
        await asyncio.sleep(fault.seconds)
        self.faults.end(fault)
        self._disturb(fault, concerned)
        self._fault_spans.append((began, self.loop.time() + RECOVERY_SECONDS))
        for node in concerned:
            if fault.kind in (Kind.CRASH, Kind.RESTART) and node.process is None:
                node.start()
            elif fault.kind is Kind.PAUSE and node.process and not self.faults.active(Kind.PAUSE, node.number):
                node.process.paused = False

    def _disturb(self, fault: Fault, nodes: list[Node]) -> None:
        """Note that answers may be late. Nothing that happens to the channel or to workers excuses that."""
        for node in nodes:
            if fault.kind in (Kind.CRASH, Kind.RESTART, Kind.PAUSE):
                node.interrupted = node.disturbed = self.loop.time()
            elif fault.kind in DELAYING:
                node.disturbed = self.loop.time()

    def is_calm(self, node: int) -> bool:
        return not any(self.faults.active(kind, node) for kind in (*DELAYING, Kind.CRASH, Kind.RESTART, Kind.PAUSE))

    def note_up(self) -> None:
        up = any(node.application for node in self.nodes)
        if up != self._up_changes[-1][1]:
            self._up_changes.append((self.loop.time(), up))

    def seconds_disturbed(self, start: float, end: float) -> float:
        """Return for how long a fault was active, or had just ended, between two times."""
        total, reached = 0.0, start
        for begin, until in sorted(self._fault_spans):
            total += max(0.0, min(end, until) - max(reached, begin))
            reached = max(reached, until)
        return total

    def seconds_up(self, start: float, end: float) -> float:
        """Return for how long at least one process was up between two times."""
        ends = [time for time, _ in self._up_changes[1:]] + [float("inf")]
        spans = [(begin, until) for (begin, up), until in zip(self._up_changes, ends, strict=True) if up]
        return sum(max(0.0, min(end, until) - max(start, begin)) for begin, until in spans)


async def _strike(node: Node, fault: Fault) -> None:
    match fault.kind:
        case Kind.CRASH:
            node.crash()
        case Kind.RESTART:
            await node.stop()
        case Kind.PAUSE:
            if node.process:
                node.process.paused = True
        case Kind.CLOCK_JUMP:
            node.clock_offset += fault.amount
