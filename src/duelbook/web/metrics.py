"""Metrics for Prometheus."""

import os
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds
RECENT_SECONDS = 0.2  # for which a page of metrics may be sent again
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the environment variable for the folder that several processes share

requests = Counter("duelbook_requests", "Requests answered.", ["method", "route", "status"])
seconds = Histogram("duelbook_request_seconds", "Time to answer a request.", ["method", "route"], buckets=BUCKETS)
changes = Counter("duelbook_changes", "Changes of matches that were made durable here.", ["game"])
sockets = Gauge("duelbook_sockets", "Sockets that are open.", multiprocess_mode="livesum")
tasks = Gauge("duelbook_tasks", "Tasks that run in a worker or wait for one.", ["kind"], multiprocess_mode="livesum")
waiting = Gauge("duelbook_waiting", "What waits or is held in memory.", ["what"], multiprocess_mode="livesum")
messages = Counter("duelbook_socket_messages", "Messages from clients over sockets.", ["type", "answer"])


AnyMetric = TypeVar("AnyMetric", Counter, Histogram)


@cache
def _labelled(metric: Any, *labels: object) -> Any:
    return metric.labels(*labels)


def labelled(metric: AnyMetric, *labels: object) -> AnyMetric:
    """Return the metric with these labels; to find it by `labels` takes several times as long as to count."""
    found: AnyMetric = _labelled(metric, *labels)
    return found


class RecentPage:
    """The page of metrics, made at most a few times a second: that takes milliseconds, in which nobody is answered."""

    def __init__(self) -> None:
        self._page = b"", ""
        self._made_at = -RECENT_SECONDS

    def read(self, now: float) -> tuple[bytes, str]:
        """Return the page; `now` is the time of the event loop."""
        if now >= self._made_at + RECENT_SECONDS:
            self._page, self._made_at = page(), now
        return self._page


def page() -> tuple[bytes, str]:
    """Return all metrics, those of all processes if there are several, and their content type."""
    registry = REGISTRY
    if os.environ.get(SHARED_FOLDER):
        registry = CollectorRegistry()
        collect: Callable[[CollectorRegistry], object] = MultiProcessCollector
        collect(registry)
    return generate_latest(registry), CONTENT_TYPE_LATEST


def forget_process(process: int) -> None:
    """Leave out the gauges of a process that has ended, such as the sockets that it had open."""
    forget: Callable[[int], object] = mark_process_dead
    forget(process)
