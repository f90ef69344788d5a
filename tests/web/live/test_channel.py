"""The channel between processes, through a network that holds back or loses what Redis answers."""

import asyncio
from contextlib import suppress

import pytest

from duelbook.web.live import channel
from duelbook.web.live.channel import RedisChannel
from tests.support.service.backends import Redis
from tests.support.service.network import Change, Link

PATIENCE_SECONDS = 60.0


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no message count as lost because the machine is slow."""
    monkeypatch.setattr(channel, "SILENCE_SECONDS", 2 * PATIENCE_SECONDS)


def drop_answers(data: bytes, forth: bool) -> bytes:
    """Lose what Redis answers to a message, which is a number."""
    return b"" if data.startswith(b":") and not forth else data


async def heard(port: int, change: Change, messages: list[str]) -> list[str]:
    """Publish the messages through the link, each with the next attempt if one fails; return what arrived."""
    found: list[str] = []
    receiver = RedisChannel(f"redis://127.0.0.1:{port}/0")
    with Link(port, change) as link:
        async with receiver.subscribed() as receive, asyncio.timeout(PATIENCE_SECONDS):
            sender = RedisChannel(f"redis://127.0.0.1:{link.port}/0")
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


def test_a_message_does_not_wait_for_the_answers_to_those_before(redis_server: Redis) -> None:
    messages = [f"channel test {number}" for number in range(5)]
    assert asyncio.run(heard(redis_server.port, drop_answers, messages)) == messages


def test_what_a_lost_connection_left_unanswered_is_sent_again_in_order(redis_server: Redis) -> None:
    lost: list[bytes] = []

    def cut_once(data: bytes, forth: bool) -> bytes | None:
        if forth and b"PUBLISH" in data and not lost:
            lost.append(data)
            return None
        return data

    messages = [f"another channel test {number}" for number in range(3)]
    assert asyncio.run(heard(redis_server.port, cut_once, messages)) == messages
    assert lost


def test_the_number_of_unanswered_messages_is_bounded(redis_server: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MAX_UNANSWERED_MESSAGES", 3)
    published = 0

    def count(data: bytes, forth: bool) -> bytes:
        nonlocal published
        published += data.count(b"PUBLISH") if forth else 0
        return drop_answers(data, forth)

    async def publish_many() -> None:
        with Link(redis_server.port, count) as link:
            sender = RedisChannel(f"redis://127.0.0.1:{link.port}/0")
            async with asyncio.timeout(PATIENCE_SECONDS):
                for _ in range(3):
                    await sender.publish("a third channel test")
                while published < 3:
                    await asyncio.sleep(0.01)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    await sender.publish("a third channel test")
            await sender.close()

    asyncio.run(publish_many())
    assert published == 3
