"""Crowds: many matches with both players in them, some of whom are connected."""

import asyncio
import resource

from benchmarks.service.people import Client, Seat, accepted

AT_ONCE = 20  # matches that are being made

Pair = tuple[Seat, Seat]


async def crowd(port: int, matches: int, *, moves: int = 0, watched: int = 0) -> list[Pair]:
    """Make so many matches with so many moves each; of the watched ones both players have their sockets open."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    shares = [range(start, matches, AT_ONCE) for start in range(AT_ONCE)]
    made = await asyncio.gather(*(_share(port, share, moves, watched) for share in shares))
    return [pair for share in made for pair in share]


async def _share(port: int, share: range, moves: int, watched: int) -> list[Pair]:
    client = Client(port)
    pairs = []
    for number in share:
        one = await client.create()
        two = await client.join(one.match)
        for ply in range(moves):  # 1, 2, 3, … is legal, and ends nothing before the seventh
            accepted(await (one, two)[ply % 2].post_move(ply, str(ply + 1), str(ply)))
        if number < watched:
            await asyncio.gather(one.watch(), two.watch())
        pairs.append((one, two))
    client.close()
    return pairs
