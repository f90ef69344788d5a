"""The file format of solutions."""

import json
from array import array
from dataclasses import replace

import pytest

from duelbook import make
from duelbook.features import numbers_of
from duelbook.solve import Solution, solve
from duelbook.solve.index import SortedIndex
from duelbook.solve.retrograde import solve_interpreted
from duelbook.solve.solution import code_of
from duelbook.solve.table import MAGIC, DamagedTableError, read_table, write_table
from tests.solve.test_cache import SMALL_CHARGE, contents


@pytest.mark.parametrize(
    ("name", "options"),
    [("charge", SMALL_CHARGE), ("crystal-capture", {"deadlock": "draw"}), ("flag-chase", {"cells": 31})],
)
def test_a_solution_is_read_back_as_it_was_written(name: str, options: dict[str, object]) -> None:
    game = make(name, **options)
    written = solve_interpreted(game)
    read = read_table(write_table(written, "code"), game, "code")
    assert contents(read) == contents(written)
    assert list(read) == list(written)
    assert [read.moves(state) for state in (game.initial(),)] == [written.moves(game.initial())]


def test_the_order_of_states_and_arrays_does_not_depend_on_how_the_game_was_solved() -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
    game = make("charge", **SMALL_CHARGE)
    one = solve_interpreted(game)
    packing = replace(one.packed()[0].packing, order=tuple(reversed(range(11))))
    rows = sorted((packing.pack(state), code_of(value, remoteness or 0)) for state, value, remoteness in one)
    keys, codes = (array(kind, column) for kind, column in zip("qh", zip(*rows, strict=True), strict=True))
    two = Solution(game, SortedIndex(packing, keys), codes, one.states(), one.extra_turns)
    assert list(two) == list(one)
    for mine, other in zip(one.arrays(), two.arrays(), strict=True):
        assert np.array_equal(mine, other)
    numbers, value, remoteness = (part[7].tolist() for part in one.arrays()[1:])
    found = list(one)[7]
    assert ([*numbers_of(found.state)], found.value, found.remoteness) == (numbers, value, remoteness)


def test_a_damaged_table_or_one_of_another_game_is_refused() -> None:
    game = make("charge", **SMALL_CHARGE)
    raw = write_table(solve(game), "code")
    header, _, payload = raw[len(MAGIC) :].partition(b"\n")
    changed = json.loads(header) | {"states": 10**12}
    wrong = [
        b"",
        b"something else entirely",
        MAGIC,
        MAGIC + b"[]\n",
        MAGIC + b"{}\n",
        MAGIC + b"\xff\xfe\n",
        raw[:-1],
        raw + b"x",
        raw[:-20] + bytes([raw[-20] ^ 1]) + raw[-19:],
        MAGIC + json.dumps(changed).encode() + b"\n" + payload,
        MAGIC + json.dumps(changed | {"states": -1}).encode() + b"\n" + payload,
    ]
    for content in wrong:
        with pytest.raises(DamagedTableError):
            read_table(content, game, "code")
    for other, code in ((make("charge"), "code"), (make("flag-chase"), "code"), (game, "newer")):
        with pytest.raises(DamagedTableError, match="belongs to another game"):
            read_table(raw, other, code)
