"""Watching under load: slow readers, watchers who come late, and changes made by another process."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from statistics import median

from websockets.sync.client import ClientConnection

from tests.support.service.harness import Player, RunningServer
from tests.support.service.sockets import ask, hear_until, next_view, slow_reader, views_until
from tests.web.conftest import both_backends

SOON = 1.0  # seconds in which most changes must arrive; the regular resync would take 2.5 on average


def new_pair_with_a_move(server: RunningServer, game: str = "crystal-capture") -> tuple[Player, Player]:
    """Two players who can ask to take back and refuse as often as they like; each time is a change."""
    first, second = server.new_pair(game)
    assert first.play(0, first.view()["legal"][-1]).status_code == 200
    return first, second


def delay_of(live: ClientConnection, version: int) -> float:
    """Return how long it takes until a watcher has the version."""
    begin = time.monotonic()
    views_until(live, version)
    return time.monotonic() - begin


def change(first: ClientConnection, second: ClientConnection, times: int) -> Iterator[int]:
    """Ask to take back and refuse in turn. Yield the version of each change once it is acknowledged."""
    for number in range(times):
        answer = ask((first, second)[number % 2], "action", action=("undo", "decline")[number % 2])
        assert answer["type"] == "accepted", answer
        yield answer["version"]


def test_a_slow_reader_delays_nobody_and_catches_up_later(server: RunningServer) -> None:
    first, second = new_pair_with_a_move(server, "word-clash")
    with first.live() as one, second.live() as two, first.live(watching=True) as quick, slow_reader(first) as slow:
        next_view(quick)
        delays = [delay_of(quick, version) for version in change(one, two, 100)]
        assert median(delays) < SOON
        version = first.view()["version"]
        heard = hear_until(slow, lambda heard: bool(heard) and heard[-1]["version"] == version)
    versions = [message["version"] for message in heard if message["type"] == "view"]
    assert versions == sorted(set(versions))
    assert max(later - sooner for sooner, later in pairwise(versions)) > 20  # it really was slow


@both_backends
def test_a_watcher_who_connects_during_play_misses_nothing(server: RunningServer) -> None:
    first, second = new_pair_with_a_move(server)
    with ExitStack() as stack:
        one, two = (stack.enter_context(player.live()) for player in (first, second))
        versions: list[int] = []
        sockets: list[ClientConnection] = []

        def play() -> None:
            while len(versions) < 120 or len(sockets) < 6:
                versions.extend(change(one, two, 2))

        playing = threading.Thread(target=play)
        playing.start()
        while playing.is_alive():
            sockets.append(stack.enter_context(first.live(watching=True)))
            time.sleep(0.01)
        playing.join()
        assert len(sockets) > 5
        seen = [[view["version"] for view in views_until(live, versions[-1])] for live in sockets]
    if server.settings.get("workers", 1) == 1:  # with several processes a watcher may get only the newest
        assert seen == [list(range(numbers[0], versions[-1] + 1)) for numbers in seen]


@both_backends
def test_watchers_get_a_change_that_a_request_has_read_before(server: RunningServer) -> None:
    first, second = new_pair_with_a_move(server)
    with ExitStack() as stack:
        one, two = (stack.enter_context(player.live()) for player in (first, second))
        sockets = [stack.enter_context(first.live(watching=True)) for _ in range(4)]
        for live in sockets:
            next_view(live)
        stack.enter_context(repeating(first.view))
        delays = [max(delay_of(live, version) for live in sockets) for version in change(one, two, 40)]
        assert median(delays) < SOON


@contextmanager
def repeating(work: Callable[[], object]) -> Iterator[None]:
    """Repeat the call in three threads meanwhile."""
    done = threading.Event()

    def repeat() -> None:
        while not done.is_set():
            work()

    threads = [threading.Thread(target=repeat) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
