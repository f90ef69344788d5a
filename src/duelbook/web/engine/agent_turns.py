"""The computers' turns: taken by the service, each once, also those that a restart interrupted."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any, NamedTuple

from duelbook.agents import is_exact
from duelbook.game import Move, Player
from duelbook.web.db.tables import Change, MatchRow
from duelbook.web.db.writer import StoreUnavailableError
from duelbook.web.engine.pool import EngineUnavailableError, WorkerPool
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem
from duelbook.web.tasks import end

PAUSE = 1.0  # seconds before a turn that failed is tried again
TRIES = 3

log = logging.getLogger("duelbook.web")


class Turn(NamedTuple):
    """A computer's turn, as it was when the match was durable; the match may change while it thinks."""

    row: MatchRow
    seat: Player
    agent: str
    moves: list[Move]


def due(served: ServedMatch) -> Turn | None:
    """Answer the turn of the computer, if it is one."""
    seat = served.match.mover
    return Turn(served.row, seat, served.seats[seat].agent, [*served.match.moves]) if served.row.agent_due else None


class AgentTurns:
    def __init__(self, registry: MatchRegistry, engine: WorkerPool) -> None:
        self._registry = registry
        self._engine = engine
        self._turns: dict[str, asyncio.Task[None]] = {}

    def notice(self, served: ServedMatch) -> None:
        """Take the computer's turn if it is one, and have it ready for its first; a listener of matches."""
        if turn := due(served):
            self.take(served.row.id, turn)
        elif served.row.ply == 0:
            for seat in served.seats:
                if seat.is_agent and is_exact(seat.agent):
                    self._do(f"ready {served.row.id}", self._engine.ready(served.row.game, served.row.options))

    def take(self, match: str, turn: Turn | None = None) -> None:
        """Take the turn in a match, unless that is being done."""
        if match not in self._turns:
            self._do(match, self._play_on(match, turn))

    def _do(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._turns[what] = asyncio.create_task(self._done(what, work))

    async def _done(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._turns.pop(what, None)  # at once, or the turn after it would be taken for the same

    async def close(self) -> None:
        """Stop; turns that are not finished are found again after the next start."""
        await end(self._turns.values())

    async def _play_on(self, match: str, turn: Turn | None) -> None:
        """Move as long as it is a computer's turn."""
        failures = 0
        while failures < TRIES:
            try:
                if turn := due(await (self._take(turn) if turn else self._registry.read(match))):
                    continue
                return
            except (EngineUnavailableError, StoreUnavailableError) as error:
                failures, turn = failures + 1, None
                log.warning("a computer's turn failed", extra={"match": match, "why": str(error)})
                await asyncio.sleep(PAUSE)
            except Problem:  # the match is gone
                return

    async def _take(self, turn: Turn) -> ServedMatch:
        row = turn.row
        move: int | None
        try:
            move = await self._engine.choose(
                turn.agent,
                game=row.game,
                options=json.loads(row.options),
                moves=turn.moves,
                seed=f"{row.seed} {row.ply}",
                limit=row.time_limit,
            )
        except TimeoutError:
            move = None  # it has thought too long, and loses

        def step(now: ServedMatch) -> tuple[Change, ...]:
            if now.row.version != row.version:
                return ()  # the match has changed meanwhile
            return (now.run_out_of_time() if move is None else now.play(turn.seat, move, None),)

        return await self._registry.change(row.id, step)
