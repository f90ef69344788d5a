"""Create: the time to create a match on an idle server, and while others play."""

import time

from benchmarks.service.clients import Client, wait_until_prepared
from benchmarks.service.figures import below, spread
from benchmarks.service.load import Style, Tally, pairs_playing, wait
from benchmarks.service.plan import Plan
from benchmarks.service.server import Server, running_server

MAX_P99_MILLISECONDS = 50
WARM_UP = 20  # matches that do not count
THINK_SECONDS = 1.0  # of a player for a move


async def run(plan: Plan) -> None:
    print(f"create: {plan.creations} matches, one after the other")
    with running_server() as server:
        await wait_until_prepared(server)
        report("idle", await create_matches(server, plan.creations))
        for name, pause in ((f"a move every {THINK_SECONDS:g} s", THINK_SECONDS), ("without a pause", 0.0)):
            report(f"{plan.pairs} pairs, {name}", await create_under_load(server, Style(pause=pause), plan))


async def create_under_load(server: Server, style: Style, plan: Plan) -> list[float]:
    """Return the seconds that each match took while others play."""
    async with pairs_playing(server.port, plan.pairs, style, Tally()) as tasks:
        await wait(tasks, plan.warm_up)
        seconds = await create_matches(server, plan.creations)
        await wait(tasks, 0)
        return seconds


async def create_matches(server: Server, number: int) -> list[float]:
    """Create that many matches, and return the seconds that each took."""
    client = Client(server.port)
    seconds = []
    for _ in range(WARM_UP + number):
        start = time.perf_counter()
        await client.create()
        seconds.append(time.perf_counter() - start)
    client.close()
    return seconds[WARM_UP:]


def report(name: str, seconds: list[float]) -> None:
    times = spread(seconds)
    print(f"  {name + ':':42} {times}")
    below(f"99%, {name}", times.p99, MAX_P99_MILLISECONDS, "ms")
