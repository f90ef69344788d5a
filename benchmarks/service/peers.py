"""Peers: the same matches on Duelbook and on boardgame.io, what a move costs, and what a killed server has lost."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.service import boardgame_io
from benchmarks.service.boardgame_io import BoardgamePair, BoardgameServer
from benchmarks.service.clients import Client, decoded, wait_until_prepared
from benchmarks.service.connections import RefusedError
from benchmarks.service.figures import Spread, none_of, print_table, spread
from benchmarks.service.load import PlayingPair, Style, Tally, running_tasks, wait
from benchmarks.service.moves import GAMES
from benchmarks.service.plan import Plan
from benchmarks.service.process import ServerProcess, StartError, new_folder, running
from benchmarks.service.server import NO_LIMITS, Server
from benchmarks.service.usage import sample

OPTIONS = GAMES["long matches"]
LIFE_SECONDS = 2.0  # of a server that is then killed
READ_SECONDS = 5.0  # for a match that was killed in the middle

HEAD = (
    "server",
    "CPU ms a move",
    "× Duelbook",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "lost at kill −9",
    "does not start again",
)

Play = Callable[[int, Tally, int], Coroutine[Any, Any, None]]  # port, tally, seed


@dataclass(frozen=True)
class Peer:
    """A service, the players who use it, and how to ask for the number of moves in a match."""

    name: str
    server: Callable[[Path], ServerProcess]
    play: Play
    stored_moves: Callable[[int, str], Awaitable[int]]


class Cost(NamedTuple):
    """What a peer needed for its moves."""

    milliseconds: float  # of the server's processor time, for a move with its share of a new match
    moves: float  # a second
    times: Spread


class Losses(NamedTuple):
    """What killed servers had acknowledged and lost."""

    acknowledged: int = 0
    lost: int = 0
    dead: int = 0  # servers that could not be started again


async def run(plan: Plan) -> None:
    print(f"peers: {plan.pairs} pairs at long matches over sockets, {plan.seconds:g} s; {plan.peer_kills} kills each")
    rows, ours = [], None
    for peer in peers():
        cost, losses = await measure(peer, plan), await kill(peer, plan)
        ours = ours or cost
        rows.append(
            (
                peer.name,
                f"{cost.milliseconds:.2f}",
                f"{cost.milliseconds / ours.milliseconds:.2f}",
                f"{cost.moves:,.0f}",
                f"{cost.times.p50:.1f}",
                f"{cost.times.p99:.1f}",
                f"{losses.lost:,} of {losses.acknowledged:,}",
                f"{losses.dead} of {plan.peer_kills}",
            )
        )
        if peer.name.startswith("Duelbook"):
            none_of("lost moves of Duelbook", losses.lost)
    head = (
        "server",
        "CPU ms a move",
        "of Duelbook's",
        "moves/s",
        "p50 ms",
        "p99 ms",
        "lost at kill -9",
        "unusable after it",
    )
    print_table(head, rows)


def peers() -> list[Peer]:
    """Return the peers that can be run here, Duelbook first."""
    style = Style(by_socket=True, options=OPTIONS)
    ours = Peer(
        "Duelbook, SQLite",
        lambda folder: Server(folder, **NO_LIMITS, log_level="warning"),
        lambda port, tally, seed: PlayingPair(port, style, tally, seed).run(),
        stored_moves,
    )
    if not boardgame_io.install():
        print("  boardgame.io is left out: it needs node and npm, and a package registry that npm can reach")
        return [ours]
    return [ours, *(boardgame_peer(in_memory=in_memory) for in_memory in (False, True))]


def boardgame_peer(*, in_memory: bool) -> Peer:
    return Peer(
        f"boardgame.io, {'in memory' if in_memory else 'its file store'}",
        lambda folder: BoardgameServer(folder, OPTIONS, in_memory=in_memory),
        lambda port, tally, seed: BoardgamePair(port, OPTIONS, tally, seed).run(),
        boardgame_io.stored_moves,
    )


async def stored_moves(port: int, match: str) -> int:
    """Return how many moves of the match Duelbook knows."""
    client = Client(port)
    answer = await client.ask("GET", f"/api/matches/{match}")
    client.close()
    return 0 if answer.status == 404 else int(decoded(answer)["ply"])


async def measure(peer: Peer, plan: Plan) -> Cost:
    """Let the pairs play, and return what that cost the server."""
    tally = Tally()
    with new_folder() as folder, running(peer.server(folder)) as server:
        if isinstance(server, Server):
            await wait_until_prepared(server)
        async with running_tasks(peer.play(server.port, tally, seed) for seed in range(plan.pairs)) as tasks:
            await wait(tasks, plan.warm_up)
            before = sample(server.pid)
            await wait(tasks, plan.seconds)
            after = sample(server.pid)
    moves = tally.between(before.clock, after.clock).moves
    number = max(1, len(moves))
    elapsed = after.clock - before.clock
    seconds = [spent for _, spent in moves]
    return Cost(1000 * (after.server - before.server) / number, number / elapsed, spread(seconds))


async def kill(peer: Peer, plan: Plan) -> Losses:
    """Kill the server in the middle of play, again and again, and return what it has lost."""
    losses = Losses()
    for number in range(plan.peer_kills):
        with new_folder() as folder:
            one = await kill_once(peer, folder, plan.pairs, number)
            losses = Losses(*(sum(counts) for counts in zip(losses, one, strict=True)))
    return losses


async def kill_once(peer: Peer, folder: Path, pairs: int, seed: int) -> Losses:
    tally = Tally()
    with running(peer.server(folder)) as server:
        seeds = range(seed * pairs, (seed + 1) * pairs)
        async with running_tasks(peer.play(server.port, tally, seed) for seed in seeds) as tasks:
            while len(tally.moves) < pairs:
                await wait(tasks, 0.01)
            await wait(tasks, LIFE_SECONDS)
            server.kill()
        acknowledged = sum(tally.acknowledged.values())
        try:
            server.start()
            lost = [await find_lost(peer, server, *one) for one in tally.acknowledged.items()]
        except StartError:
            return Losses(acknowledged, acknowledged, 1)
        return Losses(acknowledged, sum(lost), 0)


async def find_lost(peer: Peer, server: ServerProcess, match: str, acknowledged: int) -> int:
    """Return how many acknowledged moves are lost: all if the match cannot be read, which ends some servers."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            return max(0, acknowledged - await peer.stored_moves(server.port, match))
    except (OSError, RefusedError):  # a TimeoutError is an OSError
        server.kill()
        server.start()
        return acknowledged
