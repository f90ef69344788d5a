"""Sockets: many are open and idle, none is dropped, and a move still reaches its watcher."""

import asyncio
import time
from collections.abc import Sequence

from benchmarks.service.clients import accepted, wait_until_prepared
from benchmarks.service.figures import at_least, none_of, spread
from benchmarks.service.load import Seats, open_matches
from benchmarks.service.memory import report
from benchmarks.service.plan import Plan
from benchmarks.service.server import running_server
from benchmarks.service.usage import memory

SOCKETS = 2000
MOVES = 100  # played afterwards, one after the other


async def run(plan: Plan) -> None:
    print(f"sockets: {SOCKETS:,} sockets, held for {plan.hold:g} s")
    with running_server() as server:
        await wait_until_prepared(server)
        start = time.perf_counter()
        pairs = await open_matches(server.port, SOCKETS // 2, watched=SOCKETS // 2)
        print(f"  opened in {time.perf_counter() - start:.1f} s, with their matches")
        await asyncio.sleep(plan.hold)
        lost = sum(seat.live.lost for pair in pairs for seat in pair)
        report("with them", memory(server.pid))
        print(f"  a move to its watcher: {spread([await seconds_to_watcher(pair) for pair in pairs[:MOVES]])}")
        at_least("open sockets", SOCKETS - lost, SOCKETS, "")
        none_of("dropped sockets", lost)
        close(pairs)


async def seconds_to_watcher(pair: Seats) -> float:
    """Return the seconds from a player's move to its view on the other player's socket."""
    one, two = pair
    start = time.perf_counter()
    answer = asyncio.create_task(one.say_move(0, "5", "once"))
    await two.live.reach(two.live.version + 1)
    seconds = time.perf_counter() - start
    accepted(await answer)
    return seconds


def close(pairs: Sequence[Seats]) -> None:
    for pair in pairs:
        for seat in pair:
            seat.live.close()
