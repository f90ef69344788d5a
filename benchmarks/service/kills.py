"""Kills: the server is killed while people play, and everything that it acknowledged must be there afterwards."""

import asyncio
import random
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from benchmarks.service.clients import Client, Seat, accepted, decoded
from benchmarks.service.figures import none_of
from benchmarks.service.load import wait
from benchmarks.service.plan import Plan
from benchmarks.service.server import Server, running_server
from duelbook.game import PASS
from duelbook.records.document import from_json

PAIRS = 20
MAX_LIFE_SECONDS = 0.8  # of a server after every pair was answered
PATIENCE = 30.0  # seconds for every pair to be answered after a start
REPORT_EVERY = 50  # kills

Lost = set[tuple[str, int]]  # matches with plies


@dataclass
class SentMove:
    """A move that was sent, perhaps several times, with one key."""

    ply: int
    move: str
    key: str
    stored: bool = False  # found in the match although it was never acknowledged


@dataclass
class Played:
    """What was acknowledged about a match."""

    match: str
    begun: bool = False
    moves: dict[int, str] = field(default_factory=dict)  # by ply
    sent: SentMove | None = None


class RetryingPair:
    """Two players who send a move again whenever they are not sure that it arrived."""

    def __init__(self, port: int, seed: str) -> None:
        self.finished: list[Played] = []
        self.played: Played | None = None
        self.answers = 0
        self.from_store = 0
        self._checked = 0
        self._clients = Client(port), Client(port)
        self._chance = random.Random(seed)
        self._seats: dict[str, Seat] = {}
        self._view: dict[str, Any] = {}

    async def play(self) -> None:
        """Play until the server is killed."""
        with suppress(OSError):
            while True:
                await self._step()
                self.answers += 1

    def unchecked(self) -> list[Played]:
        """Return the matches that may have changed since the last call."""
        fresh = self.finished[self._checked :]
        self._checked = len(self.finished)
        return fresh + ([self.played] if self.played else [])

    async def _step(self) -> None:
        if self.played is None:
            await self._create()
        elif not self.played.begun:
            await self._join(self.played)
        elif self._view["status"] == "over":
            self.finished.append(self.played)
            self.played = None
        else:
            await self._move(self.played)

    async def _create(self) -> None:
        """Create a match. One that was not acknowledged does not count."""
        seat = await self._clients[0].create()
        self._seats = {seat.name: seat}
        self._key = f"{self._chance.getrandbits(128):032x}"
        self.played = Played(seat.match)

    async def _join(self, played: Played) -> None:
        seat = await self._clients[1].join(played.match, key=self._key)
        self._seats[seat.name] = seat
        self._view = await self._clients[1].get(f"/api/matches/{played.match}")
        played.begun = True

    async def _move(self, played: Played) -> None:
        view = self._view
        if played.sent is None:
            key = f"{self._chance.getrandbits(64):x}"
            played.sent = SentMove(view["ply"], self._chance.choice(view["legal"]), key)
        sent = played.sent
        seat = self._seats[view["mover"]]
        self._view = decoded(accepted(await seat.post_move(sent.ply, sent.move, sent.key)))
        played.moves[sent.ply] = sent.move
        self.from_store += sent.stored
        played.sent = None


async def check_match(client: Client, played: Played) -> Lost:
    """Return the acknowledged moves that the match has lost; raise AssertionError for anything else that is wrong."""
    answer = await client.ask("GET", f"/api/matches/{played.match}")
    if answer.status == 404:
        return {(played.match, ply) for ply in (-1, *played.moves)}  # and the match itself
    moves = decoded(answer)["moves"]
    if played.begun:
        record = from_json(await client.get(f"/api/matches/{played.match}/record"))  # replays the moves by the rules
        assert list(record.moves) == moves, f"The record and the view of {played.match} differ."
    lost = {(played.match, ply) for ply, move in played.moves.items() if moves[ply : ply + 1] != [move]}
    for ply, move in enumerate(moves):
        assert lost or is_explained(played, ply, move), f"Nobody played {move} at ply {ply} of {played.match}."
    return lost


def is_explained(played: Played, ply: int, move: str) -> bool:
    """Return True if the move was acknowledged or sent, or is a pass, which the service plays itself."""
    sent = played.sent
    if sent and (sent.ply, sent.move) == (ply, move):
        sent.stored = True
        return True
    return ply in played.moves or move == PASS


async def run(plan: Plan) -> None:
    print(f"kills: {plan.kills}, while {PAIRS} pairs play over HTTP; seed {plan.seed}")
    chance = random.Random(plan.seed)
    with running_server("warning") as server:
        pairs = [RetryingPair(server.port, f"{plan.seed} {number}") for number in range(PAIRS)]
        lost: Lost = set()
        for number in range(1, plan.kills + 1):
            await play_and_kill(server, pairs, chance.uniform(0, MAX_LIFE_SECONDS))
            server.start()
            lost |= await find_lost(server, [played for pair in pairs for played in pair.unchecked()])
            if lost or number % REPORT_EVERY == 0:
                report(f"after {number} kills", pairs, lost)
            if lost:
                break
        lost |= await find_lost(server, [played for pair in pairs for played in pair.finished])
        server.kill()
        report("at the end", pairs, lost)
        none_of("lost moves", len(lost))
        print(f"    integrity check of the database: {integrity(server)}")
        if lost:
            sys.exit(f"Lost (match, ply): {sorted(lost)}")


async def play_and_kill(server: Server, pairs: Sequence[RetryingPair], seconds: float) -> None:
    """Let all pairs play; kill the server that many seconds after every pair was answered."""
    before = [pair.answers for pair in pairs]
    tasks = [asyncio.create_task(pair.play()) for pair in pairs]
    end = time.monotonic() + PATIENCE
    while any(pair.answers == answers for pair, answers in zip(pairs, before, strict=True)):
        await wait(tasks, 0.01)
        if time.monotonic() > end or any(task.done() for task in tasks):
            raise RuntimeError(f"No answers come: {server.log_tail()}")
    await wait(tasks, seconds)
    server.kill()
    await asyncio.gather(*tasks)


async def find_lost(server: Server, matches: Sequence[Played]) -> Lost:
    """Return what the matches have lost."""
    shares = [matches[start::PAIRS] for start in range(PAIRS)]
    found = await asyncio.gather(*(_find_lost(Client(server.port), share) for share in shares))
    return {move for share in found for move in share}


async def _find_lost(client: Client, matches: Sequence[Played]) -> Lost:
    found: Lost = set()
    for played in matches:
        found |= await check_match(client, played)
    client.close()
    return found


def report(when: str, pairs: Sequence[RetryingPair], lost: Lost) -> None:
    matches = [played for pair in pairs for played in (*pair.finished, *filter(None, [pair.played]))]
    print(
        f"  {when}: {sum(len(played.moves) for played in matches):,} moves acknowledged in {len(matches):,} matches, "
        f"{len(lost)} lost, {sum(pair.from_store for pair in pairs)} retries answered from the store",
        flush=True,
    )


def integrity(server: Server) -> str:
    """Return what SQLite finds when it checks the file."""
    with closing(sqlite3.connect(server.database)) as database:
        return str(database.execute("PRAGMA integrity_check").fetchone()[0])
