"""The estimate of `estimate.check_size` in compiled code: a few hundred thousand random games instead of a thousand."""

import time
from functools import partial

import numpy as np
import numpy.typing as npt

from duelbook.game import AnyGame, canonical_start
from duelbook.solve.budget import TooLargeError
from duelbook.solve.estimate import MANY_REPEATS, at_least, telling_plies
from duelbook.solve.exploration import NOTHING, MisfitError
from duelbook.solve.keyset import Longs
from duelbook.solve.packing import Packing
from duelbook.solve.progress import Meter, Stage
from duelbook.solve.successors import COUNTS, DONE, MISFIT, Cells, packing_array, visit
from duelbook.solve.threads import Threads

FIRST_GAMES = 1 << 12
MORE_GAMES = 4  # times as many in the next attempt
MAX_GAMES = 1 << 20
CHUNK_MOVES = 1 << 18  # that are listed together
ESTIMATE_SECONDS = 4.0  # after which the estimate has nothing to say
MIN_STATE_BYTES = 4  # solving a state takes at least so much memory


class BrokenWalkError(Exception):
    """The rules break the contract; the exploration finds out how."""


def check_size_compiled(game: AnyGame, packing: Packing, threads: Threads, meter: Meter) -> Packing:
    """Raise TooLargeError if random games show that the game has more states than fit into the memory.

    Return a packing with room for all states that were seen.
    """
    most = meter.budget_bytes // MIN_STATE_BYTES
    if packing.keys() <= most:
        return packing
    deadline = time.monotonic() + ESTIMATE_SECONDS
    plies = telling_plies(game)
    games, rng = FIRST_GAMES, np.random.default_rng(0)
    while games <= MAX_GAMES and packing.fits() and time.monotonic() < deadline:
        try:
            seen = _walk(game, packing, threads, meter, plies, games, rng)
        except MisfitError as misfit:
            packing = packing.widened(misfit.row)
            continue
        except BrokenWalkError:
            break
        repeats = [len(keys) - len(np.unique(keys)) for keys in seen]
        found = max((at_least(len(keys), again) for keys, again in zip(seen, repeats, strict=True)), default=0)
        if found > most:
            raise TooLargeError(found, f" (an estimate from {games:,} random games)", meter.budget_bytes)
        if min(repeats, default=0) > MANY_REPEATS:
            break
        games *= MORE_GAMES
    return packing


def _walk(
    game: AnyGame,
    packing: Packing,
    threads: Threads,
    meter: Meter,
    plies: list[int],
    games: int,
    rng: np.random.Generator,
) -> list[Longs]:
    """Play random games and return the keys of their states at these plies."""
    columns, seen = packing_array(packing), []
    try:
        keys = np.full(games, packing.pack(canonical_start(game)), np.int64)
    except KeyError:
        return []
    chunk = max(1, CHUNK_MOVES // game.num_moves)
    for ply in range(plies[-1] + 1):
        if ply in plies:
            seen.append(keys)
        chances = rng.random(len(keys))
        parts = [slice(start, start + chunk) for start in range(0, len(keys), chunk)]
        tasks = [partial(_step, game, columns, keys[part], chances[part]) for part in parts]
        keys = np.concatenate([NOTHING, *threads.run(tasks)])
        meter.report(Stage.ESTIMATING)
    return seen


def _step(game: AnyGame, columns: Longs, keys: Longs, chances: npt.NDArray[np.float64]) -> Longs:
    """Return the keys after a random move in each state, without those that are decided."""
    row, counts = np.empty(columns.shape[1], np.int64), np.zeros(COUNTS, np.int64)
    children, ends = np.empty(len(keys) * game.num_moves, np.int64), np.empty(len(keys), np.int32)
    cells = Cells(1, np.zeros((1, 1), np.uint8))
    status = visit(
        *(game, columns, row, keys, len(keys), 0, 0, NOTHING, NOTHING, cells),
        *(children, ends, np.empty(len(keys), np.uint8), counts),
    )
    if status == MISFIT:
        raise MisfitError(row.tolist())
    if status != DONE:
        raise BrokenWalkError
    moves = np.diff(ends, prepend=0)
    chosen = (ends - moves + (chances * moves).astype(np.int64))[moves > 0]
    return children[chosen] >> 1
