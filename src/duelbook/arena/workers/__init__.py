"""Where tasks are done, such as matches: in this process, in other processes of this machine, or on a Ray cluster."""

import os

from duelbook.arena.workers.local import SerialPool, ThreadPool
from duelbook.arena.workers.pool import MAX_DEATHS, BatchResult, Job, Line, Pool, Work, WorkerDiedError, play_all
from duelbook.arena.workers.process import ProcessPool
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.text import shorten

__all__ = [
    "BACKENDS",
    "MAX_DEATHS",
    "BatchResult",
    "Job",
    "Line",
    "Pool",
    "ProcessPool",
    "SerialPool",
    "ThreadPool",
    "Work",
    "WorkerDiedError",
    "check_backend",
    "cores",
    "make_pool",
    "play_all",
]

BACKENDS = ("serial", "process", "ray")


def check_backend(name: str, workers: int | None, ray_address: str | None) -> None:
    """Raise RefusedError for an unknown back end, or for options that it does not have."""
    if name not in BACKENDS:
        raise RefusedError(f"Unknown back end '{shorten(name)}'. Back ends: {', '.join(BACKENDS)}.")
    if ray_address is not None and name != "ray":
        raise RefusedError("--ray-address needs --backend ray.")
    if name == "serial" and workers not in (None, 1):
        raise RefusedError("--workers needs --backend process or ray; serial has one worker.")


def make_pool(job: Job, work: Work, backend: str, workers: int | None, ray_address: str | None) -> Pool:
    """Return the workers of a back end: by default one for each core."""
    if backend == "serial":
        return SerialPool(job, work)
    if backend == "process":
        return ProcessPool(job, workers or cores(), work)
    require_extra("ray")
    from duelbook.arena.workers.ray import RayPool  # loads Ray

    return RayPool(job, workers, ray_address, work)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
