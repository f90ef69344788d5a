"""Tables: two people play over HTTP, match after match, and ask again whenever they are not sure of a move."""

import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from benchmarks.service.people import Client, Seat, accepted, decoded


@dataclass
class Asked:
    """A move that was sent; the key is the same however often that is."""

    ply: int
    move: str
    key: str
    stored: bool = False  # found in the match although it was never answered


@dataclass
class Played:
    """What was answered about a match, which therefore has to be so for ever."""

    match: str
    begun: bool = False
    moves: dict[int, str] = field(default_factory=dict)  # by ply
    asked: Asked | None = None


class Table:
    """A place to play at, whatever happens to the server meanwhile."""

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
        """Play until the server is gone."""
        with suppress(OSError):
            while True:
                await self._step()
                self.answers += 1

    def unchecked(self) -> list[Played]:
        """Answer the matches that may have changed since this was asked last."""
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
        """Make a match; one that nobody was told of is of no concern."""
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
        if played.asked is None:
            key = f"{self._chance.getrandbits(64):x}"
            played.asked = Asked(view["ply"], self._chance.choice(view["legal"]), key)
        asked = played.asked
        seat = self._seats[view["mover"]]
        self._view = decoded(accepted(await seat.post_move(asked.ply, asked.move, asked.key)))
        played.moves[asked.ply] = asked.move
        self.from_store += asked.stored
        played.asked = None
