"""Compile events: the first compilation takes seconds, which a service must not count as a player's time."""

import signal
import threading
from collections.abc import Callable
from types import FrameType

listeners: list[
    Callable[[bool], None]
] = []  # each is called with True when numba starts to compile, False when it ends


def watch() -> None:
    """Report numba's compilations to the listeners from now on."""
    from numba.core.event import Listener, register  # slow to load

    interrupts = HeldInterrupts()

    class CompileListener(Listener):
        depth = 0  # compilations are nested: a function compiles the functions that it calls

        def on_start(self, _: object) -> None:
            self.depth += 1
            if self.depth == 1:
                interrupts.hold()
                _report(True)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                _report(False)
                interrupts.release()

    class PassListener(Listener):
        def on_start(self, _: object) -> None:
            interrupts.raise_held()

        def on_end(self, _: object) -> None:
            pass

    register("numba:compile", CompileListener())
    register("numba:run_pass", PassListener())


class HeldInterrupts:
    """Hold Ctrl-C back until numba runs Python code again: in a callback of LLVM, the exception would be lost."""

    def __init__(self) -> None:
        self._held: int | None = None
        self._signals: list[int] = []

    def hold(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # signals reach the main thread alone
        self._held = None
        self._signals = [
            number
            for number in (signal.SIGINT, signal.SIGTERM)
            if signal.getsignal(number) is signal.default_int_handler
        ]
        for number in self._signals:
            signal.signal(number, self._note)

    def raise_held(self) -> None:
        """Raise KeyboardInterrupt if a signal has come."""
        if self._held is not None and threading.current_thread() is threading.main_thread():
            number, self._held = self._held, None
            signal.default_int_handler(number, None)

    def release(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        for number in self._signals:
            signal.signal(number, signal.default_int_handler)
        self._signals = []
        self.raise_held()

    def _note(self, number: int, _: FrameType | None) -> None:
        self._held = number


def _report(started: bool) -> None:
    for listener in listeners:
        listener(started)
