"""The simulation finds every deliberate break of the service, and shortens the schedule that shows it."""

import pytest

from tests.simulation.__main__ import report_on
from tests.simulation.breaks import BREAKS, end_turns_exactly
from tests.simulation.run import run
from tests.simulation.schedule import schedule_of

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
    "only-first-page": (1279,),
    "give-up-turns": (405,),
    "pass-on-worker-failures": (0, 1, 12),
    "drop-subscription": (1, 2, 3),
    "forget-lost-presence": (32, 181, 242),
    "start-behind": (720, 4609),
    "claim-at-once": (2, 3, 5),
    "claim-against-the-present": (22, 74),
}


def test_every_break_has_seeds() -> None:
    assert set(SEEDS) == set(BREAKS)


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_service_is_found(broken: str) -> None:
    seeds = (*SEEDS[broken], *range(MAX_SEEDS))
    assert any(run(seed, schedule_of(seed), broken).violations for seed in seeds)


@pytest.mark.parametrize("broken", ["charge-down-time", "only-first-page"])
def test_turns_that_end_exactly_are_not_what_is_found(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end_turns_exactly(monkeypatch)
    seed = SEEDS[broken][0]
    assert not run(seed, schedule_of(seed)).violations


def test_a_failure_is_reported_with_a_shortened_schedule() -> None:
    seed = SEEDS["acknowledge-before-commit"][0]
    report = report_on(seed, "acknowledge-before-commit")
    assert report is not None
    assert len(report.splitlines()) < 30
    assert str(schedule_of(seed)) not in report
