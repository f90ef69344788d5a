"""The solution of a game for compiled code: the value of every state, found by the key of its class."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.compiled.intrinsics import read_state, write_state
from duelbook.compiled.kernel import CannotCompileError, CompiledGame, jit
from duelbook.contract import BrokenRulesError
from duelbook.features import numbers_of
from duelbook.game import AnyGame, HasClassTable, HasProfiles, canonical_form
from duelbook.solve.index import BitmapIndex, PackedIndex, sorted_index
from duelbook.solve.keyset import Longs, Places, bitmap_places, insert_all, is_dense, new_bitmap, sorted_places
from duelbook.solve.packing import sampled_states
from duelbook.solve.solution import ENDLESS, Solution, code_of
from duelbook.solve.successors import packing_array

NO_CLASSES = NO_KEYS = np.empty(0, np.int64)


class ValueTable(NamedTuple):
    """The code of every state of a solution (see `code_of`).

    Compiled code packs the numbers of `game.class_of(state, table.classes)` to a key, whose place is that of the code.
    """

    classes: Longs  # the game's `class_table`, if it has one
    packing: Longs
    places: Places
    codes: npt.NDArray[np.int32]

    @classmethod
    def of(cls, solution: Solution) -> "ValueTable":
        """Return the values of a solution.

        Raise OverflowError if a state does not fit into 62 bits, and CannotCompileError if its class does not compile.
        """
        game = solution.game
        if isinstance(game, HasClassTable):
            classes = np.array(game.class_table(), np.int64)
            index, codes = _packed_by_class(game, solution)
        else:
            classes = NO_CLASSES
            index, codes = solution.packed()
        _check_classes(game, classes)
        numbers = np.asarray(memoryview(codes)).astype(np.int32)  # type: ignore[arg-type]
        return cls(classes, packing_array(index.packing), _places(index), numbers)


def _places(index: PackedIndex) -> Places:
    """Return the places of states in the index: in a bitmap, which is quicker, if that is not too large."""
    first = np.asarray(memoryview(index.arrays()[0]))  # type: ignore[arg-type]
    if isinstance(index, BitmapIndex):
        return bitmap_places(first.view(np.int64).copy())
    keys, count = first.astype(np.int64), index.packing.keys()
    if not is_dense(count, len(keys)):
        return sorted_places(keys, count)
    words = new_bitmap(count)
    insert_all(words, NO_KEYS, keys)
    return bitmap_places(words)


def _packed_by_class(game: HasClassTable, solution: Solution) -> tuple[PackedIndex, Sequence[int]]:
    """Return the classes of all states as numbers in order, and the codes of the states in the same order."""
    table, places, codes = game.class_table(), dict[Any, int](), array("i")
    for state, value, remoteness in solution:
        places[game.class_of(state, table)] = len(codes)
        codes.append(code_of(value, ENDLESS if remoteness is None else remoteness))
    if len(places) < len(codes):
        raise BrokenRulesError(solution.game, "class_of is the same for states with other canonical states.", None)
    index, order = sorted_index(places)
    return index, array("i", (codes[place] for place in order))


def _check_classes(game: AnyGame, classes: Longs) -> None:
    """Raise CannotCompileError unless compiled rules find the same classes as interpreted ones in some random games."""
    if not (canonical := canonical_form(game)):
        return
    states = list(sampled_states(game))
    known, profiles = list(map(canonical, states)), states
    table: Sequence[int] = array("q")
    if isinstance(game, HasClassTable):
        table = game.class_table()
        known = [game.class_of(state, table) for state in known]
    if isinstance(game, HasProfiles):
        profiles = [game.profile_of(state, table) for state in states]
    found = _rows(states)
    found_profiles = found.copy()
    _write_classes(game, classes, found, found_profiles)
    if not (np.array_equal(found, _rows(known)) and np.array_equal(found_profiles, _rows(profiles))):
        raise CannotCompileError(game, "compiled, they find other classes of states than interpreted.")


def _rows(states: Iterable[Any]) -> Longs:
    return np.array([[*numbers_of(state)] for state in states], np.int64)


@jit
def _write_classes(game: CompiledGame, classes: Longs, rows: Longs, profiles: Longs) -> None:
    """Replace states by their classes, and in the other array by their profiles."""
    like = game.initial()
    for place in range(len(rows)):
        state = read_state(like, rows[place])
        write_state(like, game.class_of(state, classes), rows[place])
        write_state(like, game.profile_of(state, classes), profiles[place])
