"""Solutions are shipped, saved in the cache folder, and found again."""

import errno
import os
import re
import signal
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.game import AnyGame
from duelbook.game_folder import game_file
from duelbook.solve import Progress, Solution, Stage, TooLargeError, budget, progress, retrograde, solve
from duelbook.solve import cache as solution_cache
from duelbook.solve.budget import TooSlowError
from duelbook.solve.cache import SHIPPED_FILE, _in_memory, cached_files, clear_cache, puzzles_file, solved
from duelbook.solve.lock import locked, remove_abandoned
from duelbook.solve.progress import Meter
from duelbook.solve.table import read_table
from tests.support.keyboard import run

SMALL_CHARGE = {"goal": 5, "charge_cards": 2, "block_cards": 1}  # solved at once, without compiled code

NEUTRAL_FILES = (  # that the solver uses, and that do not determine what it finds
    "compiled/agreement.py",
    "compiled/source_hash.py",
    "solve/budget.py",
    "solve/progress.py",
    "solve/threads.py",
)
SMALL_STATE_LIMIT = retrograde.SMALL_STATE_LIMIT  # as it is outside these tests
SHIPPED = {name: game_file(rules, SHIPPED_FILE) for name, rules in GAMES.items()}
TABLES = {name: file for name, file in SHIPPED.items() if file}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache folder, with no solution in memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(retrograde, "SMALL_STATE_LIMIT", 100)
    monkeypatch.setattr(solution_cache, "_too_large", OrderedDict())
    _in_memory.clear()
    return tmp_path


def contents(solution: Solution) -> tuple[object, ...]:
    index, codes = solution.packed()
    return list(index.keys()), index.packing, list(codes), solution.states()


