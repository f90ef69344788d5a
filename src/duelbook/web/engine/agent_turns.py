"""Agents' turns: each is played once, and those that a restart interrupted are played after it."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any, NamedTuple

from duelbook.agents import is_exact
from duelbook.game import Move, Player
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.tables import Change, MatchRow
from duelbook.web.engine.pool import EngineTimeoutError, EngineUnavailableError, WorkerPool
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import Problem
from duelbook.web.tasks import cancel_all

RETRY_SECONDS = 1.0
MAX_TRIES = 3

log = logging.getLogger("duelbook.web")


class Turn(NamedTuple):
    """An agent's turn, as the store has it. The match may change while the agent thinks."""

    row: MatchRow
    seat: Player
    agent: str
    moves: list[Move]


def turn_due(served: ServedMatch) -> Turn | None:
    """Return the turn if it is an agent's, else None."""
    seat = served.match.mover
    return Turn(served.row, seat, served.seats[seat].agent, [*served.match.moves]) if served.row.agent_due else None


class AgentTurns:
    """Plays the turns of agents, one task for each match."""

    def __init__(self, registry: MatchRegistry, engine: WorkerPool) -> None:
        self._registry = registry
        self._engine = engine
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def notice(self, served: ServedMatch) -> None:
        """Take the turn if it is an agent's; prepare exact agents of a new match. A listener of the registry."""
        if turn := turn_due(served):
            self.take(served.row.id, turn)
        elif served.row.ply == 0 and any(seat.is_agent and is_exact(seat.agent) for seat in served.seats):
            game, options = served.row.game, json.loads(served.row.options)
            self._start(f"prepare {served.row.id}", self._engine.prepare_agents(game, options))

    def take(self, match: str, turn: Turn | None = None) -> None:
        """Play the agent's turn in a match, unless a task is playing it already."""
        if match not in self._tasks:
            self._start(match, self._play_on(match, turn))

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._tasks[name] = asyncio.create_task(self._run(name, work))

    async def _run(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            self._tasks.pop(name, None)  # at once: the next turn of the match needs a task of its own

    async def close(self) -> None:
        """Stop. Turns that are not finished are found again after the next start."""
        await cancel_all(self._tasks.values())

    async def _play_on(self, match: str, turn: Turn | None) -> None:
        """Play for as long as it is an agent's turn."""
        failures = 0
        while failures < MAX_TRIES:
            try:
                if turn := turn_due(await (self._play(turn) if turn else self._registry.read(match))):
                    continue
                return
            except (EngineUnavailableError, StoreUnavailableError) as error:
                failures, turn = failures + 1, None
                log.warning("an agent's turn failed", extra={"match": match, "why": str(error)})
                await asyncio.sleep(RETRY_SECONDS)
            except Problem:  # the match was removed
                return

    async def _play(self, turn: Turn) -> ServedMatch:
        row = turn.row
        move: Move | None
        try:
            move = await self._engine.choose(
                turn.agent,
                game=row.game,
                options=json.loads(row.options),
                moves=turn.moves,
                seed=f"{row.seed} {row.ply}",
                limit=row.time_limit,
            )
        except EngineTimeoutError:
            move = None  # the agent loses on time

        def step(served: ServedMatch) -> tuple[Change, ...]:
            if served.row.version != row.version:
                return ()  # the match has changed meanwhile
            return (served.run_out_of_time() if move is None else served.play(move),)

        return await self._registry.change(row.id, step)
