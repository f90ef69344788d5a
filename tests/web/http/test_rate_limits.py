"""Rate limits counted in simulated time: bursts, how they are regained, refusals, and what processes share."""

import itertools

import pytest

from duelbook.web.http import rate_limits
from duelbook.web.http.rate_limits import ADDRESS_DELAY_SECONDS, DELAY_SPREAD, SHARE_SECONDS, RateLimit

CLIENT = "192.0.2.1"


def admitted(limit: RateLimit, requests: int, now: float) -> int:
    """Return how many requests that come at the same time are within the limit."""
    within = sum(limit.take(CLIENT, now) == 0 for _ in range(requests))
    for _ in range(within):
        limit.note(CLIENT)
    return within


@pytest.mark.parametrize("start", [0.0, 0.9, 123_456.7])
def test_a_client_may_use_its_whole_limit_at_once_and_regains_it_evenly(start: float) -> None:
    limit = RateLimit(500, 1)
    assert admitted(limit, 800, start) == 500
    assert [admitted(limit, 800, start + tenths / 10) for tenths in range(1, 21)] == [50] * 20
    assert admitted(limit, 800, start + 2.502) == 251
    assert admitted(limit, 800, start + 9) == 500


def test_a_request_succeeds_after_the_time_that_the_refusal_named() -> None:
    limit = RateLimit(60, 60)
    assert admitted(limit, 61, 1000.5) == 60
    wait = limit.take(CLIENT, 1000.75)
    assert wait == pytest.approx(0.75)
    assert limit.refuse(wait).headers["Retry-After"] == "1"
    assert limit.take(CLIENT, 1000.75 + wait) == 0
    assert limit.refuse(limit.take(CLIENT, 1000.75 + wait)).headers["Retry-After"] == "1"


def test_connections_that_are_refused_together_do_not_go_on_together() -> None:
    limit = RateLimit(100, 1, ADDRESS_DELAY_SECONDS)
    delays = sorted(limit.refuse(0.01).delay_seconds for _ in range(100))
    assert delays[0] >= ADDRESS_DELAY_SECONDS
    assert delays[-1] < ADDRESS_DELAY_SECONDS * (1 + DELAY_SPREAD)
    gaps = [later - earlier for earlier, later in itertools.pairwise(delays)]
    assert min(gaps) > 0.002
    assert max(gaps) < 0.01


def test_the_memory_of_counted_clients_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_COUNTED_CLIENTS", 10)
    limit = RateLimit(1, 60)
    for number in range(1000):
        assert limit.take(f"client {number}", 1.0) == 0
    assert limit.counted <= 20
    assert limit.take("client 999", 1.0) > 0
    for now in (500.0, 1000.0):
        limit.take(CLIENT, now)
    assert limit.counted <= 2


def test_a_client_is_not_forgotten_before_it_has_regained_what_it_used() -> None:
    limit = RateLimit(10, 1)
    limit.take("another client", 0.0)
    limit.add(CLIENT, 1000, 1.99)
    assert [now for now in (1.99, 2.0, 2.5, 2.88) if limit.take(CLIENT, now) == 0] == []
    assert admitted(limit, 10, 3.0) == 1


def test_processes_together_keep_to_the_limit_of_a_client() -> None:
    processes = [RateLimit(100, 1) for _ in range(3)]
    total = 0
    for step in range(1000):
        now = step / 100
        total += sum(admitted(limit, 5, now) for limit in processes)
        if step % round(SHARE_SECONDS * 100) == 0:
            counts = [limit.take_unshared(now) for limit in processes]
            for limit in processes:
                for other, counted in zip(processes, counts, strict=True):
                    if other is not limit:
                        limit.add(CLIENT, counted.get(CLIENT, 0), now)
    assert 10 * 100 <= total <= 13 * 100 + 100  # each process allows as many at once as it does alone


def test_only_clients_that_come_more_than_once_in_a_second_are_shared() -> None:
    limit = RateLimit(100, 1)
    limit.note("once")
    limit.note("again")
    assert limit.take_unshared(10.0) == {}
    limit.note("once")
    assert limit.take_unshared(10.1) == {}
    limit.note("once")
    limit.note("again")
    assert limit.take_unshared(10.2) == {"once": 2}
    limit.note("again")
    assert limit.take_unshared(10.3) == {"again": 2}