@pytest.mark.parametrize(("name", "file"), TABLES.items())
def test_the_shipped_table_is_what_the_solver_gives(
    name: str, file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = read_table(file.read_bytes(), make(name))
    monkeypatch.setattr(solution_cache, "SHIPPED_FILE", "no such file")
    monkeypatch.setattr(retrograde, "SMALL_STATE_LIMIT", SMALL_STATE_LIMIT)
    assert contents(solved(make(name))) == contents(shipped)


@pytest.mark.parametrize(("name", "file"), TABLES.items())
def test_the_shipped_table_is_used_and_small(name: str, file: Path, cache: Path) -> None:
    assert file.stat().st_size < 30_000
    script = (
        "import sys; from duelbook import make; from duelbook.solve import solved\n"
        f"game = make({name!r}); print(solved(game).remoteness(game.initial()), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{solved(make(name)).remoteness(make(name).initial())} False\n"
    assert cached_files() == []


def test_a_change_of_any_part_of_the_solver_makes_saved_solutions_out_of_date() -> None:
    package, found = Path(solution_cache.__file__).parents[1], set[str]()
    waiting = ["features.py", "solve/retrograde.py", "solve/table.py"]
    while waiting:
        file = waiting.pop()
        if file in found or file in NEUTRAL_FILES:
            continue
        found.add(file)
        imported = re.findall(r"^ *from duelbook\.((?:solve|compiled)\.\w+) import", (package / file).read_text(), re.M)
        waiting += [f"{module.replace('.', '/')}.py" for module in imported]
    assert sorted(found) == list(solution_cache.SOLVER_FILES)


def test_the_name_of_a_saved_solution_depends_on_every_file_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    files, game = solution_cache.SOLVER_FILES, make("charge")
    names = {puzzles_file(game, drawn=False)}
    for left_out in files:
        monkeypatch.setattr(solution_cache, "SOLVER_FILES", [file for file in files if file != left_out])
        names.add(puzzles_file(game, drawn=False))
    assert len(names) == len(files) + 1


@pytest.mark.parametrize(
    ("name", "options"),
    [("charge", SMALL_CHARGE), ("alpha-chase", {"words": "QUICK,PLANT"})],  # the latter has canonical states
)
def test_a_large_solution_is_saved_and_found_again(name: str, options: dict[str, object], cache: Path) -> None:
    first = solved(make(name, **options))
    (file,) = cached_files()
    assert file.name.startswith(f"{name}-")
    _in_memory.clear()
    again = solved(make(name, **options))
    assert again is not first
    assert contents(again) == contents(first)


def test_a_damaged_file_is_reported_and_made_again(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = make("charge", **SMALL_CHARGE)
    good = contents(solved(game))
    (file,) = cached_files()
    whole = file.read_bytes()
    for damage in (b"", whole[:-9], b"x" * 100):
        file.write_bytes(damage)
        _in_memory.clear()
        caplog.clear()
        assert contents(solved(game)) == good
        assert caplog.text.count("is made again: The ") == 1
        assert read_table(file.read_bytes(), game, solution_cache._code_hash(game))


SCRIPT = f"""
import pathlib, signal, sys, time
from duelbook import make
from duelbook.solve import cache, progress, retrograde, solved
retrograde.SMALL_STATE_LIMIT = 100
progress.REPORT_SECONDS = 0
signal.signal(signal.SIGINT, signal.default_int_handler)
game = make("charge", **{SMALL_CHARGE!r})
plain, parts = cache.solve_large, cache.table_parts

def solve(game, meter):
    print("solving", flush=True)
    return plain(game, meter)

cache.solve_large = solve

def stay(_):
    print("waiting", flush=True)
    time.sleep(60)
"""


def start(*lines: str) -> "subprocess.Popen[str]":
    """Start a process that solves the small game, after some more lines of its script."""
    return subprocess.Popen(
        [sys.executable, "-c", "\n".join([SCRIPT, *lines])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_processes_that_want_the_same_solution_wait_for_one(cache: Path) -> None:
    running = [start("solved(game)") for _ in range(3)]
    outputs = [process.communicate(timeout=100) for process in running]
    assert [process.returncode for process in running] == [0] * 3, outputs
    assert sorted(out for out, _ in outputs) == ["", "", "solving\n"]
    (file,) = solution_cache.cache_folder().iterdir()
    assert file.suffix == ".table"


@pytest.mark.parametrize(
    "line",
    ["solved(game, on_progress=stay)", "cache.table_parts = lambda *_: (stay(0) for _ in range(1))\nsolved(game)"],
    ids=["solving", "saving"],
)
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_is_stopped_leaves_nothing_behind(cache: Path, line: str, by: signal.Signals) -> None:
    process = start(line)
    assert process.stdout
    while process.stdout.readline() != "waiting\n":
        assert process.poll() is None
    process.send_signal(by)
    process.communicate(timeout=30)
    assert process.returncode == (-signal.SIGKILL if by == signal.SIGKILL else -signal.SIGINT)
    folder = solution_cache.cache_folder()
    if by == signal.SIGINT:
        assert list(folder.glob("*")) == []
    game = make("charge", **SMALL_CHARGE)
    assert solved(game).states()
    assert [file.suffix for file in folder.iterdir()] == [".table"]


def test_what_another_process_left_is_removed(cache: Path) -> None:
    folder = solution_cache.cache_folder()
    folder.mkdir(parents=True)
    for name in ("other.lock", "other.part", "used.lock", "used.part"):
        (folder / name).write_bytes(b"")
    with locked(folder / "used.lock", lambda: None):
        (folder / "used.part").write_bytes(b"half")
        remove_abandoned(folder)
        assert sorted(file.name for file in folder.iterdir()) == ["used.lock", "used.part"]


def test_a_disk_without_locks_is_used_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    (tmp_path / "other.lock").write_bytes(b"")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", fail)
    with locked(tmp_path / "used.lock", pytest.fail):
        remove_abandoned(tmp_path)
        assert sorted(file.name for file in tmp_path.iterdir()) == ["other.lock", "used.lock"]
    assert [file.name for file in tmp_path.iterdir()] == ["other.lock"]


def test_who_waits_is_told_so_and_can_stop(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REPORT_SECONDS", 0)
    game, seen = make("charge", **SMALL_CHARGE), []

    def stop(report: Progress) -> None:
        seen.append(report.stage)
        if seen.count(Stage.WAITING) == 3:
            raise InterruptedError

    with locked(solution_cache._file(game).with_suffix(".lock"), lambda: None), pytest.raises(InterruptedError):
        solved(game, on_progress=stop)
    assert seen[-3:] == [Stage.WAITING] * 3


def test_that_a_game_is_too_large_is_found_out_once_for_each_memory(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make("charge", goal=40)
    asked: list[int] = []

    def refuse(game: AnyGame, meter: Meter) -> Solution:
        asked.append(meter.budget_bytes)
        raise TooLargeError(1_000_000, budget_bytes=meter.budget_bytes)

    monkeypatch.setattr(solution_cache, "solve_large", refuse)
    for megabytes, tried in (20, 20), (20, 20), (10, 20), (24, 24), (30, 30):
        monkeypatch.setenv(budget.VARIABLE, str(megabytes))
        solution_cache._too_large.clear()  # as in another process
        with pytest.raises(TooLargeError, match=rf"more than 1,000,000 states, too many for {tried} MB of memory"):
            solved(game)
    assert asked == [20_000_000, 24_000_000, 30_000_000]
    monkeypatch.delenv(budget.VARIABLE)
    for free_megabytes in (72, 80):  # half of it may be used; a little more is no reason to try again
        monkeypatch.setattr(budget, "free_memory", lambda free=free_megabytes: free * budget.MEGABYTE)
        with pytest.raises(TooLargeError):
            solved(game)
    assert asked[3:] == [40_000_000]
    clear_cache()
    assert list(solution_cache.cache_folder().iterdir()) == []


def test_that_a_game_takes_too_long_is_found_out_once_until_the_extra_fast_is_installed(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    game = make("charge", goal=9)
    asked: list[AnyGame] = []

    def count(game: AnyGame, meter: Meter) -> Solution:
        asked.append(game)
        return retrograde.solve_large(game, meter)

    monkeypatch.setattr(solution_cache, "solve_large", count)
    monkeypatch.setattr(retrograde, "MAX_SECONDS", 0.05)
    messages = []
    with monkeypatch.context() as without_fast:
        without_fast.setitem(sys.modules, "numba", None)
        for _ in range(2):
            solution_cache._too_large.clear()  # as in another process
            with pytest.raises(TooSlowError, match=r"'fast' is not installed.*install it with") as refused:
                solved(game)
            messages.append(str(refused.value))
    assert len(asked) == 1
    assert messages[0] == messages[1]
    solution_cache._too_large.clear()
    assert solved(game).states()


def test_a_record_of_another_form_is_ignored(cache: Path) -> None:
    game = make("charge", **SMALL_CHARGE)
    record = solution_cache._file(game).with_suffix(".too-large")
    record.parent.mkdir(parents=True)
    for text in ("", "[]", "{}", '{"states": 1, "source": "", "budget_bytes": 1}'):
        record.write_text(text)
        _in_memory.clear()
        assert solved(game).states()
        solution_cache._file(game).unlink()


def test_the_cache_command_shows_and_clears_the_folder(cache: Path) -> None:
    solved(make("charge", **SMALL_CHARGE))
    where = {"XDG_CACHE_HOME": str(cache)}
    (file,) = cached_files()
    shown = run(["cache"], **where).stdout
    assert f"kB  {file.name}  goal=5, charge_cards=2, block_cards=1\n1 solution in " in shown
    whole = file.read_bytes()
    for damage in (b"", whole[:40], whole.replace(b'"game": "charge"', b'"game": 7')):
        file.write_bytes(damage)
        assert f"kB  {file.name}  damaged\n" in run(["cache"], **where).stdout
    assert "Removed 1 solution from " in run(["cache", "--clear"], **where).stdout
    assert "0 solutions in " in run(["cache"], **where).stdout
    assert clear_cache() == 0


def test_a_game_is_solved_even_if_the_folder_cannot_be_written(cache: Path) -> None:
    (cache / "duelbook").write_text("a file where the folder should be")
    game = make("charge", **SMALL_CHARGE)
    assert solved(game).remoteness(game.initial())


def charges(count: int) -> list[AnyGame]:
    return [make("charge", goal=5 + number, charge_cards=3, block_cards=1) for number in range(count)]


def test_the_folder_drops_what_was_not_used_for_longest_when_it_is_full(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last, *games = charges(5)  # the last one is the smallest
    for age, game in enumerate(games):
        solved(game)
        file = solution_cache._file(game)
        os.utime(file, (1000 + age, 1000 + age))
    used = [solution_cache._file(game) for game in games]
    assert cached_files() == sorted(used)
    _in_memory.clear()
    solved(games[0])  # so it is not the oldest any more
    monkeypatch.setattr(solution_cache, "MAX_FOLDER_BYTES", sum(file.stat().st_size for file in used))
    solved(last)
    assert cached_files() == sorted([used[0], *used[2:], solution_cache._file(last)])


def test_a_solution_larger_than_the_folder_may_be_is_saved_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "MAX_FOLDER_BYTES", 1)
    for game in charges(3):
        solved(game)
        assert cached_files() == [solution_cache._file(game)]


@pytest.mark.parametrize("held", [1, 5])
def test_memory_holds_a_limited_number_of_bytes(cache: Path, monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    games = [make("flag-chase", cells=cells, stride=3) for cells in range(11, 51, 2)]
    sizes = [solve(game).memory_bytes() for game in games]
    monkeypatch.setattr(solution_cache, "MAX_MEMORY_BYTES", sum(sizes[-held:]))
    for game in games:
        assert solved(game).game == game
    assert list(_in_memory) == games[-held:]


def test_a_limited_number_of_games_is_remembered_as_too_large(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "MAX_REMEMBERED_TOO_LARGE", 2)
    monkeypatch.setattr(solution_cache, "solve_large", lambda game, meter: solve(game, limit=10))
    games = charges(5)
    for game in games:
        with pytest.raises(TooLargeError):
            solved(game)
    assert list(solution_cache._too_large) == games[-2:]
