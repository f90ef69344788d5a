"""Compile events: the first compilation takes seconds, which a service must not count as a player's time."""

from collections.abc import Callable

listeners: list[
    Callable[[bool], None]
] = []  # each is called with True when numba starts to compile, False when it ends


def watch() -> None:
    """Report numba's compilations to the listeners from now on."""
    from numba.core.event import Listener, register  # slow to load

    class CompileListener(Listener):
        depth = 0  # compilations are nested: a function compiles the functions that it calls

        def on_start(self, _: object) -> None:
            self.depth += 1
            if self.depth == 1:
                _report(True)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                _report(False)

    register("numba:compile", CompileListener())


def _report(started: bool) -> None:
    for listener in listeners:
        listener(started)
