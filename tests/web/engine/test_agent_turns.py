"""Agents' turns when workers fail again and again, and when the match changes while a turn waits."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from duelbook.web.backends import Backends
from duelbook.web.db import schema
from duelbook.web.engine import agent_turns
from duelbook.web.engine.process import PipedProcess, Start, WorkerProcess, start_process
from duelbook.web.engine.slots import client
from duelbook.web.schemas.matches import NewMatch
from duelbook.web.service import Service
from duelbook.web.settings import Settings
from tests.support.service.matches import act

PATIENCE = 60.0


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_turns, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(agent_turns, "MAX_RETRY_SECONDS", 0.02)


def run(folder: Path, start: Start, work: Callable[[Service], Awaitable[None]]) -> None:
    """Run a service with these workers while the work is done."""
    url = f"sqlite:///{folder}/matches.sqlite"
    schema.upgrade(url)

    async def main() -> None:
        service = Service(Settings(database_url=url), Backends(start_worker=start))
        await service.start()
        async with asyncio.timeout(PATIENCE):
            await work(service)
        await service.stop()

    asyncio.run(main())


async def until_played(service: Service, match: str) -> None:
    while (await service.registry.read(match)).row.ply == 0:
        await asyncio.sleep(0.01)


def new_match(agent: str) -> NewMatch:
    return NewMatch(game="crystal-capture", opponent=agent, seat="second")


def test_a_turn_is_taken_after_errors_that_nobody_expected_and_they_are_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wrong: list[bytes] = []

    class Mistaken(PipedProcess):
        """Chooses a move that does not exist, at first."""

        async def receive(self) -> bytes:
            line = await super().receive()
            if not line[10:11].isdigit() or len(wrong) >= 5:
                return line
            wrong.append(line)
            return b'{"answer":999}\n'

    async def start(module: str) -> WorkerProcess:
        return await start_process(module, Mistaken)

    async def work(service: Service) -> None:
        await until_played(service, (await service.lobby.create(new_match("mcts:5"))).id)

    run(tmp_path, start, work)
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.message for record in logged] == ["an agent's turn failed"] * 5
    assert all(record.exc_info for record in logged)


def test_a_turn_that_is_not_due_any_more_when_it_comes_up_costs_nothing(tmp_path: Path) -> None:
    chosen: list[str] = []

    class Noted(PipedProcess):
        async def send(self, line: bytes) -> None:
            task = json.loads(line)
            if task["task"] == "choose":
                chosen.append(task["agent"])
            await super().send(line)

    async def start(module: str) -> WorkerProcess:
        return await start_process(module, Noted)

    async def work(service: Service) -> None:
        client.set("192.0.2.1")
        first = await service.lobby.create(new_match("mcts:2000"))
        second = await service.lobby.create(new_match("mcts:2001"))
        await act(service.actions, second, "resign")
        await until_played(service, first.id)
        while service.agent_turns.count:
            await asyncio.sleep(0.01)

    run(tmp_path, start, work)
    assert chosen == ["mcts:2000"]
