"""The worker pool: agents and studies run in processes of their own, which are killed when their time is up."""

import asyncio
import json
from base64 import b64decode
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

import msgspec

from duelbook.agents import is_exact
from duelbook.errors import RefusedError
from duelbook.game_errors import BrokenGameError
from duelbook.games import BUILT_IN, GAMES, make, origin
from duelbook.options import drawn_options, write_options
from duelbook.web import metrics
from duelbook.web.engine.process import Start, start_process
from duelbook.web.engine.slots import FairSlots, QueueFullError, client
from duelbook.web.engine.supervisor import (
    EngineTimeoutError,
    EngineUnavailableError,
    OnProgress,
    Worker,
    ignore_progress,
)
from duelbook.web.match.shown import log_once
from duelbook.web.schemas.lessons import AnsweredLesson
from duelbook.web.tasks import cancel_all
from duelbook.web.tasks import start as start_task

QUICK_WORKERS = 2
SLOW_WORKERS = 4  # more than cores: they share them fairly, and a client has only one
STUDY_WORKERS = 2  # each may need hundreds of megabytes
PICTURE_WORKERS = 1
PICTURE_SECONDS = 10.0
MAX_WAITING_PICTURES = 32
MAX_WAITING_PICTURES_EACH = 4  # for each client, besides the one that is drawn
MAX_WAITING_STUDIES = 64
MAX_REMEMBERED_GAMES = 1000  # of which it is known whether they can be solved
MAX_WAITING_STUDIES_EACH = 7  # for each client, besides the one that runs
SHARED_STUDIES = ("daily_puzzle", "puzzle_levels")  # that are the same for everybody
ESTIMATED_STUDIES = ("solution", "advice", "judge", "record_review")  # that do without a solution that takes too long
MAX_SHARED_STUDIES = 500  # that are kept
DEMONSTRATION_SECONDS = 3.0  # that a request for all of them waits for those of games from outside
SERVICE = "the service"  # the client of work that no request asked for

T = TypeVar("T")
Prepare = Callable[[Worker], Awaitable[None]]


class NoLongerNeededError(Exception):
    """What was to be done is not needed any more, since the match changed while it waited."""


class WorkerGroup:
    """The workers for one kind of task. Clients take turns, and a client has one of them at a time."""

    def __init__(self, kind: str, size: int, start: Start, *, permanent: bool = False, **limits: int) -> None:
        self._tasks = metrics.tasks.labels(kind)
        self._workers = [Worker(start, permanent=permanent) for _ in range(size)]
        self._idle = [*self._workers]  # the one that was used last is used next
        self._slots = FairSlots(size, **limits)

    async def run(
        self,
        client: str,
        kind: type[T],
        seconds: float,
        task: str,
        needed: Callable[[], bool] = lambda: True,
        prepare: Prepare | None = None,
        **arguments: Any,
    ) -> T:
        """Run the task when it is the client's turn, unless it is not needed any more; return an answer of the type.

        `prepare` is done first, with the same worker, and takes none of the task's time.
        """
        try:
            with self._tasks.track_inprogress():
                async with self._slots.slot(client):
                    if not needed():
                        raise NoLongerNeededError
                    return await self._run(kind, seconds, task, prepare, arguments)
        except QueueFullError as error:
            raise EngineUnavailableError("Too many tasks are waiting.") from error

    async def _run(
        self, kind: type[T], seconds: float, task: str, prepare: Prepare | None, arguments: dict[str, Any]
    ) -> T:
        worker = self._idle.pop()
        try:
            if prepare:
                await prepare(worker)
            return await worker.run(kind, seconds, task, **arguments)
        finally:
            self._idle.append(worker)

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self._workers))


