"""The simulation finds every deliberate break of the service, and shortens the schedule that shows it."""

import pytest

from tests.simulation.__main__ import report_on
from tests.simulation.breaks import BREAKS, end_turns_exactly
from tests.simulation.clients import Crowd, Duel
from tests.simulation.faults import Fault, Kind
from tests.simulation.run import run
from tests.simulation.schedule import Schedule, schedule_of

MAX_SEEDS = 2000  # within which every break must be found
SEEDS = {  # that found each break; a change of the service changes what a seed does, and others are tried then
    "acknowledge-before-commit": (0, 1, 2),
    "no-unique-key": (5, 7),
    "forget-answers": (2, 3),
    "forget-agents": (36, 49),
    "never-resync": (54, 84),
    "swallow-errors": (0, 7, 15),
    "charge-down-time": (155,),
    "wait-for-redis": (35, 65, 84),
    "lost-last-write": (3, 13, 17),
    "no-time-limit": (25, 34, 40),
    "purge-by-time-of-day": (19, 82, 142),
    "only-first-page": (2, 3),
    "give-up-turns": (405,),
    "pass-on-worker-failures": (0, 1, 12),
    "drop-subscription": (1, 2, 3),
    "forget-lost-presence": (32, 181, 242),
    "start-behind": (720, 4609),
    "claim-at-once": (2, 3, 5),
    "claim-against-the-present": (22, 74),
}
SCHEDULES = {  # for breaks that the schedules of seeds hardly ever show
    "only-first-page": Schedule(
        1,
        (
            *(Duel(1.0, seed, "crystal-capture", {}, time_limit=10.0, steps=1, sockets=False) for seed in range(3)),
            Fault(Kind.CRASH, 4.0, 1.0),  # nobody looks at these matches again, so no process has a timer for them
            Crowd(6.0, 0, 15),
            Fault(Kind.HANGING_WORKERS, 7.0, 14.0),  # agents' turns are due when the players' time is up
        ),
    ),
}


def schedule_for(broken: str, seed: int) -> Schedule:
    """Return the schedule with which the break is looked for."""
    return SCHEDULES.get(broken) or schedule_of(seed)


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_service_is_found(broken: str) -> None:
    seeds = (*SEEDS[broken], *range(MAX_SEEDS))
    assert any(run(seed, schedule_for(broken, seed), broken).violations for seed in seeds)


@pytest.mark.parametrize("broken", SCHEDULES)
def test_a_service_that_is_not_broken_keeps_its_promises_in_the_same_schedule(broken: str) -> None:
    for seed in SEEDS[broken]:
        assert not run(seed, SCHEDULES[broken]).violations


def test_turns_that_end_exactly_are_not_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    end_turns_exactly(monkeypatch)
    seed = SEEDS["charge-down-time"][0]
    assert not run(seed, schedule_of(seed)).violations


def test_a_failure_is_reported_with_a_shortened_schedule() -> None:
    seed = SEEDS["acknowledge-before-commit"][0]
    report = report_on(seed, "acknowledge-before-commit")
    assert report is not None
    assert len(report.splitlines()) < 30
    assert str(schedule_of(seed)) not in report
