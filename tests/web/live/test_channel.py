"""The channel between processes, through a network that holds back or loses what Redis answers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from duelbook.web.live import channel
from duelbook.web.live.channel import RedisChannel
from tests.support.service.backends import Redis

PATIENCE_SECONDS = 4.0  # less than the time after which an unanswered message counts as lost
Passes = Callable[[bytes, bool], bool]  # whether bytes are passed on, and whether they are for Redis


@asynccontextmanager
async def link(port: int, passes: Passes) -> AsyncIterator[int]:
    """Connect clients to a local port; what is not passed on is lost, and its connection too if it was for the port."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, forth: bool) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if passes(data, forth):
                    writer.write(data)
                elif forth:
                    break
        writer.close()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, far_writer, forth=True), carry(far_reader, writer, forth=False))

    async with await asyncio.start_server(connect, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def heard(port: int, passes: Passes, messages: list[str]) -> list[str]:
    """Publish the messages through the link, each with the next attempt if one fails; return what arrived."""
    found: list[str] = []
    receiver = RedisChannel(f"redis://127.0.0.1:{port}/0")
    async with link(port, passes) as linked, receiver.subscribed() as receive:
        sender = RedisChannel(f"redis://127.0.0.1:{linked}/0")
        async with asyncio.timeout(PATIENCE_SECONDS):
            for message in messages:
                await sender.publish(message)
                await asyncio.sleep(0.05)  # a lost connection is noticed
            while len(found) < len(messages):
                message = await receive()
                if message in messages:  # others are from servers of other tests
                    found.append(message)
        await sender.close()
    await receiver.close()
    return found


def is_publish(data: bytes) -> bool:
    return b"PUBLISH" in data


def test_a_message_does_not_wait_for_the_answers_to_those_before(redis_server: Redis) -> None:
    def passes(data: bytes, forth: bool) -> bool:
        return forth or not data.startswith(b":")  # the answer to a message is a number

    messages = [f"channel test {number}" for number in range(5)]
    assert asyncio.run(heard(redis_server.port, passes, messages)) == messages


def test_what_a_lost_connection_left_unanswered_is_sent_again_in_order(redis_server: Redis) -> None:
    lost: list[bytes] = []

    def passes(data: bytes, forth: bool) -> bool:
        if forth and is_publish(data) and not lost:
            lost.append(data)
            return False
        return True

    messages = [f"another channel test {number}" for number in range(3)]
    assert asyncio.run(heard(redis_server.port, passes, messages)) == messages
    assert lost


def test_the_number_of_unanswered_messages_is_bounded(redis_server: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MAX_UNANSWERED_MESSAGES", 3)
    published = 0

    def passes(data: bytes, forth: bool) -> bool:
        nonlocal published
        published += data.count(b"PUBLISH") if forth else 0
        return forth or not data.startswith(b":")

    async def publish_many() -> None:
        async with link(redis_server.port, passes) as linked:
            sender = RedisChannel(f"redis://127.0.0.1:{linked}/0")
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_SECONDS) as limit:
                    for number in range(100):
                        if number == 3:
                            limit.reschedule(asyncio.get_running_loop().time() + 0.3)
                        await sender.publish("a third channel test")
            await sender.close()

    asyncio.run(publish_many())
    assert published == 3
