"""Solutions that are made once: shipped in a game's folder, saved in the user's cache folder, held in memory."""

import json
import logging
import os
import shutil
import time
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path

from platformdirs import user_cache_path

from duelbook.compiled.source_hash import source_hash
from duelbook.files import write_parts
from duelbook.game import AnyGame
from duelbook.game_folder import game_file
from duelbook.games import GAMES, is_registered, label, name_of
from duelbook.options import write_options
from duelbook.solve.budget import TooLargeError, TooSlowError, has_fast, is_budget_given, memory_budget
from duelbook.solve.lock import LOCK_SUFFIX, PART_SUFFIX, locked, remove_abandoned
from duelbook.solve.progress import Meter, OnProgress, Stage, shown_in_notebooks
from duelbook.solve.retrograde import solve, solve_large, solve_small
from duelbook.solve.solution import Solution
from duelbook.solve.table import MAX_HEADER_BYTES, DamagedTableError, read_header, read_table, table_parts

SHIPPED_FILE = "solution.table"  # in the folder of a game
SUFFIX = ".table"
TOO_LARGE_SUFFIX = ".too-large"  # of a file that says why a game could not be solved, and with how much memory
PUZZLES_SUFFIXES = (".puzzles", ".drawn-puzzles")  # of files with the puzzles of a game, as it is or from draws
MAX_MEMORY_BYTES = 200_000_000  # of all solutions in memory together, in each process
MAX_FOLDER_BYTES = 2_000_000_000  # of all files in the cache folder together
MAX_FOLDER_FILES = 1000
SOLVER_FILES = (  # of the package; they determine what is in a saved solution
    "compiled/atomic.py",
    "compiled/intrinsics.py",
    "compiled/kernel.py",
    "features.py",
    "solve/analysis.py",
    "solve/chunks.py",
    "solve/compiled.py",
    "solve/components.py",
    "solve/estimate.py",
    "solve/exploration.py",
    "solve/index.py",
    "solve/keyset.py",
    "solve/levels.py",
    "solve/packing.py",
    "solve/retrograde.py",
    "solve/solution.py",
    "solve/successors.py",
    "solve/sweeps.py",
    "solve/table.py",
    "solve/walks.py",
)
MAX_REMEMBERED_TOO_LARGE = 1000  # games
MORE_MEMORY = 1.25  # a game that was too large is tried again with this many times the free memory, which varies
MAPPED_BYTES = 20_000_000  # a larger solution is not held in memory, but used in its file

log = logging.getLogger("duelbook")

_in_memory: OrderedDict[AnyGame, Solution] = OrderedDict()  # the most recently used comes last
_too_large: OrderedDict[AnyGame, TooLargeError | None] = OrderedDict()  # finding out takes seconds


def solved(game: AnyGame, *, on_progress: OnProgress | None = None) -> Solution:
    """Return the solution of the game: from memory, shipped, from the cache folder, or solved and saved now.

    Only games that are registered are saved: of others nobody knows whether their rules are the same the next time.
    If another process is solving the game, wait for it. Raise TooLargeError if the game has too many states.
    """
    if game in _too_large:
        _raise_if_still_too_large(_too_large[game])
    if game not in _in_memory:
        with shown_in_notebooks():
            meter = Meter(on_progress=on_progress)
            _hold(game, _read_shipped(game) or _read_saved(game) or _solve(game, meter))
    _in_memory.move_to_end(game)
    return _in_memory[game]


def solved_anew(game: AnyGame) -> Solution:
    """Return the solution of the game: shipped, or solved now whatever is known about the game.

    So the memory that may be used decides alone whether the game is too large, and not what happens to be saved.
    """
    solution = _read_shipped(game) or solve(game)
    _too_large.pop(game, None)
    _hold(game, solution)
    return solution


