"""The cost of giving out matches of 1 ms to workers, in processes and on Ray, relative to the matches themselves."""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from duelbook.arena.runner import BATCH_SECONDS
from duelbook.arena.workers import Job, Line, Pool, ProcessPool, cores, play_all
from duelbook.arena.workers.ray import RayPool

MATCHES = 20_000
LINE = "x" * 800  # as long as the result of a match


def busy_work(job: Job, numbers: Sequence[int]) -> list[Line]:
    """Work for 1 ms on each match, and return lines with the exact time."""
    lines, started = [], time.perf_counter()
    for number in numbers:
        began = time.perf_counter()
        while time.perf_counter() - began < 0.001:
            pass
        lines.append((number, json.dumps([time.perf_counter() - began, LINE])))
        if time.perf_counter() - started > BATCH_SECONDS:
            break
    return lines


def overhead(make: Callable[[], Pool]) -> float:
    """Return the time that workers did not spend on matches, relative to the time that they did."""
    with closing(make()) as pool, tempfile.TemporaryDirectory() as folder:
        list(play_all(range(2 * pool.slots), pool))  # all workers have started
        began, spent = time.perf_counter(), 0.0
        with (Path(folder) / "lines").open("ab", buffering=0) as file:
            for _, line in play_all(range(MATCHES), pool):
                file.write(line.encode())
                spent += json.loads(line)[0]
        return (time.perf_counter() - began) * pool.slots / spent - 1


def main() -> None:
    job = Job("")
    for workers in sorted({1, max(1, cores() - 1), cores()}):
        print(f"process, {workers} workers: {overhead(lambda: ProcessPool(job, workers, busy_work)):.1%}")  # noqa: B023
        print(f"ray, {workers} workers: {overhead(lambda: RayPool(job, workers, None, busy_work)):.1%}")  # noqa: B023


if __name__ == "__main__":
    main()
