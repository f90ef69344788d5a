"""Creating: how long it takes to make a match while nothing else happens, and while others play."""

import time

from benchmarks.service.duels import Tally, Way, lasting, playing
from benchmarks.service.figures import below, spread
from benchmarks.service.people import Client
from benchmarks.service.plan import Plan
from benchmarks.service.readying import ready
from benchmarks.service.serving import Server, serving

SLOWEST = 50  # milliseconds, for 99 of 100
WARM_UP = 20  # matches that are made first and not counted
THINKING = 1.0  # seconds that people take for a move


async def run(plan: Plan) -> None:
    print(f"create: {plan.creations} matches, one after the other")
    with serving() as server:
        await ready(server)
        report("nothing else", await created(server, plan.creations))
        for name, pause in ((f"a move each {THINKING:g} s", THINKING), ("without a pause", 0.0)):
            report(f"{plan.duels} played, {name}", await created_meanwhile(server, Way(pause=pause), plan))


async def created_meanwhile(server: Server, way: Way, plan: Plan) -> list[float]:
    """Answer the seconds that it takes while others play."""
    async with playing(server.port, plan.duels, way, Tally()) as tasks:
        await lasting(tasks, plan.warm_up)
        seconds = await created(server, plan.creations)
        await lasting(tasks, 0)
        return seconds


async def created(server: Server, number: int) -> list[float]:
    """Make so many matches, and answer the seconds that each took."""
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
    below(f"99 %, {name}", times.p99, SLOWEST, "ms")
