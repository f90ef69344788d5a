"""Notebooks: whether this is one, and progress bars in it, by tqdm if it is installed."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

SHORT_SECONDS = 1.0  # what takes less time gets no bar, unless somebody asked for it


def in_notebook() -> bool:
    """Return True if the code runs in the kernel of a notebook."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def can_show_bars() -> bool:
    """Return True in a notebook if tqdm is installed."""
    return in_notebook() and find_spec("tqdm") is not None


class Bar:
    """A progress bar. Where none can be shown it does nothing."""

    def __init__(self, bar: Any = None) -> None:
        self._bar = bar

    def update(self, done: int, detail: str = "") -> None:
        """Show how much is done in all, and a detail."""
        if self._bar is not None:
            if detail:
                self._bar.set_postfix_str(detail, refresh=False)
            self._bar.update(done - self._bar.n)


@contextmanager
def progress_bar(text: str, total: int | None = None, done: int = 0, *, delay: float = SHORT_SECONDS) -> Iterator[Bar]:
    """Show a progress bar in a notebook while the work inside goes on, if it takes longer than the delay."""
    if not can_show_bars():
        yield Bar()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets the bar is text, which is fine
        from tqdm.auto import tqdm
    with tqdm(desc=text, total=total, initial=done, leave=False, delay=delay) as bar:
        yield Bar(bar)
