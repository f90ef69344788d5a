"""Shorten the schedule of a failure: leave out what the failure does not need."""

from collections.abc import Callable
from dataclasses import replace

from tests.simulation.clients import Duel
from tests.simulation.schedule import Schedule

MAX_TRIES = 150


def shrink(schedule: Schedule, fails: Callable[[Schedule], bool]) -> Schedule:
    """Return a smaller schedule for which `fails` is still true."""
    tries = 0

    def still_fails(smaller: Schedule) -> bool:
        nonlocal tries
        tries += 1
        return tries <= MAX_TRIES and fails(smaller)

    changed = True
    while changed and tries < MAX_TRIES:
        changed = False
        for smaller in _smaller(schedule):
            if still_fails(smaller):
                schedule, changed = smaller, True
                break
    return schedule


def _smaller(schedule: Schedule) -> list[Schedule]:
    """Return schedules with one item less, or with one item made simpler; the boldest first."""
    items = schedule.items
    fewer = [replace(schedule, items=tuple(other for other in items if other is not item)) for item in items]
    simpler = [
        replace(schedule, items=tuple(simple if other is item else other for other in items))
        for item in items
        if isinstance(item, Duel)
        for simple in _simpler(item)
    ]
    return [one for one in fewer if len(one.items) > len(one.faults)] + simpler  # somebody must play


def _simpler(duel: Duel) -> list[Duel]:
    candidates = [
        replace(duel, spectators=0),
        replace(duel, sockets=False),
        replace(duel, time_limit=None),
        replace(duel, steps=duel.steps // 2),
        replace(duel, steps=duel.steps - 1),
    ]
    return [one for one in candidates if one != duel and one.steps > 0]
