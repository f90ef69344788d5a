"""Compiling takes seconds where it has not been done before: whoever counts somebody's time can be told of it."""

from collections.abc import Callable

listeners: list[Callable[[bool], None]] = []  # told True when it begins, and False when it is done


def watch() -> None:
    """Tell the listeners from now on what numba does, whose load takes a while itself."""
    from numba.core.event import Listener, register

    class Compiling(Listener):
        depth = 0  # what is called is compiled within what calls it

        def on_start(self, _: object) -> None:
            self.depth += 1
            if self.depth == 1:
                _tell(True)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if self.depth == 0:
                _tell(False)

    register("numba:compile", Compiling())


def _tell(begun: bool) -> None:
    for listener in listeners:
        listener(begun)
