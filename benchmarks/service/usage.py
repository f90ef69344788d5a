"""What processes use, as Linux tells it: processor time and memory."""

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1024  # of the kilobytes that Linux tells
IDLE = (3, 4)  # the columns of the machine's time in which nothing runs


class Sample(NamedTuple):
    """Processor seconds until now."""

    clock: float
    server: float
    generator: float
    machine: float


class Cores(NamedTuple):
    """Processor seconds a second."""

    server: float
    generator: float
    others: float  # anything else on the machine, the system's own work included

    def __str__(self) -> str:
        busy = f"server {self.server:.2f}, generator {self.generator:.2f}, others {self.others:.2f}"
        return f"cores busy: {busy}, of {os.cpu_count()}"


class Memory(NamedTuple):
    """Megabytes of a process and its children."""

    parts: tuple[float, ...]  # what is resident of each
    proportional: float  # of all together, where what they share is counted once

    @property
    def resident(self) -> float:
        return sum(self.parts)


def sample(server: int) -> Sample:
    """Answer what has been used so far, by the server of that process id and by this process."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    used = sum(sum(map(int, _fields(pid)[11:13])) for pid in family(server)) / TICKS
    machine = [int(ticks) for ticks in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    busy = sum(ticks for column, ticks in enumerate(machine) if column not in IDLE) / TICKS
    return Sample(time.perf_counter(), used, own.ru_utime + own.ru_stime, busy)


def cores(before: Sample, after: Sample) -> Cores:
    """Answer how many cores were busy between two samples, and with whom."""
    clock, server, generator, machine = (new - old for old, new in zip(before, after, strict=True))
    return Cores(server / clock, generator / clock, max(0.0, machine - server - generator) / clock)


def memory(server: int) -> Memory:
    """Answer the memory of a process and its children."""
    parts = [_rollup(pid) for pid in family(server)]
    return Memory(tuple(part["Rss"] / MEGABYTE for part in parts), sum(part["Pss"] for part in parts) / MEGABYTE)


def family(process: int) -> Iterator[int]:
    """Answer the process and all that it has started."""
    parents = {int(path.name): int(_fields(int(path.name))[1]) for path in Path("/proc").glob("[0-9]*")}
    found = {process}
    while fresh := {child for child, parent in parents.items() if parent in found} - found:
        found |= fresh
    yield from sorted(found)


def _fields(process: int) -> list[str]:
    """Answer the columns of a process after its name; one that has just ended has nothing but noughts."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return ["0"] * 50


def _rollup(process: int) -> dict[str, int]:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().split("\n")[1:]
    return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if rest}
