"""Where the games of a tournament are played: here, in processes of this machine, or on a Ray cluster."""

import os
from collections.abc import Callable

from duelbook.arena.work import Job
from duelbook.arena.workers.pool import Pool
from duelbook.arena.workers.process import ProcessPool
from duelbook.arena.workers.serial import SerialPool
from duelbook.errors import RefusedError
from duelbook.text import shorten


def _serial(job: Job, workers: int | None, address: str | None) -> Pool:
    return SerialPool(job)


def _process(job: Job, workers: int | None, address: str | None) -> Pool:
    return ProcessPool(job, workers or cores())


def _ray(job: Job, workers: int | None, address: str | None) -> Pool:
    from duelbook.arena.workers.ray import RayPool  # loads Ray

    return RayPool(job, workers, address)


BACKENDS: dict[str, Callable[[Job, int | None, str | None], Pool]] = {
    "serial": _serial,
    "process": _process,
    "ray": _ray,
}


def check_backend(name: str, workers: int | None, address: str | None) -> None:
    """Refuse a back end that is unknown, and what does not go with it."""
    if name not in BACKENDS:
        raise RefusedError(f"unknown back end '{shorten(name)}'; valid: {', '.join(BACKENDS)}")
    if address is not None and name != "ray":
        raise RefusedError("--ray-address goes with --backend ray")
    if name == "serial" and workers not in (None, 1):
        raise RefusedError("--workers goes with --backend process or ray; serial is one")


def cores() -> int:
    """Answer how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
