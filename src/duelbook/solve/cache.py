"""Where solutions are found again: shipped with Duelbook, or kept in the user's cache folder."""

import logging
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from duelbook.compiled.source_hash import source_hash
from duelbook.files import write_atomic
from duelbook.game import AnyGame, canonical_form
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.solve.retrograde import STATE_LIMIT, TooLargeError
from duelbook.solve.solution import Solution
from duelbook.solve.solver import SMALL, solve
from duelbook.solve.table import DamagedTableError, read_table, write_table

SHIPPED = Path(__file__).parent / "tables"
SUFFIX = ".table"

log = logging.getLogger("duelbook")


MOST_STATES = 3_000_000  # of all solutions that are held in memory at once
MOST_REFUSED = 1000  # games that are remembered to be too large

_held: OrderedDict[AnyGame, Solution] = OrderedDict()  # the one that was asked for last comes last
_refused: OrderedDict[AnyGame, None] = OrderedDict()  # to find out that a game is too large takes seconds


def solved(game: AnyGame) -> Solution:
    """Answer the solution of the game: held in memory, shipped, kept from an earlier time, or made now and kept."""
    if game in _refused:
        raise TooLargeError(STATE_LIMIT)
    if game not in _held:
        _held[game] = _shipped(game) or _kept(game) or _made(game)
        while len(_held) > 1 and sum(solution.states() for solution in _held.values()) > MOST_STATES:
            _held.popitem(last=False)
    _held.move_to_end(game)
    return _held[game]


def try_solve(game: AnyGame) -> bool:
    """Solve the game now, so that later calls of `solved` are quick. Return False if it has too many states."""
    try:
        solved(game)
    except TooLargeError:
        return False
    return True


def cache_folder() -> Path:
    return user_cache_path("duelbook") / "solutions"


def kept_files() -> list[Path]:
    """Answer the solutions in the cache folder."""
    return sorted(cache_folder().glob(f"*{SUFFIX}"))


def clear_cache() -> int:
    """Remove the solutions from the cache folder; answer how many there were."""
    files = kept_files()
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _shipped(game: AnyGame) -> Solution | None:
    """Answer the shipped solution; it is that of these very rules, which a test makes sure of."""
    file = SHIPPED / f"{name_of(game)}{SUFFIX}"
    if not file.exists() or type(game)() != game:
        return None
    try:
        return read_table(file.read_bytes(), game)
    except (OSError, DamagedTableError) as error:
        log.warning("the solution shipped for %s cannot be used: %s", name_of(game), error)
        return None


def _kept(game: AnyGame) -> Solution | None:
    file = _file(game)
    try:
        return read_table(file.read_bytes(), game, _code(game))
    except FileNotFoundError:
        return None
    except (OSError, DamagedTableError) as error:
        log.warning("%s is made anew: %s", file, error)
        return None


def _made(game: AnyGame) -> Solution:
    try:
        solution = solve(game)
    except TooLargeError:
        _refused[game] = None
        if len(_refused) > MOST_REFUSED:
            _refused.popitem(last=False)
        raise
    if not canonical_form(game) and solution.states() > SMALL:
        _keep(game, solution)
    return solution


def _keep(game: AnyGame, solution: Solution) -> None:
    """Write the solution whole or not at all; a folder that cannot be written to is no reason to stop."""
    file = _file(game)
    with suppress(OSError, OverflowError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, write_table(solution, _code(game)))


def _file(game: AnyGame) -> Path:
    key = sha256(repr((name_of(game), write_options(game), getattr(game, "digest", ""), _code(game))).encode())
    return cache_folder() / f"{name_of(game)}-{key.hexdigest()[:16]}{SUFFIX}"


def _code(game: AnyGame) -> str:
    here = Path(__file__).parent
    return source_hash(type(game), *(str(here / name) for name in ("retrograde.py", "packing.py", "table.py")))