class WorkerPool:
    """Four groups of workers, so that quick agents, slow agents, studies and pictures do not wait for each other."""

    def __init__(self, think_seconds: float, study_seconds: float, start: Start = start_process) -> None:
        self._quick = WorkerGroup("quick", QUICK_WORKERS, start, permanent=True)
        self._slow = WorkerGroup("slow", SLOW_WORKERS, start)
        self._study = WorkerGroup(
            "study", STUDY_WORKERS, start, max_waiting=MAX_WAITING_STUDIES, max_waiting_each=MAX_WAITING_STUDIES_EACH
        )
        self._picture = WorkerGroup(
            "picture",
            PICTURE_WORKERS,
            start,
            max_waiting=MAX_WAITING_PICTURES,
            max_waiting_each=MAX_WAITING_PICTURES_EACH,
        )
        self._demonstrations: dict[str, tuple[str, bytes]] = {}  # of each game, with its day
        self._tasks: set[asyncio.Task[None]] = set()  # that play demonstrations
        self._demonstrating: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by game
        self._lessons: dict[str, AnsweredLesson] = {}  # of each game
        self._preparing_lesson: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by game
        self._solvable: OrderedDict[tuple[str, str], bool | None] = OrderedDict()  # by game and options; None: too slow
        self._shared: OrderedDict[str, bytes] = OrderedDict()  # studies that everybody asks for, by their question
        self._think_seconds = think_seconds
        self._study_seconds = study_seconds

    async def warm(self) -> None:
        """Have a quick worker load the solutions of the default games. A second one starts when it is needed."""
        await self._quick.run(SERVICE, msgspec.Raw, self._study_seconds, "warm")
        for name in GAMES:
            if origin(name) != BUILT_IN:
                try:
                    await self.is_solvable(name, write_options(make(name)), SERVICE)
                except BrokenGameError as error:
                    log_once(str(error))
                except Exception:  # a game from outside may fail in any way; whoever plays it is told
                    continue

    async def prepare_agents(self, game: str, options: Mapping[str, Any]) -> None:
        """Have a quick worker solve the game, if it can be solved."""
        if not self._is_too_large(game, options):
            with suppress(RefusedError, EngineUnavailableError):
                await self._prepare(self._quick, game, options, _client())

    async def prepare(
        self, game: str, options: Mapping[str, Any], required: bool, on_progress: OnProgress = ignore_progress
    ) -> bool:
        """Solve the game. Return False if it is too large. If it must be solved, taking too long is an error."""
        return await self.is_solvable(game, options, _client(), required, on_progress)

    async def is_solvable(
        self,
        game: str,
        options: Mapping[str, Any],
        payer: str,
        required: bool = False,
        on_progress: OnProgress = ignore_progress,
    ) -> bool:
        """Return False if the game is too large to be solved, or takes too long. It is found out once.

        If it must be solved, taking too long is an error, and it is tried again the next time.
        """
        if _is_shipped(game, options):
            return True
        if self._is_too_large(game, options, required):
            return False
        key = _key(game, options)
        if self._solvable.get(key):
            self._solvable.move_to_end(key)
            return True
        try:
            return await self._prepare(self._study, game, options, payer, on_progress)
        except EngineTimeoutError:
            if required:
                raise
            return False

    async def _prepare(
        self,
        workers: WorkerGroup,
        game: str,
        options: Mapping[str, Any],
        payer: str,
        on_progress: OnProgress = ignore_progress,
    ) -> bool:
        try:
            question: dict[str, Any] = {"game": game, "options": options, "on_progress": on_progress}
            answer = await workers.run(payer, msgspec.Raw, self._study_seconds, "prepare", **question)
        except EngineTimeoutError:
            self._note_too_slow(game, options)
            raise
        solvable = bytes(answer) != b"false"
        self._solvable.pop(_key(game, options, drawn=False), None)  # it may have been too slow before
        self._remember(_key(game, options, drawn=solvable), solvable)
        return solvable

    def _remember(self, key: tuple[str, str], solvable: bool | None) -> None:
        self._solvable[key] = solvable
        if len(self._solvable) > MAX_REMEMBERED_GAMES:
            self._solvable.popitem(last=False)

    def _note_too_slow(self, game: str, options: Mapping[str, Any]) -> bool:
        """Remember that the game was not solved in time. Return False if it can be: then the machine is busy."""
        if _is_shipped(game, options) or self._solvable.get(_key(game, options)):
            return False
        self._remember(_key(game, options, drawn=False), None)
        return True

    def _is_too_large(self, game: str, options: Mapping[str, Any] | None, required: bool = False) -> bool:
        """Return True if the game is known to be too large: what is drawn makes it neither larger nor smaller.

        So is a game that takes too long, unless it must be solved.
        """
        solvable = self._solvable.get(_key(game, options, drawn=False), True)
        return solvable is False or (solvable is None and not required)

    async def choose(
        self, agent: str, limit: float | None, payer: str, needed: Callable[[], bool], **position: Any
    ) -> int:
        """Return the agent's move, or raise EngineTimeoutError. Waiting for other agents does not count.

        Neither does solving the game. The payer is the client that the turn is charged to.
        """
        workers, prepare = self._quick if is_quick(agent) else self._slow, None
        game, options = position["game"], position["options"]
        if is_exact(agent) and not await self.is_solvable(game, options, payer):
            workers, position["solvable"] = self._slow, False
        elif is_exact(agent) and not _is_shipped(game, options):
            prepare = partial(self._solve, game, options)
        seconds = min(self._think_seconds, limit or self._think_seconds)
        return await workers.run(payer, int, seconds, "choose", needed, prepare, agent=agent, **position)

    async def _solve(self, game: str, options: Mapping[str, Any], worker: Worker) -> None:
        """Have the worker solve the game, or read its solution, if it has not done so before."""
        try:
            await worker.run(msgspec.Raw, self._study_seconds, "prepare", game=game, options=options)
        except EngineTimeoutError as error:
            raise EngineUnavailableError("The game was not solved in time.") from error

    async def demonstrate(self, game: str, day: str) -> bytes:
        """Return the demonstration game of the day as JSON. A quick worker, which has the solutions, plays it."""
        if (known := self._demonstration(game, day)) is not None:
            return known
        async with self._demonstrating[game]:  # it is played once, however many ask for it
            if (known := self._demonstration(game, day)) is not None:
                return known
            solvable = origin(game) == BUILT_IN or await self.is_solvable(game, write_options(make(game)), SERVICE)
            line = await self._quick.run(
                SERVICE, msgspec.Raw, self._study_seconds, "demonstration", game=game, day=day, solvable=solvable
            )  # for everybody: it does not wait for whoever happens to ask first
            self._demonstrations[game] = day, bytes(line)
            return bytes(line)

    async def demonstrations(self, day: str) -> bytes:
        """Return the demonstration games of the day as JSON: those of this package, and others that are ready soon."""
        missing = [game for game in GAMES if self._demonstration(game, day) is None]
        for game in missing:
            if origin(game) != BUILT_IN:
                start_task(self._try_to_demonstrate(game, day), self._tasks)
        await asyncio.gather(*(self._try_to_demonstrate(game, day) for game in missing if origin(game) == BUILT_IN))
        if self._tasks:
            await asyncio.wait([*self._tasks], timeout=DEMONSTRATION_SECONDS)
        lines = [line for game in GAMES if (line := self._demonstration(game, day)) is not None]
        return b'{"lines":[' + b",".join(lines) + b"]}"

    async def _try_to_demonstrate(self, game: str, day: str) -> None:
        with suppress(Exception):  # the page works without it, and whoever plays the game is told what is wrong with it
            await self.demonstrate(game, day)

    def _demonstration(self, game: str, day: str) -> bytes | None:
        played_on, line = self._demonstrations.get(game, ("", b""))
        return line if played_on == day else None

    async def lesson(self, game: str) -> AnsweredLesson:
        """Return the lesson of a game with all its answers. It is prepared once, however many ask for it."""
        async with self._preparing_lesson[game]:
            if game not in self._lessons:
                found = await self._study.run(SERVICE, AnsweredLesson, self._study_seconds, "lesson", game=game)
                if found.problem:
                    log_once(found.problem)
                self._lessons[game] = found
            return self._lessons[game]

    async def study(self, task: str, on_progress: OnProgress = ignore_progress, **arguments: Any) -> bytes:
        """Return a solution, a review or a puzzle as JSON; raise EngineUnavailableError if too many are waiting."""
        if task not in SHARED_STUDIES:
            return await self._new_study(task, on_progress, arguments)
        key = json.dumps([task, arguments], sort_keys=True)
        if key in self._shared:
            self._shared.move_to_end(key)
            return self._shared[key]
        self._shared[key] = found = await self._new_study(task, on_progress, arguments)
        if len(self._shared) > MAX_SHARED_STUDIES:
            self._shared.popitem(last=False)
        return found

    async def _new_study(self, task: str, on_progress: OnProgress, arguments: dict[str, Any]) -> bytes:
        game, options = _subject(arguments)
        if self._is_too_large(game, options):
            arguments["solvable"] = False
        try:
            answer = await self._study.run(
                _client(), msgspec.Raw, self._study_seconds, task, on_progress=on_progress, **arguments
            )
        except EngineTimeoutError:
            needs_no_solution = task in ESTIMATED_STUDIES and "solvable" not in arguments
            if not needs_no_solution or options is None or not self._note_too_slow(game, options):
                raise
            return await self._new_study(task, on_progress, arguments)
        return bytes(answer)

    async def draw(self, **task: Any) -> bytes:
        """Return a picture, as PNG or SVG; raise EngineUnavailableError if too many are waiting."""
        drawn = await self._picture.run(_client(), str, PICTURE_SECONDS, "picture", **task)
        return drawn.encode() if task["form"] == "svg" else b64decode(drawn)

    async def close(self) -> None:
        """Kill all workers, and wait until they have ended."""
        await cancel_all(self._tasks)
        await asyncio.gather(*(group.close() for group in (self._quick, self._slow, self._study, self._picture)))


