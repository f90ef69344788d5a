"""Catching up: a process that plays only the moves it has missed has the same match as one that loads all of it."""

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import asdict

from duelbook import GAMES
from duelbook.match import Clock
from duelbook.play.actions import ActionName
from duelbook.web.db.store import Store
from duelbook.web.db.tables import Change, StoredMatch
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from duelbook.web.schemas.matches import Join, NewMatch, SeatedView
from tests.support.clock import ManualClock
from tests.support.game_folders import short_variants
from tests.support.service.matches import MatchProcess, act
from tests.support.service.stores import with_stores

STEPS = 15
SEEDS = 3
CHANCES: dict[ActionName, float] = {"play": 20, "undo": 2, "agree": 4, "decline": 1, "resign": 0.3}


class Process(MatchProcess):
    """Notes the ply from which each match was read."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock)
        self.loads: list[int] = []
        load = store.load

        async def count(match: str, ply: int = 0) -> StoredMatch | None:
            self.loads.append(ply)
            return await load(match, ply)

        store.load = count  # type: ignore[method-assign]


def everything(served: ServedMatch) -> Sequence[Any]:
    """Return all that can be known of the match."""
    match = served.match
    seats = [asdict(seat) for seat in served.seats]
    moves = [asdict(move) for move in served.moves]
    played = [match.moves, match.seconds, [*match.states], match.outcome, match.reason, match.turn_started]
    return [asdict(served.row), seats, moves, served.last_undone, played, served.legal, match_view(served)]


async def do_something(
    process: Process, served: ServedMatch, seats: Sequence[SeatedView], choice: random.Random
) -> None:
    """Do something at random that players do; mostly, play a move."""
    seat, fields = choice.choice(seats), dict[str, Any]()
    (action,) = choice.choices(list(CHANCES), list(CHANCES.values()))
    if action == "play":
        if not served.legal:
            return
        seat = seats[served.match.mover]
        fields = {"ply": served.row.ply, "move": choice.choice(list(served.legal)), "key": str(choice.random())[2:]}
    elif action == "agree" and served.row.undo_by is not None:
        seat = seats[1 - served.row.undo_by]
    await act(process.actions, seat, action, **fields)


async def play(processes: Sequence[Process], clock: ManualClock, game: str, choice: random.Random) -> None:
    """Play a match on two processes, and compare what each of three has now and then."""
    request = NewMatch(game=game, opponent="friend", seat="first", options=short_variants(game)[0])
    one = await processes[0].lobby.create(request)
    two = await processes[1].lobby.join(one.id, Join())
    for _ in range(STEPS):
        process = choice.choice(processes[:2])
        for _ in range(choice.choice((1, 1, 3))):
            clock.time += 0.25
            served = await processes[2].registry.read(one.id)
            with suppress(Problem):  # the match is over, or there is no move to take back
                await do_something(process, served, (one, two), choice)
        stored = await process.store.load(one.id)
        assert stored
        for other in processes:
            how = choice.choice(("read", "refresh", "wait"))
            if how == "refresh":
                await other.registry.refresh(one.id, stored.match.version)
            if how != "wait":
                assert everything(await other.registry.read(one.id)) == everything(ServedMatch(stored, clock))


def test_a_match_that_catches_up_is_the_same_as_one_that_is_loaded(url: str) -> None:
    async def work(*stores: Store) -> None:
        clock = ManualClock()
        processes = [Process(store, clock) for store in stores]
        for game in GAMES:
            for seed in range(SEEDS):
                await play(processes, clock, game, random.Random(seed))
        assert sum(ply > 0 for process in processes for ply in process.loads) > STEPS, "moves are read alone"

    with_stores(url, 3, work)


def test_a_change_that_another_process_announced_costs_no_failed_transaction(url: str) -> None:
    async def work(*stores: Store) -> None:
        here, there = (Process(store, ManualClock()) for store in stores)
        one = await here.lobby.create(NewMatch(game="crystal-capture", opponent="friend", seat="first"))
        two = await there.lobby.join(one.id, Join())
        written: list[int] = []
        for process in (here, there):
            apply = process.store.apply

            async def count(*changes: Change, apply: Any = apply) -> None:
                written.append(len(changes))
                await apply(*changes)

            process.store.apply = count  # type: ignore[method-assign]
        for ply, move in enumerate(("9", "6", "5", "1")):
            process, other, seat = (here, there, one) if ply % 2 == 0 else (there, here, two)
            served = await act(process.actions, seat, "play", ply=ply, move=move)
            other.registry.expect(one.id, served.row.version)
        assert written == [1] * 4
        assert there.loads[-1] > 0

    with_stores(url, 2, work)
