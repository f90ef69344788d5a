"""A virtual event loop for several simulated processes: no real time, threads or sockets, and one order per seed."""

import asyncio
import contextvars
import heapq
import random
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

MAX_STEPS = 500_000  # of one run; more means that something runs in circles

P = ParamSpec("P")
T = TypeVar("T")


class SimulatedTask(asyncio.Task[T]):
    """A task whose place in a set does not depend on its address."""

    def __init__(self, *arguments: Any, number: int, **options: Any) -> None:
        self._number = number
        super().__init__(*arguments, **options)

    def __hash__(self) -> int:
        return self._number


class EndlessRunError(Exception):
    """Something runs in circles, or waits for what never happens."""


class Process:
    """A simulated process. Its callbacks run in order; those of different processes in any order.

    A paused process does nothing until it is resumed. A crashed one never does anything again.
    """

    def __init__(self, loop: "VirtualLoop", name: str) -> None:
        self.name = name
        self.ready: deque[asyncio.Handle] = deque()
        self.paused = False
        self.crashed = False
        self.context = contextvars.Context()
        self.context.run(_owner.set, self)
        self.tasks: list[asyncio.Task[Any]] = []  # kept: a crash must not run the `finally` of what it ends
        self._most_tasks = 100
        self._loop = loop
        loop.processes.append(self)

    def call(self, callback: Callable[..., object], *arguments: Any) -> None:
        self._loop.call_soon(callback, *arguments, context=self.context.copy())

    def spawn(self, work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        return self.context.copy().run(self._loop.create_task, work)

    def keep(self, task: "asyncio.Task[Any]") -> None:
        if len(self.tasks) > self._most_tasks:
            self.tasks = [one for one in self.tasks if not one.done()]
            self._most_tasks = 2 * len(self.tasks) + 50
        self.tasks.append(task)

    def crash(self) -> None:
        self.crashed = True
        self.ready.clear()
        self._loop.processes.remove(self)
        self._loop.dead.append(self)


_owner: contextvars.ContextVar[Process] = contextvars.ContextVar("process")


class VirtualLoop(asyncio.AbstractEventLoop):
    """Runs callbacks of all processes in a seeded order, and jumps to the next timer when nothing else is to do."""

    def __init__(self, seed: object) -> None:
        self.processes: list[Process] = []
        self.dead: list[Process] = []
        self.unhandled: list[str] = []  # exceptions that nobody handled
        self.steps = 0
        self._random = random.Random(f"{seed} interleaving")
        self._now = 0.0
        self._timers: list[tuple[float, int, asyncio.TimerHandle, Process]] = []
        self._count = 0
        self._closing = False
        self.world = Process(self, "world")  # clients, networks and whatever else is no process of the service

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        asyncio._set_running_loop(self)
        try:
            task = self.world.spawn(main)
            while not task.done():
                self._step()
            return task.result()
        finally:
            self._dispose()
            asyncio._set_running_loop(None)

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise EndlessRunError(f"the simulation runs in circles at {self._now:.1f} s")
        ready = [process for process in self.processes if process.ready and not process.paused]
        if not ready:
            self._advance()
            return
        process = ready[0] if len(ready) == 1 else ready[int(self._random.random() * len(ready))]
        handle = process.ready.popleft()
        if not handle.cancelled():
            handle._run()

    def _advance(self) -> None:
        """Jump to the next timer. Timers of a paused process wait in its queue until it is resumed."""
        if not self._timers:
            raise EndlessRunError("the simulation waits for nothing")
        when, _, handle, process = heapq.heappop(self._timers)
        if process.crashed or handle.cancelled():
            return
        self._now = max(self._now, when)
        process.ready.append(handle)

    def hold_up(self, seconds: float) -> None:
        """Let time pass in which nothing runs, as while a callback blocks the event loop."""
        self._now += seconds

    def _dispose(self) -> None:
        """End all tasks without running anything more."""
        self._closing = True
        for process in (*self.dead, *self.processes):
            for task in process.tasks:
                if not task.done():
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    with suppress(RuntimeError, ValueError):  # it is being run, or waits for something as it ends
                        process.context.run(task.get_coro().close)
            process.tasks.clear()
            process.ready.clear()
        self._timers.clear()

    # What asyncio asks of an event loop

    def time(self) -> float:
        return self._now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        if context is None:
            context = contextvars.copy_context()
        handle = asyncio.Handle(callback, args, self, context)
        process = context.get(_owner, self.world)
        if not process.crashed and not self._closing:
            process.ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        if context is None:
            context = contextvars.copy_context()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        process = context.get(_owner, self.world)
        if not process.crashed and not self._closing:
            self._count += 1
            heapq.heappush(self._timers, (when, self._count, handle, process))
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass  # it is skipped when its time comes

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Any = None) -> "asyncio.Task[Any]":
        self._count += 1
        task: SimulatedTask[Any] = SimulatedTask(coro, loop=self, name=name, context=context, number=self._count)
        _owner.get(self.world).keep(task)
        return task

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def get_debug(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self._closing:
            error = context.get("exception")
            self.unhandled.append(f"{context.get('message')}: {error!r}")


def run_in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine of one process, in which nothing but its own sleeping lets time pass."""
    return VirtualLoop(seed=0).run(work)  # type: ignore[abstract]  # what is never used is left out


def in_virtual_time(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Let a test be a coroutine that is run in virtual time."""

    @wraps(test)
    def run(*arguments: P.args, **options: P.kwargs) -> None:
        run_in_virtual_time(test(*arguments, **options))

    return run


def current_process() -> Process:
    return _owner.get()