def _hold(game: AnyGame, solution: Solution) -> None:
    """Hold the solution in memory, and let go of those that were not used for longest if they take too much."""
    _in_memory[game] = solution
    _in_memory.move_to_end(game)
    total = sum(held.memory_bytes() for held in _in_memory.values())
    while len(_in_memory) > 1 and total > MAX_MEMORY_BYTES:
        total -= _in_memory.popitem(last=False)[1].memory_bytes()


def try_solve(game: AnyGame, *, on_progress: OnProgress | None = None) -> bool:
    """Solve the game now, so that later calls of `solved` are quick. Return False if it has too many states."""
    try:
        solved(game, on_progress=on_progress)
    except TooLargeError:
        return False
    return True


def remember_too_large(game: AnyGame, error: TooLargeError | None = None) -> None:
    """Do not try to solve the game in this process: another one has found that it is too large."""
    _too_large[game] = error
    if len(_too_large) > MAX_REMEMBERED_TOO_LARGE:
        _too_large.popitem(last=False)


def _raise_if_still_too_large(error: TooLargeError | None) -> None:
    """Raise the error, unless more memory was allowed now than when it was found, or clearly more is free."""
    if error is None:
        raise TooLargeError
    factor = 1 if is_budget_given() else MORE_MEMORY
    if error.budget_bytes is None or memory_budget() <= factor * error.budget_bytes:
        raise error


def cache_folder() -> Path:
    return user_cache_path("duelbook") / "solutions"


def cached_files() -> list[Path]:
    """Return the solutions in the cache folder."""
    return sorted(cache_folder().glob(f"*{SUFFIX}"))


def cached_options(file: Path) -> str:
    """Return the options of a saved solution that differ from the rule book, as in `goal=9, steal_cards=0`."""
    try:
        with file.open("rb") as opened:
            header, _ = read_header(opened.read(MAX_HEADER_BYTES))
    except (OSError, DamagedTableError):
        return "damaged"
    rules = GAMES.get(header.game)
    book = write_options(rules()) if rules else {}
    changed = [f"{name}={value}" for name, value in header.options.items() if book.get(name) != value]
    return ", ".join(changed) or "book rules"


def _small_files() -> list[Path]:
    """Return the files in the cache folder that are no solutions: what is known about games."""
    return [file for suffix in (TOO_LARGE_SUFFIX, *PUZZLES_SUFFIXES) for file in cache_folder().glob(f"*{suffix}")]


def puzzles_file(game: AnyGame, *, drawn: bool) -> Path:
    """Return the file in the cache folder for the puzzles of a registered game, as it is or from draws."""
    return _file(game).with_suffix(PUZZLES_SUFFIXES[drawn])


def clear_cache() -> int:
    """Remove everything from the cache folder and return how many solutions there were."""
    files = cached_files()
    for file in [*files, *_small_files()]:
        file.unlink(missing_ok=True)
    remove_abandoned(cache_folder())
    return len(files)


def _read_shipped(game: AnyGame) -> Solution | None:
    """Return the shipped solution, if there is one. A test checks that it belongs to the current rules."""
    file = game_file(game, SHIPPED_FILE) if is_registered(game) else None
    if not file or type(game)() != game:
        return None
    try:
        return read_table(file.read_bytes(), game)
    except (OSError, DamagedTableError) as error:
        log.warning("The shipped solution of %s cannot be used: %s", label(game), error)
        return None


def _read_saved(game: AnyGame, *, warns: bool = True) -> Solution | None:
    """Return the solution from the cache folder, if there is one. A file that cannot be used is warned about."""
    if not is_registered(game):
        return None
    file = _file(game)
    try:
        if not file.stat().st_size:
            raise DamagedTableError("The file is empty.")  # and cannot be mapped
        with file.open("rb") as opened:
            raw = memoryview(mmap(opened.fileno(), 0, access=ACCESS_READ))
        if len(raw) < MAPPED_BYTES:
            raw = memoryview(bytes(raw))
        solution = read_table(raw, game, _code_hash(game))
        _mark_used(file)
        return solution
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        if warns:
            log.warning("The saved solution %s cannot be used and is made again: %s", file, error)
        return None


