"""The service keeps its promises in simulated runs, whatever goes wrong in them. `make simulate` runs more seeds."""

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256

import pytest

from duelbook.web.match import actions
from tests.simulation.__main__ import report_on
from tests.simulation.run import run
from tests.simulation.schedule import schedule_of

SEEDS = 50
MORE_SEEDS = 300  # in the long run
BATCH = 10
RARE = (54, 65, 84, 720, 4609)  # seeds with situations that others hardly ever have


@pytest.mark.parametrize(
    "seeds",
    [
        *(range(first, first + BATCH) for first in range(0, SEEDS, BATCH)),
        RARE,
        *(pytest.param(range(one, one + BATCH), marks=pytest.mark.long) for one in range(SEEDS, MORE_SEEDS, BATCH)),
    ],
    ids=str,
)
def test_no_promise_is_broken(seeds: Sequence[int]) -> None:
    for seed in seeds:
        report = report_on(seed)
        assert report is None, f"Seed {seed}: {report}"


@pytest.mark.parametrize(("nodes", "seeds"), [(4, 2), (8, 1), pytest.param(8, 8, marks=pytest.mark.long)])
def test_no_promise_is_broken_by_many_processes(nodes: int, seeds: int) -> None:
    found = {seed: run(seed, schedule_of(seed, nodes)).violations for seed in range(seeds)}
    assert not any(found.values()), found


def test_a_failure_is_reported_with_a_shortened_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "find_retried_line", lambda *_: None)
    report = report_on(2)
    assert report is not None
    assert len(report.splitlines()) < 30
    assert str(schedule_of(2)) not in report


def fingerprint(seed: int) -> str:
    return sha256("\n".join(run(seed, schedule_of(seed)).trace).encode()).hexdigest()


def test_a_seed_gives_the_same_run_every_time_and_in_every_process() -> None:
    code = f"from {__name__} import fingerprint; print(*map(fingerprint, (1, 2)))"
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.split() == [fingerprint(seed) for seed in (1, 2)]
