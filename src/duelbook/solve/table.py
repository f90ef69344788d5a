"""Solutions as files: every state of a game with its value, small and checked. `docs/solving.md` has the format."""

import hashlib
import json
import lzma
import sys
from array import array
from itertools import accumulate
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.solve.packing import PackedIndex, Packing
from duelbook.solve.solution import Solution

MAGIC = b"duelbook-table 1\n"
KINDS = {
    "b": 1,
    "h": 2,
    "i": 4,
}  # of whole numbers, with their bytes; the remoteness is stored in the smallest that fits


class DamagedTableError(RefusedError):
    """A file that is no table, or not of this game, or not as it was written."""


def write_table(solution: Solution, code: str = "") -> bytes:
    """Answer the solution as the content of a file; `code` tells by which rules it was made."""
    index, values, remoteness = solution.packed()
    steps = array("q", (key - before for before, key in zip([0, *index.keys], index.keys, strict=False)))
    kind = next(kind for kind, size in KINDS.items() if max(remoteness) < 1 << (8 * size - 1))
    payload = lzma.compress(b"".join(map(_bytes, (steps, values, array(kind, remoteness)))), preset=9)
    header = _identity(solution.game, code) | {
        "states": len(index.keys),
        "undecided": solution.states(),
        "lows": index.packing.lows,
        "widths": index.packing.widths,
        "kind": kind,
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    return MAGIC + json.dumps(header).encode() + b"\n" + payload


def read_table(raw: bytes, game: AnyGame, code: str = "") -> Solution:
    """Answer the solution of the game in the file's content, or refuse it."""
    try:
        return _read(raw, game, code)
    except DamagedTableError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, MemoryError, lzma.LZMAError) as error:
        raise DamagedTableError(f"not a table ({type(error).__name__})") from error


def _read(raw: bytes, game: AnyGame, code: str) -> Solution:
    if not raw.startswith(MAGIC):
        raise DamagedTableError("not a table")
    line, _, payload = raw[len(MAGIC) :].partition(b"\n")
    header = json.loads(line)
    if {name: header[name] for name in ("game", "options", "words", "code")} != _identity(game, code):
        raise DamagedTableError("a table of another game")
    if hashlib.sha256(payload).hexdigest() != header["sha256"]:
        raise DamagedTableError("damaged")
    count, kind = int(header["states"]), header["kind"]
    size = count * (8 + 1 + KINDS[kind])  # the key, the value, the remoteness
    unpacked = lzma.LZMADecompressor().decompress(payload, max_length=size + 1)
    if len(unpacked) != size:
        raise DamagedTableError("damaged")
    keys = array("q", accumulate(_numbers("q", unpacked[: 8 * count])))
    packing = Packing(tuple(map(int, header["lows"])), tuple(map(int, header["widths"])))
    return Solution(
        game,
        PackedIndex(packing, keys),
        _numbers("b", unpacked[8 * count : 9 * count]),
        array("i", _numbers(kind, unpacked[9 * count :])),
        int(header["undecided"]),
    )


def _identity(game: AnyGame, code: str) -> dict[str, Any]:
    """Answer what a table has to agree on with the game that it is read for."""
    return {"game": name_of(game), "options": write_options(game), "words": getattr(game, "digest", ""), "code": code}


def _bytes(numbers: "array[int]") -> bytes:
    """Answer the numbers as bytes, the lowest first on every machine."""
    copy = numbers[:]
    if sys.byteorder == "big":
        copy.byteswap()
    return copy.tobytes()


def _numbers(kind: str, raw: bytes) -> "array[int]":
    numbers: array[int] = array(kind)
    numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
