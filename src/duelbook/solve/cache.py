"""Solutions that are made once: shipped in a game's folder, saved in the user's cache folder, held in memory."""

import logging
import os
import time
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from duelbook.compiled.source_hash import source_hash
from duelbook.files import write_atomic
from duelbook.game import AnyGame, canonical_form
from duelbook.game_folder import game_file
from duelbook.games import is_registered, label, name_of
from duelbook.options import write_options
from duelbook.solve.budget import TooLargeError
from duelbook.solve.progress import OnProgress
from duelbook.solve.retrograde import SMALL_STATE_LIMIT, solve
from duelbook.solve.solution import Solution
from duelbook.solve.table import DamagedTableError, read_table, write_table

SHIPPED_FILE = "solution.table"  # in the folder of a game
SUFFIX = ".table"
MAX_MEMORY_BYTES = 200_000_000  # of all solutions in memory together, in each process
MAX_FOLDER_BYTES = 200_000_000  # of all files in the cache folder together
MAX_REMEMBERED_TOO_LARGE = 1000  # games

log = logging.getLogger("duelbook")

_in_memory: OrderedDict[AnyGame, Solution] = OrderedDict()  # the most recently used comes last
_too_large: OrderedDict[AnyGame, TooLargeError | None] = OrderedDict()  # finding out takes seconds


def solved(game: AnyGame, *, on_progress: OnProgress | None = None) -> Solution:
    """Return the solution of the game: from memory, shipped, from the cache folder, or solved and saved now.

    Only games that are registered are saved: of others nobody knows whether their rules are the same the next time.
    Raise TooLargeError if the game has too many states.
    """
    if game in _too_large:
        raise _too_large[game] or TooLargeError()
    if game not in _in_memory:
        _in_memory[game] = _read_shipped(game) or _read_saved(game) or _solve_and_save(game, on_progress)
        total = sum(solution.memory_bytes() for solution in _in_memory.values())
        while len(_in_memory) > 1 and total > MAX_MEMORY_BYTES:
            total -= _in_memory.popitem(last=False)[1].memory_bytes()
    _in_memory.move_to_end(game)
    return _in_memory[game]


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


def cache_folder() -> Path:
    return user_cache_path("duelbook") / "solutions"


def cached_files() -> list[Path]:
    """Return the solutions in the cache folder."""
    return sorted(cache_folder().glob(f"*{SUFFIX}"))


def clear_cache() -> int:
    """Remove the solutions from the cache folder and return how many there were."""
    files = cached_files()
    for file in files:
        file.unlink(missing_ok=True)
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


def _read_saved(game: AnyGame) -> Solution | None:
    if not is_registered(game):
        return None
    file = _file(game)
    try:
        solution = read_table(file.read_bytes(), game, _code_hash(game))
        _mark_used(file)
        return solution
    except FileNotFoundError:
        return None
    except (OSError, DamagedTableError) as error:
        log.warning("The saved solution %s cannot be used and is made again: %s", file, error)
        return None


def _solve_and_save(game: AnyGame, on_progress: OnProgress | None) -> Solution:
    try:
        solution = solve(game, on_progress=on_progress)
    except TooLargeError as error:
        remember_too_large(game, error)
        raise
    if is_registered(game) and not canonical_form(game) and solution.states() > SMALL_STATE_LIMIT:
        file = _file(game)
        with suppress(OSError, OverflowError):  # the solution is valid even if it cannot be saved
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(file, write_table(solution, _code_hash(game)))
            _mark_used(file)
            _remove_oldest()
    return solution


def _mark_used(file: Path) -> None:
    with suppress(OSError):  # the folder may be read-only, or another process may have removed the file
        os.utime(file, ns=(time.time_ns(), time.time_ns()))


def _remove_oldest() -> None:
    """Remove the solutions that were not used for longest if the folder holds too much. One solution always stays."""
    found = [(file, file.stat()) for file in cached_files()]
    total = sum(stat.st_size for _, stat in found)
    for file, stat in sorted(found, key=lambda entry: entry[1].st_mtime_ns)[:-1]:
        if total <= MAX_FOLDER_BYTES:
            return
        file.unlink(missing_ok=True)
        total -= stat.st_size


def _file(game: AnyGame) -> Path:
    key = sha256(repr((name_of(game), write_options(game), getattr(game, "digest", ""), _code_hash(game))).encode())
    return cache_folder() / f"{name_of(game)}-{key.hexdigest()[:16]}{SUFFIX}"


def _code_hash(game: AnyGame) -> str:
    """Return a hash of the rules and of the solver, so that a change of either makes a new file."""
    here = Path(__file__).parent
    return source_hash(type(game), *(str(here / name) for name in ("retrograde.py", "packing.py", "table.py")))
