"""Presence: everybody learns which players have the live socket open, in whichever process."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from websockets.sync.client import ClientConnection

from duelbook.web.live import presence
from duelbook.web.live.hub import MAX_QUEUED_UPDATES, Hub, Update
from duelbook.web.live.presence import Presence
from tests.simulation.event_loop import in_virtual_time
from tests.support.service.harness import RunningServer
from tests.support.service.sockets import ask, next_presence, next_view, there
from tests.web.conftest import both_backends


def presence_from_the_first(live: ClientConnection, wanted: tuple[bool, bool]) -> None:
    """Expect this presence in the first view or soon after: another process may know it a little later."""
    if there(next_view(live)) != wanted:
        assert next_presence(live) == wanted


# Over the socket


def test_the_first_view_has_the_seat_of_the_socket_and_later_ones_do_not(server: RunningServer) -> None:
    first, second = server.new_pair()
    with first.live() as one, second.live() as two, first.live(watching=True) as watching:
        assert [next_view(live)["seat"] for live in (one, two, watching)] == ["first", "second", None]
        first.play(0, "9")
        assert all("seat" not in next_view(live) for live in (one, two, watching))


@both_backends
def test_everybody_learns_at_once_who_is_present_and_who_joins(server: RunningServer) -> None:
    first, second = server.new_pair()
    with first.live(watching=True) as watching, ExitStack() as stack:
        assert there(next_view(watching)) == (False, False)
        one = stack.enter_context(first.live())
        assert there(next_view(one)) == (True, False)
        assert next_presence(watching) == (True, False)
        two = stack.enter_context(second.live())
        presence_from_the_first(two, (True, True))
        for live in (one, watching):
            assert next_presence(live) == (True, True)
        more = [stack.enter_context(player.live()) for player in (first, second) * 2]
        for live in more:
            presence_from_the_first(live, (True, True))
        for live in (one, two, watching, *more):
            with pytest.raises(TimeoutError):
                live.recv(0.1)


def test_an_agent_is_always_present_and_a_free_seat_never(server: RunningServer) -> None:
    alone, waiting = server.new_match("charge", "greedy", seat="second"), server.new_match()
    alone.until(1)  # the agent's move is a view of its own
    for player, then, now in ((alone, (True, False), (True, True)), (waiting, (False, False), (True, False))):
        with player.live(watching=True) as watching:
            assert there(next_view(watching)) == then
            with player.live() as live:
                assert there(next_view(live)) == now
                assert next_presence(watching) == now


@both_backends
def test_a_player_who_reloads_stays_present_and_one_who_leaves_is_gone_after_two_seconds(
    server: RunningServer,
) -> None:
    first, second = server.new_pair()
    with second.live() as live:
        assert there(next_view(live)) == (False, True)
        for _ in range(3):
            with first.live() as one:
                ask(one, "ping")
                leaves = time.monotonic()
        assert next_presence(live) == (True, True)
        assert next_presence(live) == (False, True)
        assert time.monotonic() - leaves > 1.9


# Between processes


class Processes:
    """Several processes that receive each other's messages, unless the line is cut."""

    def __init__(self, count: int) -> None:
        self.told: list[list[int]] = [[] for _ in range(count)]
        self.cut = False
        self.all = [Presence(self._watchers(told), self._say) for told in self.told]

    def _watchers(self, told: list[int]) -> Callable[[str, int], None]:
        return lambda _, seats: told.append(seats)

    def _say(self, words: str) -> None:
        process, *rest = words.split(" ")
        for one in [] if self.cut else self.all:
            one.receive(process, rest)

    def seats(self) -> list[int]:
        return [one.seats("match") for one in self.all]


async def beats(*some: Presence) -> None:
    """Wait until processes that send no heartbeat count as silent."""
    for _ in range(8):
        await asyncio.sleep(presence.SILENCE_SECONDS / 5)
        for one in some:
            await one.send_heartbeat()


@in_virtual_time
async def test_what_one_process_sees_the_others_know_at_once_and_publish_once() -> None:
    processes = Processes(3)
    one, two, _ = processes.all
    with one.joined("match", 0), two.joined("match", 1), two.joined("match", 0), two.joined("match", None):
        assert processes.seats() == [3, 3, 3]
    await asyncio.sleep(2 * presence.LINGER_SECONDS)
    assert processes.seats() == [0, 0, 0]
    assert processes.told[2] == [1, 3, 1, 0]


@in_virtual_time
async def test_a_player_who_is_back_through_another_process_was_never_away() -> None:
    processes = Processes(2)
    one, two = processes.all
    with one.joined("match", 0):
        pass
    with two.joined("match", 0):
        await asyncio.sleep(2 * presence.LINGER_SECONDS)
    assert processes.told == [[1], [1]]


@in_virtual_time
async def test_a_process_that_starts_later_learns_who_is_present() -> None:
    processes = Processes(2)
    one, two = processes.all
    processes.cut = True
    with one.joined("match", 0), two.joined("match", 1):
        assert processes.seats() == [1, 2]
        processes.cut = False
        two.synchronize()
        assert processes.seats() == [3, 3]


@in_virtual_time
async def test_a_silent_process_is_forgotten_and_asked_when_it_is_back() -> None:
    processes = Processes(2)
    one, two = processes.all
    with one.joined("match", 0), two.joined("match", 1):
        processes.cut = True
        await beats(one, two)
        assert processes.told == [[1, 3, 1], [1, 3, 2]]  # each process publishes what it knows
        processes.cut = False
        await two.send_heartbeat()
        assert processes.seats() == [3, 3]
        await beats(one, two)
        assert processes.seats() == [3, 3]


@in_virtual_time
async def test_a_departure_that_no_process_heard_of_is_known_afterwards() -> None:
    processes = Processes(2)
    one, _ = processes.all
    with one.joined("match", 0):
        processes.cut = True
    await asyncio.sleep(2 * presence.LINGER_SECONDS)
    assert processes.seats() == [0, 1]
    processes.cut = False
    one.synchronize()
    assert processes.seats() == [0, 0]
    assert processes.told[1] == [1, 0]


@in_virtual_time
async def test_neither_presence_nor_an_older_view_displaces_a_view() -> None:
    hub = Hub()
    with hub.watching("match") as watcher:
        for seats in (1, 3, 2):
            hub.publish_presence("match", seats)
        assert not watcher.updates
        for version in range(1, MAX_QUEUED_UPDATES + 1):
            hub.publish("match", Update(version, b"view"))
            hub.publish_presence("match", version % 4)
        for older in (MAX_QUEUED_UPDATES, 1):  # also a change that was heard of late
            hub.publish("match", Update(older, b"older view"))
        assert [update.version for update in watcher.updates] == list(range(1, MAX_QUEUED_UPDATES + 1))
        assert watcher.present == MAX_QUEUED_UPDATES % 4
