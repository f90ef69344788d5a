"""Agents' turns: each is played once, and those that a restart or a failure interrupted are played after it."""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from duelbook.agents import is_exact, make_built_in, turn_seed
from duelbook.game import Move, Player
from duelbook.games import broken_game
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.tables import Change, MatchRow
from duelbook.web.engine.pool import NoLongerNeededError, WorkerPool
from duelbook.web.engine.slots import client
from duelbook.web.engine.supervisor import EngineTimeoutError, EngineUnavailableError
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.shown import log_once
from duelbook.web.problems import Problem
from duelbook.web.tasks import cancel_all, start

RETRY_SECONDS = 1.0  # after the first failure; twice as long after each further one
MAX_RETRY_SECONDS = 5.0
MAX_WAITING_TURNS = 32  # of one client; it can then begin no further match against an agent
BUSY_SECONDS = 5
UNKNOWN_CLIENTS = 2

log = logging.getLogger("duelbook.web")


class AgentTurn(NamedTuple):
    """An agent's turn, as the store has it. The match may change while the agent thinks."""

    row: MatchRow
    seat: Player
    agent: str
    moves: list[Move]


def turn_due(served: ServedMatch) -> AgentTurn | None:
    """Return the turn if it is an agent's, else None."""
    seat = served.match.mover
    return (
        AgentTurn(served.row, seat, served.seats[seat].agent, [*served.match.moves]) if served.row.agent_due else None
    )


def _unknown_client(number: int) -> str:
    """Return what a turn is charged to if nobody knows whose request caused it, as after a restart.

    All such turns together have no more workers than this many clients, so that they do not hold up new ones.
    """
    return f"unknown {number % UNKNOWN_CLIENTS}"


@dataclass
class _Work:
    """A task that plays in a match."""

    client: str  # that it is charged to
    version: int = 0  # of the match when it was last changed here


class AgentTurns:
    """Plays the turns of agents, one task for each match. A turn is tried again until it is played or not due."""

    def __init__(self, registry: MatchRegistry, engine: WorkerPool, limits: Mapping[str, int]) -> None:
        self._registry = registry
        self._engine = engine
        self._limits = limits  # the largest parameter of an agent in this service, by name
        self._works: dict[str, _Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns: Counter[str] = Counter()  # that are being played or wait, by client

    @property
    def count(self) -> int:
        """The matches whose agents are playing or waiting for a worker."""
        return len(self._works)

    @property
    def recovered(self) -> int:
        """The turns that nobody is known to have caused, such as those found after a restart."""
        return sum(self._turns[_unknown_client(number)] for number in range(UNKNOWN_CLIENTS))

    def check_agent(self, agent: str) -> None:
        """Raise if the service does not offer the agent, or if too many turns of the client are waiting."""
        make_built_in(agent, limits=self._limits)
        if self._turns[client.get() or ""] >= MAX_WAITING_TURNS:
            raise Problem(
                "too-many",
                "Too many of your matches are waiting for an agent's move. Try again when some of them have moved on.",
                headers={"Retry-After": str(BUSY_SECONDS)},
            )

    def notice(self, served: ServedMatch) -> None:
        """Take the turn if it is an agent's; prepare exact agents of a new match. A listener of the registry."""
        if work := self._works.get(served.row.id):
            work.version = served.row.version
        if turn := turn_due(served):
            self.take(served.row.id, turn)
        elif served.row.ply == 0 and any(seat.is_agent and is_exact(seat.agent) for seat in served.seats):
            start(self._engine.prepare_agents(served.row.game, json.loads(served.row.options)), self._tasks)

    def take(self, match: str, turn: AgentTurn | None = None) -> None:
        """Play the agent's turn in a match, unless a task is playing it already."""
        if match not in self._works:
            work = self._works[match] = _Work(client.get() or _unknown_client(crc32(match.encode())))
            self._turns[work.client] += 1
            start(self._play_on(match, turn, work), self._tasks)

    async def close(self) -> None:
        """Stop. Turns that are not finished are found again after the next start."""
        await cancel_all(self._tasks)

    async def _play_on(self, match: str, turn: AgentTurn | None, work: _Work) -> None:
        """Play for as long as it is an agent's turn."""
        pause = RETRY_SECONDS
        try:
            while True:
                try:
                    if not (turn := turn_due(await (self._play(turn, work) if turn else self._registry.read(match)))):
                        return
                    pause = RETRY_SECONDS
                    continue
                except (EngineUnavailableError, StoreUnavailableError) as error:
                    log.warning("an agent's turn failed", extra={"match": match, "why": str(error)})
                except Problem as problem:
                    log.warning("an agent's turn failed", extra={"match": match, "why": str(problem)})
                    if problem.code != "unavailable":  # the match was removed, or cannot be played
                        return
                except Exception as error:
                    if broken := broken_game(error):
                        log_once(str(broken))
                        return
                    log.exception("an agent's turn failed", extra={"match": match})
                turn = None
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_RETRY_SECONDS)
        finally:
            self._works.pop(match, None)  # at once: the next turn of the match needs a task of its own
            self._turns[work.client] -= 1
            if not self._turns[work.client]:
                del self._turns[work.client]

    async def _play(self, turn: AgentTurn, work: _Work) -> ServedMatch:
        row = turn.row
        move: Move | None
        try:
            move = await self._engine.choose(
                turn.agent,
                row.time_limit,
                work.client,
                lambda: work.version <= row.version,
                game=row.game,
                options=json.loads(row.options),
                moves=turn.moves,
                seed=turn_seed(turn.agent, row.seed, row.ply),
            )
        except EngineTimeoutError:
            move = None  # the agent loses on time
        except NoLongerNeededError:
            return await self._registry.read(row.id)

        def step(served: ServedMatch) -> tuple[Change, ...]:
            if served.row.version != row.version:
                return ()  # the match has changed meanwhile
            change = served.run_out_of_time() if move is None else served.act("play", served.match.mover, move)
            return (change,) if change else ()

        return await self._registry.change(row.id, step)