def _subject(arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any] | None]:
    """Return the game that a study is about, and its options. A record that somebody sent has not been checked yet."""
    about = _read(arguments["text"]) if "text" in arguments else arguments.get("record", arguments)
    game, options = (about.get("game", ""), about.get("options")) if isinstance(about, dict) else ("", None)
    return game if isinstance(game, str) else "", options if isinstance(options, dict) else None


def _read(text: str) -> Any:
    with suppress(ValueError):
        return json.loads(text)


def _key(game: str, options: Mapping[str, Any] | None, drawn: bool = True) -> tuple[str, str]:
    """Return the game and its options, by default those of the rule book, as a key; if wanted without drawn ones."""
    if game not in GAMES:
        return game, ""
    known = _default_options(game) if options is None else options
    left_out = () if drawn else drawn_options(GAMES[game])
    return game, json.dumps({name: value for name, value in known.items() if name not in left_out}, sort_keys=True)


def _is_shipped(game: str, options: Mapping[str, Any]) -> bool:
    """Return True if the solution is part of the package."""
    return origin(game) == BUILT_IN and _key(game, options) == _key(game, None)


@cache
def _default_options(game: str) -> Mapping[str, Any]:
    return write_options(make(game))


def _client() -> str:
    return client.get() or SERVICE


def is_quick(agent: str) -> bool:
    """Return True if the agent moves at once: exact agents do when their game is solved."""
    return is_exact(agent) or agent.partition(":")[0] in ("random", "greedy")
