"""Agents that behave badly, and the command line with them: `python -m tests.support.odd_agents tournament …`."""

import os
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from duelbook.__main__ import run
from duelbook.agents import AGENTS, AgentKind, Forfeit, ForfeitKind
from duelbook.agents.random_agent import RandomAgent
from duelbook.arena.runner import work
from duelbook.arena.workers import Job, Line
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch

TRACE = "DUELBOOK_TEST_TRACE"  # names a file that shows that a worker has died


class OddAgent(RandomAgent):
    """Behaves badly in one way instead of making a move."""

    def __init__(self, rng: random.Random, way: str) -> None:
        super().__init__(rng)
        self._way = way

    def choose(self, match: ReadOnlyMatch) -> Move:
        match self._way:
            case "illegal":
                return 10**6
            case "late":
                raise Forfeit(ForfeitKind.TIMEOUT, "The agent thought for too long.")
            case "broken":
                raise RuntimeError("<script>alert('no such\nthing')</script>")
            case "sleepy":
                time.sleep(0.01)
            case "endless":
                Path(os.environ[TRACE]).touch()
                time.sleep(60)
            case "mortal":
                die_once()
            case "deadly":
                os._exit(3)
        return super().choose(match)


def die_once() -> None:
    """End this process, unless another one has done so before."""
    with suppress(FileExistsError):
        Path(os.environ[TRACE]).touch(exist_ok=False)
        os._exit(3)


def mortal_work(job: Job, numbers: Sequence[int]) -> list[Line]:
    """Work normally, but let the worker die once."""
    if 5 in numbers:
        die_once()
    return work(job, numbers)


ODD_AGENTS = {
    way: AgentKind(partial(OddAgent, way=way), way)
    for way in ("illegal", "late", "broken", "sleepy", "endless", "mortal", "deadly")
}

if __name__ in ("__main__", "__mp_main__"):  # here, and in the workers
    AGENTS.update(ODD_AGENTS)

if __name__ == "__main__":
    run()
