"""Memory: what the server and its workers need with many open matches."""

from benchmarks.service.clients import wait_until_prepared
from benchmarks.service.figures import below
from benchmarks.service.load import open_matches
from benchmarks.service.plan import Plan
from benchmarks.service.server import running_server
from benchmarks.service.usage import Memory, memory

MATCHES, MOVES, WATCHED = 1000, 4, 100
MAX_MEGABYTES = 300


async def run(plan: Plan) -> None:
    print(f"memory: {MATCHES:,} open matches with {MOVES} moves each, and {2 * WATCHED} sockets")
    with running_server() as server:
        await wait_until_prepared(server)
        report("before", memory(server.pid))
        await open_matches(server.port, MATCHES, moves=MOVES, watched=WATCHED)
        found = memory(server.pid)
        report("with them", found)
        below("resident memory", found.resident, MAX_MEGABYTES, "MB")
        below("proportional memory", found.proportional, MAX_MEGABYTES, "MB")


def report(name: str, found: Memory) -> None:
    parts = " + ".join(f"{part:.0f}" for part in found.parts)
    print(f"  {name + ':':12} resident {found.resident:6.1f} MB ({parts}), proportional {found.proportional:6.1f} MB")
