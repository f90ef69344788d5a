"""Agents from outside that behave badly. `ODD_AGENTS` is the environment in which every process knows them."""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from duelbook.agents import Forfeit, ForfeitKind
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch

TRACE = "DUELBOOK_TEST_TRACE"  # names a file that shows that a worker has died
SLEEP = "DUELBOOK_TEST_SLEEP"  # the variable with the seconds by which each move of the sleepy agent takes longer


class Illegal(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        return 10**6


class Late(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        raise Forfeit(ForfeitKind.TIMEOUT, "The agent thought for too long.")


class Broken(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        raise RuntimeError("<script>alert('no such\nthing')</script>")


class Sleepy(RandomAgent):
    moves: ClassVar = 0  # in this process

    def choose(self, match: ReadOnlyMatch) -> Move:
        Sleepy.moves += 1
        time.sleep(float(os.environ.get(SLEEP, "0")) * Sleepy.moves)
        return super().choose(match)


class Endless(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        Path(os.environ[TRACE]).touch()
        time.sleep(60)
        return super().choose(match)


class Mortal(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        die_once()
        return super().choose(match)


class Deadly(RandomAgent):
    def choose(self, match: ReadOnlyMatch) -> Move:
        os._exit(3)


ODD_CLASSES = (Illegal, Late, Broken, Sleepy, Endless, Mortal, Deadly)
ODD_AGENTS = {"DUELBOOK_AGENTS": ",".join(f"{odd.__module__}:{odd.__name__}" for odd in ODD_CLASSES)}


def die_once() -> None:
    """End this process, unless another one has done so before."""
    with suppress(FileExistsError):
        Path(os.environ[TRACE]).touch(exist_ok=False)
        os._exit(3)
