"""Memory: what the server and its children hold with many matches open."""

from benchmarks.service.crowds import crowd
from benchmarks.service.figures import below
from benchmarks.service.plan import Plan
from benchmarks.service.readying import ready
from benchmarks.service.serving import serving
from benchmarks.service.usage import Memory, memory

MATCHES, MOVES, WATCHED = 1000, 4, 100
MOST = 300  # megabytes


async def run(plan: Plan) -> None:
    print(f"memory: {MATCHES:,} open matches with {MOVES} moves each, and {2 * WATCHED} sockets")
    with serving() as server:
        await ready(server)
        report("before", memory(server.pid))
        await crowd(server.port, MATCHES, moves=MOVES, watched=WATCHED)
        found = memory(server.pid)
        report("with them", found)
        below("resident memory", found.resident, MOST, "MB")
        below("proportional memory", found.proportional, MOST, "MB")


def report(name: str, found: Memory) -> None:
    parts = " + ".join(f"{part:.0f}" for part in found.parts)
    print(f"  {name + ':':12} resident {found.resident:6.1f} MB ({parts}), proportional {found.proportional:6.1f} MB")
