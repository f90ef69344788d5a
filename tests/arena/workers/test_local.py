"""Matches in threads: Ctrl-C may come at any moment, and must not stop the threads for ever."""

import random
import signal
import threading
from collections.abc import Sequence
from types import FrameType

import pytest

from duelbook.arena.workers import Job, Line, ThreadPool
from duelbook.arena.workers.pool import SIGNAL_SECONDS

INTERRUPTS = 2000  # some of them come between the last look for signals and the wait itself, and do not end it


@pytest.mark.timeout(method="thread")  # the other method needs the timer that this test sets
def test_no_interrupt_of_the_main_thread_keeps_the_others_from_ending() -> None:
    go_on = threading.Event()

    def work(_: Job, numbers: Sequence[int]) -> list[Line]:
        go_on.wait()
        return [(number, "done") for number in numbers]

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    pool = ThreadPool(Job(""), 4, work, lambda error: None)
    for number in range(4):
        pool.start([number])
    rng, before = random.Random(1), signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(INTERRUPTS):
            try:
                signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 1e-4))
                while True:
                    pool.wait(SIGNAL_SECONDS)
            except KeyboardInterrupt:
                continue
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    go_on.set()
    closing = threading.Thread(target=pool.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive(), "a thread waits for a lock that the main thread has left locked"
    assert sorted(pool.drain(KeyboardInterrupt())) == [(number, "done") for number in range(4)]
