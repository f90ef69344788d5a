"""One run: a schedule is carried out with a seed, and its history is checked."""

import asyncio
import gc
import logging
import random
from dataclasses import dataclass

from duelbook.web.match import tokens
from tests.simulation.checker import check_store, check_turns, check_views
from tests.simulation.clients import Client, Crowd, Duel, Studies, World, begin_crowd, play_duel, study
from tests.simulation.cluster import Cluster
from tests.simulation.event_loop import EndlessRunError, VirtualLoop
from tests.simulation.history import History, Violation
from tests.simulation.network import Network
from tests.simulation.schedule import Item, Schedule

EXPECTED_ERRORS = ("a worker failed", "a task failed")  # of workers: that they fail is part of the schedule
TURN_SECONDS = 2.5  # for each agent's turn that waits for others of the same address
SETTLE_SECONDS = 22.0  # after the last fault, in which everything must have come right


@dataclass
class Result:
    """What a run found."""

    violations: list[Violation]
    trace: list[str]


class _Log(logging.Handler):
    """Keeps errors and tracebacks of the service."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() not in EXPECTED_ERRORS:
            self.found.append(self.format(record) + f" {record.__dict__.get('why', '')}")


def run(seed: int, schedule: Schedule) -> Result:
    """Carry out the schedule and return what was found."""
    gc.disable()
    try:
        return _checked_run(seed, schedule)
    finally:
        gc.collect(0)  # what the run has left, above all its tasks: each later run would look through them all
        gc.enable()


def _checked_run(seed: int, schedule: Schedule) -> Result:
    random.seed(seed)
    randomness, tokens.randomness = tokens.randomness, random.Random(f"{seed} tokens")
    log, logger = _Log(), logging.getLogger("duelbook.web")
    level, logger.propagate = logger.level, False
    logger.setLevel(logging.WARNING)
    logger.addHandler(log)
    loop = VirtualLoop(seed)  # type: ignore[abstract]  # what the service never uses is left out
    cluster = Cluster(loop, seed, schedule.nodes)
    history = History(cluster)
    try:
        loop.run(_run(loop, seed, schedule, cluster, history))
    except EndlessRunError as error:
        history.fail("endless run", str(error))
    finally:
        logger.removeHandler(log)
        logger.setLevel(level)
        logger.propagate = True
        tokens.randomness = randomness
    for entry in (*loop.unhandled, *log.found):
        history.fail("exception", entry)
    return Result(history.violations, history.events)


async def _run(loop: VirtualLoop, seed: int, schedule: Schedule, cluster: Cluster, history: History) -> None:
    network = Network(loop, seed, cluster)
    world = World(network, history, schedule.nodes)
    cluster.start()
    faults = [loop.create_task(cluster.carry_out(fault)) for fault in schedule.faults]
    clients = [loop.create_task(_client(world, number, item)) for number, item in enumerate(schedule.items)]
    await asyncio.gather(*faults)
    done, _ = await asyncio.wait(clients, timeout=SETTLE_SECONDS)
    await asyncio.gather(*done)
    crowds = sum(item.matches for item in schedule.items if isinstance(item, Crowd))
    await asyncio.sleep(SETTLE_SECONDS + TURN_SECONDS * crowds)
    check_turns(history, cluster)
    check_views(world, cluster)
    reader = Client(world, "reader")
    for match in list(history.created):
        for _ in range(schedule.nodes):
            await reader.read(match)
    check_store(history, cluster)
    world.ending = True
    for failure in network.failures:
        history.fail("exception", failure)


async def _client(world: World, number: int, item: Item) -> None:
    match item:
        case Duel():
            await play_duel(world, number, item)
        case Crowd():
            await begin_crowd(world, number, item)
        case Studies():
            await study(world, number, item)
