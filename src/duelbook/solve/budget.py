"""The memory that solving a game may take: half of what is free, or what somebody says."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from duelbook.errors import RefusedError, check_range
from duelbook.extras import install_command
from duelbook.text import shorten

NOT_INSTALLED = "the extra 'fast' is not installed"
VARIABLE = "DUELBOOK_SOLVE_MEGABYTES"
MAX_MEGABYTES = 999_999_999
MEGABYTE = 1_000_000
UNITS = {"M": 1, "G": 1000, "T": 1_000_000}  # in megabytes
FREE_SHARE = 2  # by default, solving may take one part in so many of the free memory
UNKNOWN_MEMORY_BYTES = 2_000_000_000  # assumed to be free where the system does not say
MEMORY_INFO = Path("/proc/meminfo")
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container
CGROUP_USE = Path("/sys/fs/cgroup/memory.current")
CGROUP_DETAILS = Path("/sys/fs/cgroup/memory.stat")


class NotCompiledError(Exception):
    """Compiled code cannot be used for the game. The message is why, as in `its states need more than 62 bits`."""


class TooLargeError(RefusedError):
    """The game has more states than can be solved in the memory that may be used."""

    def __init__(self, states: int | None = None, source: str = "", budget_bytes: int | None = None) -> None:
        self.states, self.source, self.budget_bytes = states, source, budget_bytes
        super().__init__(
            f"This game is too large to be solved. {self._size()}"
            f"Try smaller options, or allow more memory with --memory or {VARIABLE}=N."
        )

    def _size(self) -> str:
        """Return a sentence about the size of the game, as far as it is known."""
        memory = "" if self.budget_bytes is None else f"{memory_text(self.budget_bytes)} of memory"
        if self.states is None:
            return ""
        if memory and self.states <= 1:  # not even the first state had room
            return f"It needs more than {memory}. "
        return f"It has more than {self.states:,} states{self.source}{memory and f', too many for {memory}'}. "


class TooSlowError(TooLargeError):
    """The game has more states than the interpreted solver can solve in a reasonable time.

    The obstacle is why compiled code cannot be used: the message of a NotCompiledError.
    """

    def __init__(self, states: int, source: str = "", obstacle: str = "") -> None:
        super().__init__(states, source)
        self.obstacle = obstacle
        why = f"Compiled code cannot be used: {obstacle}. " if obstacle else ""
        end = f", or install it with: {install_command('fast')}" if obstacle == NOT_INSTALLED else "."
        self.args = (
            f"This game is too large to be solved without compiled code: it has more than {states:,} states{source}. "
            f"{why}Try smaller options{end}",
        )


def has_fast() -> bool:
    """Return True if the extra `fast` is installed."""
    return find_spec("numba") is not None


TooLargeFactory = Callable[[int, str], TooLargeError]  # takes the number of states that a game exceeds, and its source


def is_budget_given() -> bool:
    """Return True if `--memory` or the environment says how much memory solving a game may take."""
    return bool(os.environ.get(VARIABLE, "").strip())


def memory_budget() -> int:
    """Return how many bytes solving a game may take: half of the free memory, or what the environment says."""
    if not is_budget_given():
        return free_memory() // FREE_SHARE
    text = os.environ[VARIABLE].strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise RefusedError(f"{VARIABLE} must be a whole number from 1 to {MAX_MEGABYTES:,}, not '{shorten(text)}'.")
    check_range(VARIABLE, int(text), 1, MAX_MEGABYTES)
    return int(text) * MEGABYTE


def allow_memory(text: str) -> None:
    """Set the budget of this process and of those that it starts to an amount such as `800M` or `4G`.

    Raise RefusedError if the machine does not have so much.
    """
    amount = re.fullmatch(r"([0-9]{1,9})([MGT])B?", text.strip().upper())
    if not amount:
        raise RefusedError(f"--memory must be a whole number and M, G or T, such as 800M or 4G, not '{shorten(text)}'.")
    megabytes = int(amount[1]) * UNITS[amount[2]]
    check_range("--memory in megabytes", megabytes, 1, MAX_MEGABYTES)
    total = total_memory()
    if total is not None and megabytes * MEGABYTE > total:
        raise RefusedError(f"--memory must be at most {memory_text(total)}, which this machine has, not '{text}'.")
    os.environ[VARIABLE] = str(megabytes)


def total_memory() -> int | None:
    """Return the bytes of memory that the machine or its container has, or None if the system does not say."""
    found: list[int] = []
    with suppress(AttributeError, ValueError, OSError):  # not every system has them
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(ValueError, OSError):  # no container, or `max`
        found.append(int(CGROUP_LIMIT.read_text()))
    return min(found, default=None)


def free_memory() -> int:
    """Return the bytes of memory that this process could still use."""
    total = total_memory()
    found = UNKNOWN_MEMORY_BYTES if total is None else total // 2
    with suppress(OSError, StopIteration):
        line = next(line for line in MEMORY_INFO.read_text().splitlines() if line.startswith("MemAvailable:"))
        found = int(line.split()[1]) * 1024
    with suppress(ValueError, OSError):  # no container, or `max`
        limit, used = int(CGROUP_LIMIT.read_text()), int(CGROUP_USE.read_text())
        with suppress(OSError, StopIteration):  # files that were read count as used, but make way
            details = CGROUP_DETAILS.read_text().splitlines()
            used -= int(next(line for line in details if line.startswith("inactive_file ")).split()[1])
        found = min(found, max(0, limit - used))
    return found


def memory_text(count: int) -> str:
    """Return a number of bytes for people, as in `4.2 GB`."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.0f} MB"
