"""The service keeps its promises with many simulated processes, too."""

import pytest

from tests.simulation.run import run
from tests.simulation.schedule import schedule_of

SEEDS = 12


@pytest.mark.parametrize("nodes", [4, 8])
def test_no_promise_is_broken_by_many_processes(nodes: int) -> None:
    found = {seed: run(seed, schedule_of(seed, nodes)).violations for seed in range(SEEDS // nodes * 4)}
    assert not any(found.values()), found
