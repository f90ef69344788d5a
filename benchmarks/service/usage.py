"""Processor time and memory of processes, from Linux's /proc."""

import os
import resource
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGESIZE")
MEGABYTE = 1024  # kilobytes, the unit of Linux's figures
IDLE_COLUMNS = (3, 4)  # of the machine's times: idle and waiting


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
    others: float  # everything else on the machine, with the system's own work

    def __str__(self) -> str:
        busy = f"server {self.server:.2f}, generator {self.generator:.2f}, others {self.others:.2f}"
        return f"cores busy: {busy}, of {os.cpu_count()}"


class Memory(NamedTuple):
    """Megabytes of a process and its children."""

    parts: tuple[float, ...]  # resident memory of each process
    proportional: float  # of all together, with shared memory counted once

    @property
    def resident(self) -> float:
        return sum(self.parts)


def sample(server: int) -> Sample:
    """Return the processor time so far of the server with that process id and of this process."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    machine = [int(ticks) for ticks in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    busy = sum(ticks for column, ticks in enumerate(machine) if column not in IDLE_COLUMNS) / TICKS
    return Sample(time.perf_counter(), processor_seconds(server), own.ru_utime + own.ru_stime, busy)


def cores(before: Sample, after: Sample) -> Cores:
    """Return how many cores were busy between two samples, and with which processes."""
    clock, server, generator, machine = (new - old for old, new in zip(before, after, strict=True))
    return Cores(server / clock, generator / clock, max(0.0, machine - server - generator) / clock)


def memory(server: int) -> Memory:
    """Return the memory of a process and its children."""
    parts = [_rollup(pid) for pid in family(server)]
    return Memory(
        tuple(part["Rss"] / MEGABYTE for part in parts),
        sum(part["Pss"] for part in parts) / MEGABYTE,
    )


def written_bytes(process: int) -> float:
    """Return how much a process and its descendants have written to disks so far."""
    lines = (Path(f"/proc/{pid}/io").read_text().split("\n") for pid in family(process))
    return float(sum(int(line.split()[1]) for found in lines for line in found if line.startswith("write_bytes")))


def resident(processes: Iterable[int]) -> float:
    """Return the megabytes of resident memory of all these processes."""
    pages = 0
    for process in processes:
        with suppress(OSError):
            pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * PAGE_BYTES / MEGABYTE / 1024


def open_files(process: int) -> int:
    """Return how many files, sockets and pipes a process has open."""
    return len(os.listdir(f"/proc/{process}/fd"))


def threads(process: int) -> int:
    """Return how many threads a process has."""
    return len(os.listdir(f"/proc/{process}/task"))


def family(process: int) -> dict[int, int]:
    """Return the process and all its descendants, each with its parent."""
    parents = {int(path.name): int(_fields(int(path.name))[1]) for path in Path("/proc").glob("[0-9]*")}
    found = {process}
    while fresh := {child for child, parent in parents.items() if parent in found} - found:
        found |= fresh
    return {pid: parents.get(pid, 0) for pid in sorted(found)}


def command_line(process: int) -> str:
    """Return the command of a process, or nothing if it has just ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def processor_seconds(process: int) -> float:
    """Return the processor time so far of a process and its descendants."""
    return sum(sum(map(int, _fields(pid)[11:13])) for pid in family(process)) / TICKS


def _fields(process: int) -> list[str]:
    """Return the columns of a process after its name, or zeros if it has just ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return ["0"] * 50


def _rollup(process: int) -> dict[str, int]:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().split("\n")[1:]
    return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if rest}
