"""What is written to a socket whose client reads slowly: in order, and nothing is missing."""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from duelbook.web.http.frames import DIRECT_WRITE
from duelbook.web.live.hub import Hub, Update, Watcher
from duelbook.web.live.socket import SocketWriter
from tests.simulation.event_loop import run_in_virtual_time


class SlowClient:
    """A client that reads when it is told to."""

    def __init__(self) -> None:
        self.read: list[bytes] = []
        self.reads = asyncio.Event()
        self.scope: dict[str, Any] = {"extensions": {DIRECT_WRITE: self.write_now}}

    def write_now(self, message: bytes) -> bool:
        if self.reads.is_set():
            self.read.append(message)
        return self.reads.is_set()

    async def send(self, event: MutableMapping[str, Any]) -> None:
        await self.reads.wait()
        self.read.append(event["text"].encode())


def run(work: Callable[[Hub, Watcher, SlowClient], Awaitable[None]]) -> list[bytes]:
    """Return what the client has read in the end."""

    async def main() -> list[bytes]:
        hub, client = Hub(), SlowClient()
        with hub.watching("match") as watcher:
            await work(hub, watcher, client)
            await asyncio.sleep(0.01)
        return client.read

    return run_in_virtual_time(main())


def test_an_answer_comes_after_an_older_view_that_waits_for_the_client() -> None:
    async def work(hub: Hub, watcher: Watcher, client: SlowClient) -> None:
        writer = SocketWriter(client.scope, client.send, watcher, 0, 6, 0)
        writer.start()
        hub.publish("match", Update(7, b"7"))
        await asyncio.sleep(0)
        client.reads.set()  # and the task that waits for this has not run yet
        assert await writer.write(b"answer 8", 8)

    assert run(work) == [b"7", b"answer 8"]


def test_after_an_answer_with_a_view_no_older_view_follows() -> None:
    async def work(hub: Hub, watcher: Watcher, client: SlowClient) -> None:
        writer = SocketWriter(client.scope, client.send, watcher, 0, 5, 0)
        writer.start()
        for version in (6, 7, 8):
            hub.publish("match", Update(version, b"%d" % version))
        asyncio.get_running_loop().call_later(0.01, client.reads.set)
        assert await writer.write(b"answer 8", 8)
        hub.publish("match", Update(9, b"9"))

    assert run(work) == [b"6", b"answer 8", b"8", b"9"]


def test_who_joins_while_the_first_view_is_sent_is_present_afterwards() -> None:
    async def work(hub: Hub, watcher: Watcher, client: SlowClient) -> None:
        client.reads.set()
        watcher.present = 1
        hub.publish_presence("match", 3)
        writer = SocketWriter(client.scope, client.send, watcher, 0, 1, 1)
        writer.start()

    (message,) = map(json.loads, run(work))
    assert message["type"] == "presence"
    assert all(message["present"].values())
