"""The file format of solutions: every state with its value, compressed, with a checksum (docs/solution-format.md)."""

import hashlib
import json
import lzma
import sys
from array import array
from itertools import accumulate
from typing import Annotated, Any, Literal

import msgspec

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.solve.packing import PackedIndex, Packing
from duelbook.solve.solution import Solution

Count = Annotated[int, msgspec.Meta(ge=0)]

MAGIC = b"duelbook-table 1\n"
ITEM_BYTES: dict[Literal["b", "h", "i"], int] = {"b": 1, "h": 2, "i": 4}  # by type code of `array`


class DamagedTableError(RefusedError):
    """The file is not a table, is damaged, or belongs to another game."""


class Header(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    game: str
    options: dict[str, Any]
    words: str  # the hash of the game's word list, if it has one
    code: str  # identifies the rules and the solver
    states: Count
    undecided: Count
    lows: tuple[int, ...]
    widths: tuple[int, ...]
    kind: Literal["b", "h", "i"]  # of the remoteness: the smallest that fits
    sha256: str  # of the payload
    extra_turns: bool = False  # a player may move again


def write_table(solution: Solution, code: str = "") -> bytes:
    """Return the solution as the content of a file. `code` identifies the rules and the solver."""
    index, values, remoteness = solution.packed()
    differences = array("q", (key - before for before, key in zip([0, *index.keys], index.keys, strict=False)))
    kind = next(kind for kind, size in ITEM_BYTES.items() if max(remoteness) < 1 << (8 * size - 1))
    payload = lzma.compress(b"".join(map(_to_bytes, (differences, values, array(kind, remoteness)))), preset=9)
    header = Header(
        **_identity(solution.game, code),
        states=len(index.keys),
        undecided=solution.states(),
        lows=index.packing.lows,
        widths=index.packing.widths,
        kind=kind,
        sha256=hashlib.sha256(payload).hexdigest(),
        extra_turns=solution.extra_turns,
    )
    return MAGIC + json.dumps(msgspec.to_builtins(header)).encode() + b"\n" + payload


def read_table(raw: bytes, game: AnyGame, code: str = "") -> Solution:
    """Return the solution of the game from the content of a file, or raise DamagedTableError."""
    if not raw.startswith(MAGIC):
        raise DamagedTableError("The file is not a table.")
    line, _, payload = raw[len(MAGIC) :].partition(b"\n")
    try:
        header = read(line, Header)
        if any(getattr(header, name) != value for name, value in _identity(game, code).items()):
            raise DamagedTableError("The table belongs to another game or to other rules.")
        return _read_payload(payload, game, header)
    except DamagedTableError:
        raise
    except RefusedError as error:
        raise DamagedTableError(f"The header of the table cannot be read. {error}") from error
    except (ValueError, OverflowError, MemoryError, lzma.LZMAError) as error:
        raise DamagedTableError("The table is damaged.") from error


def _read_payload(payload: bytes, game: AnyGame, header: Header) -> Solution:
    count = header.states
    size = count * (8 + 1 + ITEM_BYTES[header.kind])  # the key, the value, the remoteness
    if hashlib.sha256(payload).hexdigest() != header.sha256:
        raise DamagedTableError("The table is damaged.")
    unpacked = lzma.LZMADecompressor().decompress(payload, max_length=size + 1)
    if len(unpacked) != size:
        raise DamagedTableError("The table is damaged.")
    keys = array("q", accumulate(_to_numbers("q", unpacked[: 8 * count])))
    return Solution(
        game,
        PackedIndex(Packing(header.lows, header.widths), keys),
        _to_numbers("b", unpacked[8 * count : 9 * count]),
        array("i", _to_numbers(header.kind, unpacked[9 * count :])),
        header.undecided,
        header.extra_turns,
    )


def _identity(game: AnyGame, code: str) -> dict[str, Any]:
    """Return the fields of a header that must match the game."""
    return {"game": name_of(game), "options": write_options(game), "words": getattr(game, "digest", ""), "code": code}


def _to_bytes(numbers: "array[int]") -> bytes:
    """Return the numbers as little-endian bytes on every machine."""
    little_endian = numbers[:]
    if sys.byteorder == "big":
        little_endian.byteswap()
    return little_endian.tobytes()


def _to_numbers(kind: str, raw: bytes) -> "array[int]":
    numbers: array[int] = array(kind)
    numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
