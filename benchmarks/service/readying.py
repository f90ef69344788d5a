"""Waiting for a server to have settled: it prepares its computers in the background after the start."""

import asyncio

from benchmarks.service.people import Client
from benchmarks.service.serving import Server


async def ready(server: Server) -> None:
    """Return once a computer has moved, which it does when all are prepared."""
    client = Client(server.port)
    seat = await client.create("charge", "perfect", seat="second")
    while (await client.get(f"/api/matches/{seat.match}"))["ply"] == 0:
        await asyncio.sleep(0.1)
    client.close()
