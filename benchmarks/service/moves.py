"""Moves: how many a second are durable, answered and seen by both players, and how long each takes."""

from itertools import product

from benchmarks.service.duels import Tally, Way, lasting, playing
from benchmarks.service.figures import at_least, below, spread
from benchmarks.service.plan import Plan
from benchmarks.service.readying import ready
from benchmarks.service.serving import Server, durable_writes, serving
from benchmarks.service.usage import cores, sample

MOVES_A_SECOND = 1000
SLOWEST = 150  # milliseconds, for 99 of 100
GAMES = {
    "long matches": {"crystals": 30, "goal": 150},  # moves rather than new matches are what is measured
    "the book's matches": {},  # which end after half a dozen moves; then two sockets are closed and two opened
}


async def run(plan: Plan) -> None:
    print(f"moves: {plan.duels} matches of Crystal Capture at once, {plan.seconds:g} s after {plan.warm_up:g} s")
    print(f"  a durable write of the disk alone: {spread(durable_writes())}")
    for log_level in plan.log_levels:
        for (game, options), by_socket in product(GAMES.items(), (False, True)):
            with serving(log_level) as server:
                await ready(server)
                name = f"{game} over {'sockets' if by_socket else 'HTTP'}, log {log_level}"
                await measure(server, Way(by_socket, options), name, plan)


async def measure(server: Server, way: Way, name: str, plan: Plan) -> None:
    """Let the duels be played, and print what they come to."""
    tally = Tally()
    async with playing(server.port, plan.duels, way, tally) as tasks:
        await lasting(tasks, plan.warm_up)
        before = sample(server.pid)
        await lasting(tasks, plan.seconds)
        after = sample(server.pid)
    moves, matches = (
        [spent for end, spent in done if before.clock <= end <= after.clock] for done in (tally.moves, tally.matches)
    )
    elapsed = after.clock - before.clock
    print(f"  {name}")
    print(f"    {len(moves) / elapsed:8,.0f} moves/s         {spread(moves)}")
    print(f"    {len(matches) / elapsed:8,.0f} new matches/s   {spread(matches)}, with sockets")
    each = 1000 * (after.server - before.server) / max(1, len(moves))
    print(f"    {cores(before, after)}; {each:.2f} ms of the server's for a move with its share of a new match")
    at_least(f"moves {name}", len(moves) / elapsed, MOVES_A_SECOND, "moves/s")
    below(f"99 % of moves {name}", spread(moves).p99, SLOWEST, "ms")
