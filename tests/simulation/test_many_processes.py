"""The service keeps its promises with many simulated processes, too."""

import pytest

from tests.simulation.run import run
from tests.simulation.schedule import schedule_of


@pytest.mark.parametrize(("nodes", "seeds"), [(4, 2), (8, 1), pytest.param(8, 8, marks=pytest.mark.long)])
def test_no_promise_is_broken_by_many_processes(nodes: int, seeds: int) -> None:
    found = {seed: run(seed, schedule_of(seed, nodes)).violations for seed in range(seeds)}
    assert not any(found.values()), found
