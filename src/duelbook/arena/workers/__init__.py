"""Where tasks are done, such as matches: in this process, in other processes of this machine, or on a Ray cluster."""

import os
from collections.abc import Iterable

from duelbook.agents import AGENTS
from duelbook.arena.workers.local import SerialPool, ThreadPool
from duelbook.arena.workers.pool import MAX_DEATHS, BatchResult, Job, Line, Pool, Work, WorkerDiedError, play_all
from duelbook.arena.workers.process import ProcessPool
from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.games import GAMES
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
    "check_shared",
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
        raise RefusedError("A Ray address needs the back end ray.")
    if name == "serial" and workers not in (None, 1):
        raise RefusedError("Several workers need the back end process or ray; serial has one.")


def check_shared(backend: str, games: Iterable[str], agents: Iterable[str]) -> None:
    """Raise RefusedError if the workers of the back end do not know a game or an agent that this process knows."""
    if backend == "serial":
        return
    for game in games:
        GAMES.check_shared(game)
    for agent in agents:
        AGENTS.check_shared(agent.partition(":")[0])


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
