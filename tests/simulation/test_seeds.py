"""The service keeps its promises in simulated runs, whatever goes wrong in them. `make simulate` runs more seeds."""

import os
import subprocess
import sys
from hashlib import sha256

import pytest

from tests.simulation.__main__ import report_on
from tests.simulation.run import run
from tests.simulation.schedule import schedule_of

SEEDS = 50
MORE_SEEDS = 300  # in the long run
BATCH = 10


@pytest.mark.parametrize(
    "first",
    [
        *range(0, SEEDS, BATCH),
        *(pytest.param(first, marks=pytest.mark.long) for first in range(SEEDS, MORE_SEEDS, BATCH)),
    ],
)
def test_no_promise_is_broken(first: int) -> None:
    for seed in range(first, first + BATCH):
        report = report_on(seed)
        assert report is None, f"Seed {seed}: {report}"


@pytest.mark.parametrize(("nodes", "seeds"), [(4, 2), (8, 1), pytest.param(8, 8, marks=pytest.mark.long)])
def test_no_promise_is_broken_by_many_processes(nodes: int, seeds: int) -> None:
    found = {seed: run(seed, schedule_of(seed, nodes)).violations for seed in range(seeds)}
    assert not any(found.values()), found


def fingerprint(seed: int) -> str:
    return sha256("\n".join(run(seed, schedule_of(seed)).trace).encode()).hexdigest()


def test_a_seed_gives_the_same_run_every_time_and_in_every_process() -> None:
    code = f"from {__name__} import fingerprint; print(*map(fingerprint, (1, 2)))"
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.split() == [fingerprint(seed) for seed in (1, 2)]
