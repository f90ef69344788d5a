"""Tournaments and evaluations in one call, for scripts and notebooks. In a notebook they show progress bars."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from duelbook.agents import is_external
from duelbook.arena.documents import EvaluationReport, Standings
from duelbook.arena.evaluation import Prices, run_evaluation
from duelbook.arena.plan import plan_evaluation, plan_tournament
from duelbook.arena.tournament import run_tournament
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.notebook import progress_bar
from duelbook.solve import watched_by

if TYPE_CHECKING:
    from duelbook.agents.llm import ModelClient


class NotebookDisplay:
    """A display that shows progress bars in a notebook, and nothing elsewhere."""

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        with progress_bar(text) as bar, watched_by(lambda found: bar.update(found.valued, str(found.stage))):
            yield

    @contextmanager
    def progress(self, text: str, total: int, done: int = 0) -> Iterator[Callable[[int], None]]:
        with progress_bar(text, total, done, delay=0) as bar:
            yield bar.update

    def note(self, text: str) -> None:
        warnings.warn(text, stacklevel=2)


def tournament(
    games: Sequence[str | AnyGame] | str,
    agents: Sequence[str] | str,
    *,
    folder: Path | str | None = None,
    resume: bool = False,
    backend: str = "serial",
    workers: int | None = None,
    ray_address: str | None = None,
    **plan: Any,
) -> Standings:
    """Play a tournament and return its standings, which have a `table()` and show themselves in a notebook.

    `games`, `agents` and `plan` (such as `pairs`, `seed` and `openings`) are the arguments of
    `duelbook.arena.plan_tournament`; the others are those of `run_tournament`. Without a folder only the standings are
    kept. The back end `serial` knows the agents and games that a notebook has added; the others raise RefusedError for
    them, since other processes do not know them.
    """
    planned = plan_tournament(games, agents, **plan)
    with _folder(folder, planned.agents) as place:
        return run_tournament(
            planned,
            place,
            resume=resume,
            backend=backend,
            workers=workers,
            ray_address=ray_address,
            display=NotebookDisplay(),
        )


def evaluate(
    agent: str,
    games: Sequence[str | AnyGame] | str = "all",
    opponents: Sequence[str] | str = ("perfect", "greedy", "random"),
    *,
    folder: Path | str | None = None,
    resume: bool = False,
    client: "ModelClient | None" = None,
    parallel: int | None = None,
    prices: Prices | None = None,
    **plan: Any,
) -> EvaluationReport:
    """Evaluate an agent and return the report, which has a `table()` and shows itself in a notebook.

    `agent`, `games`, `opponents` and `plan` (such as `pairs`, `seed` and `attempts`) are the arguments of
    `duelbook.arena.plan_evaluation`; the others are those of `run_evaluation`. Without a folder only the report is
    kept; language models and programs need one, so that no answer is lost.
    """
    planned = plan_evaluation(agent, games, opponents, **plan)
    with _folder(folder, planned.agents) as place:
        return run_evaluation(
            planned,
            place,
            resume=resume,
            client=client,
            parallel=parallel,
            prices=prices,
            display=NotebookDisplay(),
        )


@contextmanager
def _folder(folder: Path | str | None, agents: Sequence[str]) -> Iterator[Path]:
    """Yield the folder, or one that is removed afterwards."""
    if folder is not None:
        yield Path(folder)
        return
    external = [agent for agent in agents if is_external(agent)]
    if external:
        raise RefusedError(f"Give a folder: what {external[0]} answers is kept there, so that nothing is lost.")
    with TemporaryDirectory(prefix="duelbook-") as temporary:
        yield Path(temporary)