def _solve(game: AnyGame, meter: Meter) -> Solution:
    try:
        if solution := solve_small(game, meter):
            return solution
        if not is_registered(game) or hasattr(game, "class_table"):  # whose source is not all in the name of the file
            return solve_large(game, meter)
        remove_abandoned(cache_folder())
        with locked(_file(game).with_suffix(LOCK_SUFFIX), lambda: meter.report(Stage.WAITING)):
            return _read_saved(game, warns=False) or _solve_and_save(game, meter)  # another process may have made it
    except TooLargeError as error:
        remember_too_large(game, error)
        raise


def _solve_and_save(game: AnyGame, meter: Meter) -> Solution:
    """Solve the game and save the solution, or that the game is too large."""
    file = _file(game)
    record = file.with_suffix(TOO_LARGE_SUFFIX)
    if error := _read_too_large(record):
        _raise_if_still_too_large(error)
    try:
        solution = solve_large(game, meter)
    except TooLargeError as error:
        if error.budget_bytes is not None or isinstance(error, TooSlowError):
            _write_too_large(record, error)
        raise
    meter.report(Stage.SAVING, len(solution), len(solution))
    with suppress(OSError, OverflowError):  # the solution is valid even if it cannot be saved
        if solution.memory_bytes() < shutil.disk_usage(file.parent).free // 2:
            record.unlink(missing_ok=True)
            write_parts(file, table_parts(solution, _code_hash(game), meter), file.with_suffix(PART_SUFFIX))
            _mark_used(file)
            _remove_oldest()
    if solution.memory_bytes() > MAPPED_BYTES:
        return _read_saved(game) or solution
    return solution


def _write_too_large(record: Path, error: TooLargeError) -> None:
    """Write down why a game could not be solved."""
    about = {"states": error.states, "source": error.source, "budget_bytes": error.budget_bytes}
    about |= {"obstacle": getattr(error, "obstacle", ""), "fast": has_fast()}
    with suppress(OSError):
        write_parts(record, [json.dumps(about).encode()])


def _read_too_large(record: Path) -> TooLargeError | None:
    """Return why a game could not be solved, unless the extra `fast` was installed since."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        about = json.loads(record.read_bytes())
        if has_fast() and not about["fast"]:
            return None
        states, source, budget_bytes = int(about["states"]), str(about["source"]), about["budget_bytes"]
        if budget_bytes is None:
            return TooSlowError(states, source, str(about["obstacle"]))
        return TooLargeError(states, source, int(budget_bytes))
    return None


def _mark_used(file: Path) -> None:
    with suppress(OSError):  # the folder may be read-only, or another process may have removed the file
        os.utime(file, ns=(time.time_ns(), time.time_ns()))


def _remove_oldest() -> None:
    """Remove the files that were not used for longest if the folder holds too much. One always stays."""
    files = [*cached_files(), *_small_files()]
    found = sorted(((file, file.stat()) for file in files), key=lambda entry: entry[1].st_mtime_ns)
    total = sum(stat.st_size for _, stat in found)
    for number, (file, stat) in enumerate(found[:-1]):
        if total <= MAX_FOLDER_BYTES and len(found) - number <= MAX_FOLDER_FILES:
            return
        file.unlink(missing_ok=True)
        total -= stat.st_size


def _file(game: AnyGame) -> Path:
    key = sha256(repr((name_of(game), write_options(game), getattr(game, "digest", ""), _code_hash(game))).encode())
    return cache_folder() / f"{name_of(game)}-{key.hexdigest()[:16]}{SUFFIX}"


def _code_hash(game: AnyGame) -> str:
    """Return a hash of the rules and of the solver, so that a change of either makes a new file."""
    package = Path(__file__).parents[1]
    return source_hash(type(game), *(str(package / name) for name in SOLVER_FILES))
