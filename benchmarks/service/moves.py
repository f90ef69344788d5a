"""Moves: how many a second are durable, answered and seen by both players, and the time of each."""

from itertools import product

from benchmarks.service.clients import wait_until_prepared
from benchmarks.service.figures import at_least, below, spread
from benchmarks.service.load import Style, Tally, pairs_playing, wait
from benchmarks.service.plan import Plan
from benchmarks.service.process import durable_writes
from benchmarks.service.server import Server, running_server
from benchmarks.service.usage import cores, sample

MIN_MOVES_PER_SECOND = 1000
MAX_P99_MILLISECONDS = 150
GAMES = {
    "long matches": {"crystals": 30, "goal": 150},  # to measure moves rather than new matches
    "short matches": {},  # these end after half a dozen moves; then two sockets are closed and two opened
}
MAX_SERVER_MILLISECONDS = {"long matches": 0.30, "short matches": 0.50}  # of a move over sockets, with new matches


async def run(plan: Plan) -> None:
    print(f"moves: {plan.pairs} pairs at Crystal Capture, {plan.seconds:g} s after {plan.warm_up:g} s")
    print(f"  a durable write to the disk alone: {spread(durable_writes())}")
    for log_level in plan.log_levels:
        for (game, options), by_socket in product(GAMES.items(), (False, True)):
            with running_server(log_level) as server:
                await wait_until_prepared(server)
                await measure(server, Style(by_socket, options), game, log_level, plan)


async def measure(server: Server, style: Style, game: str, log_level: str, plan: Plan) -> None:
    """Let the pairs play, and print the figures."""
    name = f"{game} over {'sockets' if style.by_socket else 'HTTP'}, log {log_level}"
    tally = Tally()
    async with pairs_playing(server.port, plan.pairs, style, tally) as tasks:
        await wait(tasks, plan.warm_up)
        before = sample(server.pid)
        await wait(tasks, plan.seconds)
        after = sample(server.pid)
    measured = tally.between(before.clock, after.clock)
    moves, matches = ([spent for _, spent in done] for done in (measured.moves, measured.matches))
    elapsed = after.clock - before.clock
    print(f"  {name}")
    print(f"    {len(moves) / elapsed:8,.0f} moves/s         {spread(moves)}")
    print(f"    {len(matches) / elapsed:8,.0f} new matches/s   {spread(matches)}, with sockets")
    each = 1000 * (after.server - before.server) / max(1, len(moves))
    print(f"    {cores(before, after)}; {each:.2f} ms of server time for a move with its share of a new match")
    at_least(f"moves {name}", len(moves) / elapsed, MIN_MOVES_PER_SECOND, "moves/s")
    if style.by_socket:
        below(f"server time of a move, {name}", each, MAX_SERVER_MILLISECONDS[game], "ms")
    below(f"99% of moves {name}", spread(moves).p99, MAX_P99_MILLISECONDS, "ms")
