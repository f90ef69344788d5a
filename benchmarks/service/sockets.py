"""Sockets: many are open and idle, none is dropped, and a move still reaches who watches."""

import asyncio
import time
from collections.abc import Sequence

from benchmarks.service.crowds import Pair, crowd
from benchmarks.service.figures import at_least, none_of, spread
from benchmarks.service.memory import report
from benchmarks.service.people import accepted
from benchmarks.service.plan import Plan
from benchmarks.service.readying import ready
from benchmarks.service.serving import serving
from benchmarks.service.usage import memory

SOCKETS = 2000
MOVES = 100  # that are played afterwards, one after the other


async def run(plan: Plan) -> None:
    print(f"sockets: {SOCKETS:,} that are held for {plan.hold:g} s")
    with serving() as server:
        await ready(server)
        start = time.perf_counter()
        pairs = await crowd(server.port, SOCKETS // 2, watched=SOCKETS // 2)
        print(f"  opened in {time.perf_counter() - start:.1f} s, with the matches that they are for")
        await asyncio.sleep(plan.hold)
        lost = sum(seat.live.lost for pair in pairs for seat in pair)
        report("with them", memory(server.pid))
        print(f"  a move to its watcher: {spread([await seconds_to_watcher(pair) for pair in pairs[:MOVES]])}")
        at_least("open sockets", SOCKETS - lost, SOCKETS, "")
        none_of("dropped sockets", lost)
        close(pairs)


async def seconds_to_watcher(pair: Pair) -> float:
    """Answer the seconds from a player's move to the view of it at the other's socket."""
    one, two = pair
    start = time.perf_counter()
    answer = asyncio.create_task(one.say_move(0, "5", "once"))
    await two.live.reach(two.live.version + 1)
    seconds = time.perf_counter() - start
    accepted(await answer)
    return seconds


def close(pairs: Sequence[Pair]) -> None:
    for pair in pairs:
        for seat in pair:
            seat.live.close()
