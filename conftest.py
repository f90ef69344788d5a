"""What all tests share: which are slow, folders apart from the user's, and skips that are failures in CI.

`make check` leaves out the tests that are marked `slow`: those in `SLOW_PATHS`, which start servers, browsers or many
processes, and single tests that carry the mark themselves. It also tries fewer examples (Hypothesis profile `quick`).

Tests that are marked `long` run only with `--long`, as `make test-long` does. Each of them is a longer form of a test
that always runs: another parameter of the same test function, or the test that the mark names in `short`.
"""

import ast
import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from duelbook import GAMES
from duelbook.agents import AGENTS
from duelbook.registry import Registry

TESTS = Path(__file__).parent / "tests"
SLOW_PATHS = (
    "agents/llm/test_exchanges.py",
    "agents/llm/test_faults.py",
    "agents/llm/test_key.py",
    "agents/llm/test_limits.py",
    "agents/process",
    "agents/test_outside.py",
    "arena",
    "bench",
    "cli/test_main.py",
    "compiled",
    "envs/test_draws.py",
    "envs/test_learner_vector_env.py",
    "envs/test_openspiel.py",
    "envs/test_vector_env.py",
    "games/test_outside_package.py",
    "lab/test_lab.py",
    "positions/test_inspect.py",
    "positions/test_models.py",
    "repository/test_alphazero.py",
    "repository/test_base_installation.py",
    "repository/test_examples.py",
    "repository/test_no_game_is_special.py",
    "repository/test_notebooks.py",
    "repository/test_setup.py",
    "repository/test_site.py",
    "simulation",
    "solve/test_cache.py",
    "solve/test_compiled.py",
    "solve/test_termination.py",
    "study/test_policy_matches.py",
    "study/test_policy_report.py",
    "study/test_reasons.py",
    "terminal/online",
    "terminal/test_history.py",
    "terminal/test_line_editor.py",
    "terminal/test_waiting.py",
    "testing/test_conformance.py",
    "tui",
    "web",
)
LONG_PATHS = (  # those that take longest begin first, or one core would wait for the last of them
    "web/test_outages.py",
    "study/test_audit.py",
    "web/test_faults.py",
    "web/match/test_clocks.py",
    "arena/test_runner.py",
    "simulation/test_seeds.py",
    "web/test_operate_page.py",
    "web/test_stopping.py",
    "web/page/test_two_players.py",
)
FAST_PATHS = (  # inside slow folders
    "arena/test_manifest.py",
    "arena/test_match.py",
    "arena/test_plan.py",
    "arena/test_ratings.py",
    "web/engine/test_slots.py",
    "web/http/test_router.py",
    "arena/test_series.py",
)

MIN_FREE_BYTES = 4 << 30  # in memory, for the files of a run
LONG_FILES = [TESTS / place for place in LONG_PATHS]

settings.register_profile("quick", max_examples=10)  # for `make check`; the default is 100

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, also by children
if "PYTEST_XDIST_WORKER" not in os.environ:  # workers share the folders of the process that started them
    memory = Path("/dev/shm")  # on Linux: files in memory, where a database need not wait for a disk
    has_room = memory.is_dir() and shutil.disk_usage(memory).free >= MIN_FREE_BYTES
    tempfile.tempdir = tempfile.mkdtemp(prefix="duelbook-test-", dir=memory if has_room else None)
    atexit.register(shutil.rmtree, tempfile.tempdir, ignore_errors=True)
    os.environ["TMPDIR"] = tempfile.tempdir
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ[name] = tempfile.mkdtemp()
# Compiled rules are kept from run to run. An edit gives other names, so CI may keep the folder, too.
os.environ.setdefault("NUMBA_CACHE_DIR", str(TESTS.parent / "build/compiled"))
os.environ["DUELBOOK_SOLVE_MEGABYTES"] = "500"  # half of the free memory would be minutes of solving, and vary


def without_garbage_collection(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, during which no garbage is collected and no other thread calls it."""
    lock = threading.RLock()

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        with lock:
            enabled = gc.isenabled()
            gc.disable()
            try:
                return function(*arguments, **options)
            finally:
                if enabled:
                    gc.enable()

    return call


if sys.version_info < (3, 11, 8):
    # Tracebacks are formatted with `ast.parse`, also those of finalizers. When the garbage collector runs a finalizer
    # that fails, or lets another thread run, in the middle of another `ast.parse`, that raises SystemError: gh-106905.
    ast.parse = without_garbage_collection(ast.parse)


@pytest.fixture
def use_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that sets `DUELBOOK_GAMES` for the rest of the test."""
    yield from _using(GAMES, monkeypatch)


@pytest.fixture
def use_agents(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """A function that sets `DUELBOOK_AGENTS` for the rest of the test."""
    yield from _using(AGENTS, monkeypatch)


def _using(registry: Registry[Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def use(variable: str) -> None:
        monkeypatch.setenv(registry.variable, variable)
        registry.reload()

    yield use
    monkeypatch.undo()
    registry.reload()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the slow files when they are left out: `-m "not slow"`."""
    is_module = collection_path.suffix == ".py"
    return True if is_module and without_slow(config) and is_slow(collection_path) else None


def without_slow(config: pytest.Config) -> bool:
    return bool(config.option.markexpr == "not slow")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests that are marked `long`")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not any("::" in argument for argument in config.args):  # which may name the long form alone
        check_short_twins(items)
    if not config.getoption("--long"):
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in set(long)]
    for item in items:
        if is_slow(item.path):
            item.add_marker(pytest.mark.slow)
    items.sort(key=place_in_run)


def check_short_twins(items: list[pytest.Item]) -> None:
    """Raise UsageError if a test that is marked `long` has no shorter form in its file."""
    short = {(item.path, function_name(item)) for item in items if not item.get_closest_marker("long")}
    for item in items:
        mark = item.get_closest_marker("long")
        if mark and (item.path, mark.kwargs.get("short", function_name(item))) not in short:
            raise pytest.UsageError(f"{item.nodeid} is marked `long`, but its file has no shorter form of it.")


def function_name(item: pytest.Item) -> str:
    return str(getattr(item, "originalname", item.name))


def place_in_run(item: pytest.Item) -> int:
    """Return when a test is run: those of the longest files first, and then other slow ones."""
    if item.path in LONG_FILES:
        return LONG_FILES.index(item.path)
    return len(LONG_FILES) + (item.get_closest_marker("slow") is None)


@cache  # asked for every test of the file
def is_slow(path: Path) -> bool:
    """Return True if the file is among the slow ones."""
    return is_below(path, SLOW_PATHS) and not is_below(path, FAST_PATHS)


def is_below(path: Path, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(TESTS / place) for place in places)


@pytest.fixture
def number_row(use_games: Callable[[str], None]) -> str:
    """Register the toy game that starts from a shuffle, here and in child processes, and return its name."""
    use_games("tests.support.games.number_row:NumberRow")
    return "number-row"


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: Callable[[str], None]) -> Iterator[Path]:
    """Register the toy game `last-stone` from outside, as `heap.py` in a folder of its own, and return the folder."""
    shutil.copy(TESTS / "support/games/last_stone.py", tmp_path / "heap.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    use_games("heap:LastStone")
    yield tmp_path
    sys.modules.pop("heap", None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker; its reports go to the process that started it
        return
    skipped = reporter.stats.get("skipped", [])
    if skipped and os.environ.get("DUELBOOK_FORBID_SKIPS"):
        names = ", ".join(report.nodeid for report in skipped)
        reporter.write_line(f"\nskipped, which is forbidden here: {names}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
