"""Slots are given to clients in turn, whatever one of them asks for."""

import asyncio

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

    async def follow(self, steps: str) -> None:
        """Ask for the slots that the steps name. `-a1` ends what holds one, and `!a1` cancels it."""
        for step in steps.split():
            match step[0]:
                case "-":
                    await self.end(step[1:])
                case "!":
                    await self.cancel(step[1:])
                case _:
                    await self.ask(step)


@pytest.mark.parametrize(
    ("limits", "steps", "held", "order", "refused"),
    [
        ({"slots": 1}, "x1 a1 a2 a3 b1 c1 c2", "x1", "x1 a1 b1 c1 a2 c2 a3", ""),
        ({"slots": 2}, "a1 a2 a3", "a1", "a1 a2 a3", ""),
        ({"slots": 2}, "a1 a2 a3 b1 c1", "a1 b1", "a1 b1 a2 c1 a3", ""),
        ({"slots": 2}, "a1 a2 a3 b1 c1 -b1", "a1 c1", "a1 b1 c1 a2 a3", ""),
        ({"slots": 1, "max_waiting_each": 2}, "a1 a2 a3 a4 b1", "a1", "a1 a2 b1 a3", "a4"),
        ({"slots": 1, "max_waiting": 4}, "x1 a1 a2 a3 b1 c1", "x1", "x1 a1 b1 c1 a2", "a3"),
        ({"slots": 1, "max_waiting": 4}, "x1 a1 a2 a3 b1 c1 d1 e1", "x1", "x1 a1 b1 c1 d1", "a3 a2 e1"),
        ({"slots": 1}, "x1 a1 b1 b2 !a1 !b1 -x1", "b2", "x1 b2", ""),
        ({"slots": 1}, "a1 b1 !a1", "b1", "a1 b1", ""),
    ],
    ids=[
        *("clients take turns", "one client never holds two slots", "others get the free slot", "one goes on"),
        *("one client cannot take all places", "the longest queue gives up a place", "again and again"),
        *("who stops waiting holds nobody up", "a slot whose holder is cancelled goes to the next"),
    ],
)
def test_clients_take_turns(limits: dict[str, int], steps: str, held: str, order: str, refused: str) -> None:
    async def work() -> None:
        room = Room(FairSlots(**limits))
        await room.follow(steps)
        assert room.held == held.split()
        await room.end_all()
        assert (room.order, room.refused) == (order.split(), refused.split())

    asyncio.run(work())


def test_a_slot_that_is_granted_to_who_stops_waiting_at_the_same_moment_goes_to_the_next() -> None:
    async def work() -> None:
        room = Room(FairSlots(1))
        await room.follow("x1 a1 b1 b2")
        room._ends["x1"].set()
        await room.cancel("a1", "b1")
        await room.end_all()
        assert room.order == ["x1", "b2"]

    asyncio.run(work())
