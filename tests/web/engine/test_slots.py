"""Slots are given to clients in turn, whatever one of them asks for."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from duelbook.web.engine.slots import FairSlots, QueueFullError


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Room:
    """Slots, and tasks that hold one until they are told to end."""

    def __init__(self, slots: FairSlots) -> None:
        self._slots = slots
        self.held: list[str] = []  # what holds a slot now
        self.order: list[str] = []  # in which slots were given
        self.refused: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, *names: str) -> None:
        """Ask for slots: `a1` is the first request of client `a`."""
        for name in names:
            self._ends[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._hold(name))
            await settle()

    async def _hold(self, name: str) -> None:
        try:
            async with self._slots.slot(name[0]):
                self.held.append(name)
                self.order.append(name)
                await self._ends[name].wait()
                self.held.remove(name)
        except QueueFullError:
            self.refused.append(name)

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await settle()

    async def cancel(self, *names: str) -> None:
        for name in names:
            self._tasks[name].cancel()
            if name in self.held:
                self.held.remove(name)
        await settle()

    async def end_all(self) -> None:
        while self.held:
            await self.end(self.held[0])


def in_room(slots: int, work: Callable[[Room], Awaitable[None]], **limits: int) -> Room:
    async def run() -> Room:
        room = Room(FairSlots(slots, **limits))
        await work(room)
        await room.end_all()
        return room

    return asyncio.run(run())


def test_clients_take_turns_however_many_requests_one_has() -> None:
    async def work(room: Room) -> None:
        await room.ask("x1", "a1", "a2", "a3", "b1", "c1", "c2")

    assert in_room(1, work).order == ["x1", "a1", "b1", "c1", "a2", "c2", "a3"]


def test_one_client_never_holds_two_slots() -> None:
    async def work(room: Room) -> None:
        await room.ask("a1", "a2", "a3")
        assert room.held == ["a1"]
        await room.ask("b1", "c1")
        assert room.held == ["a1", "b1"]
        await room.end("b1")
        assert room.held == ["a1", "c1"]

    assert in_room(2, work).order == ["a1", "b1", "c1", "a2", "a3"]


def test_a_client_cannot_have_more_than_its_share_of_places() -> None:
    async def work(room: Room) -> None:
        await room.ask("a1", "a2", "a3", "a4", "b1")

    room = in_room(1, work, max_waiting_each=2)
    assert room.refused == ["a4"]
    assert room.order == ["a1", "a2", "b1", "a3"]


def test_the_longest_queue_gives_up_a_place_when_all_are_taken() -> None:
    async def work(room: Room) -> None:
        await room.ask("x1", "a1", "a2", "a3", "b1", "c1")
        assert room.refused == ["a3"]
        await room.ask("d1", "e1")
        assert room.refused == ["a3", "a2", "e1"]

    assert in_room(1, work, max_waiting=4).order == ["x1", "a1", "b1", "c1", "d1"]


@pytest.mark.parametrize("ending", ["x1 first", "x1 last"])
def test_who_stops_waiting_holds_nobody_up(ending: str) -> None:
    async def work(room: Room) -> None:
        await room.ask("x1", "a1", "b1", "b2")
        if ending == "x1 first":
            room._ends["x1"].set()  # so that a slot is granted to a request that is cancelled at the same moment
        await room.cancel("a1", "b1")
        await room.end("x1")

    room = in_room(1, work)
    assert room.order == ["x1", "b2"]
    assert in_room(1, work).held == []


def test_a_slot_whose_holder_is_cancelled_goes_to_the_next() -> None:
    async def work(room: Room) -> None:
        await room.ask("a1", "b1")
        await room.cancel("a1")
        assert room.held == ["b1"]

    in_room(1, work)
