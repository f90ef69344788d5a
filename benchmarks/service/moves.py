"""Moves: how many a second are durable, answered and seen by both players, and how long each takes."""

from benchmarks.service.duels import Tally, Way, lasting, playing
from benchmarks.service.figures import Spread, at_least, below, spread
from benchmarks.service.plan import Plan
from benchmarks.service.readying import ready
from benchmarks.service.serving import Server, serving
from benchmarks.service.usage import Cores, cores, sample

MOVES_A_SECOND = 1000
SLOWEST = 150  # milliseconds, for 99 of 100


async def run(plan: Plan) -> None:
    print(f"moves: {plan.duels} matches of Crystal Capture at once, {plan.seconds:g} s after {plan.warm_up:g} s")
    for log_level in plan.log_levels:
        for by_socket in (False, True):
            with serving(log_level) as server:
                await ready(server)
                await measure(
                    server, Way(by_socket), f"over {'sockets' if by_socket else 'HTTP'}, log {log_level}", plan
                )


async def measure(server: Server, way: Way, name: str, plan: Plan) -> None:
    """Let the duels be played, and print what they come to."""
    tally = Tally()
    async with playing(server.port, plan.duels, way, tally) as tasks:
        await lasting(tasks, plan.warm_up)
        before = sample(server.pid)
        await lasting(tasks, plan.seconds)
        after = sample(server.pid)
    seconds = [spent for end, spent in tally.moves if before.clock <= end <= after.clock]
    matches = sum(before.clock <= ready <= after.clock for ready in tally.matches)
    elapsed = after.clock - before.clock
    report(name, len(seconds) / elapsed, matches / elapsed, spread(seconds), cores(before, after))


def report(name: str, moves: float, matches: float, times: Spread, busy: Cores) -> None:
    print(f"  {name + ':':24} {moves:8,.0f} moves/s   {times}")
    print(
        f"  {'':24} {matches:8,.0f} new matches/s   "
        f"cores: server {busy.server:.2f}, generator {busy.generator:.2f}, others {busy.others:.2f}"
    )
    at_least(f"moves {name}", moves, MOVES_A_SECOND, "moves/s")
    below(f"99 % of moves {name}", times.p99, SLOWEST, "ms")
