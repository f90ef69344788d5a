"""Run many seeds: `python -m tests.simulation --seeds 2000`."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.run import run
from tests.simulation.schedule import Schedule, schedule_of
from tests.simulation.shrinking import shrink

CHUNK = 10  # seeds that a process takes at a time
SHOWN_EVENTS = 40  # of a shortened schedule, the last before the violation


def main() -> int:
    """Run the seeds; print each failure with its seed and a shortened schedule. Return 1 if there is any."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds to run")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes to use")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the tenth failure")
    options = parser.parse_args()
    began = time.monotonic()
    failed = 0
    for seed, report in reports(range(options.first, options.first + options.seeds), options.jobs):
        failed += 1
        print(f"Seed {seed} fails.\n{report}\n", flush=True)
        if failed == 10 and not options.keep_going:
            break
    seconds = time.monotonic() - began
    print(f"{options.seeds} seeds in {seconds:.0f} seconds, {options.seeds / seconds:.1f} a second: {failed} failed.")
    return 1 if failed else 0


def reports(seeds: range, jobs: int) -> Iterator[tuple[int, str]]:
    """Yield the failures among the seeds, each with a report."""
    chunks = [seeds[start : start + CHUNK] for start in range(0, len(seeds), CHUNK)]
    with ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(_failures, chunks):
            yield from found


def _failures(seeds: Iterable[int]) -> list[tuple[int, str]]:
    return [(seed, report) for seed in seeds if (report := report_on(seed))]


def report_on(seed: int) -> str | None:
    """Return None if the run of the seed is as it should be, else what is wrong and a shortened schedule."""
    schedule = schedule_of(seed)
    violations = run(seed, schedule).violations
    if not violations:
        return None
    check = violations[0].check

    def fails(smaller: Schedule) -> bool:
        found = run(seed, smaller).violations
        return bool(found) and found[0].check == check

    shortest = shrink(schedule, fails)
    result = run(seed, shortest)
    violation = result.violations[0]
    before = [event for event in result.trace if float(event.split(" ", 1)[0]) <= violation.time]
    return "\n".join([str(violation), "", str(shortest), "", *before[-SHOWN_EVENTS:]])


if __name__ == "__main__":
    sys.exit(main())
