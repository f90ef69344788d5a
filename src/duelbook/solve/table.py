"""The file format of solutions: an index of all states and their codes, with a checksum (docs/solution-format.md)."""

import hashlib
import json
import lzma
import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated, Any, Literal

import msgspec

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.solve.index import BLOCK_SHIFT, BLOCK_WORDS, BitmapIndex, PackedIndex, SortedIndex, ranks_of
from duelbook.solve.packing import Packing
from duelbook.solve.progress import Meter
from duelbook.solve.solution import Solution

Count = Annotated[int, msgspec.Meta(ge=0)]
Size = Annotated[int, msgspec.Meta(ge=1)]

MAGIC = b"duelbook-table 2\n"
MAX_HEADER_BYTES = 1 << 16
ALIGNMENT = 64  # bytes; the payload begins at a multiple, so that its arrays can be used where they are
KEYS, WORDS, RANKS = "q", "Q", "I"  # type codes of `array`


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
    sizes: tuple[Size, ...]
    order: tuple[Count, ...]
    index: Literal["keys", "bitmap"]
    kind: Literal["h", "i"]  # of the codes
    sha256: str  # of the payload
    compressed: bool = False
    extra_turns: bool = False  # a player may move again


def write_table(solution: Solution, code: str = "") -> bytes:
    """Return the solution as the content of a small file. `code` identifies the rules and the solver."""
    index, codes = solution.packed()
    states = index.arrays()[0]  # what else there is can be computed
    if isinstance(index, SortedIndex):
        states = array(KEYS, (key - before for before, key in zip([0, *states], states, strict=False)))
    payload = lzma.compress(b"".join(map(_to_bytes, (states, codes))), preset=9)
    return _head(solution, index, codes, code, [payload], compressed=True) + payload


def table_parts(solution: Solution, code: str = "", meter: Meter | None = None) -> list[bytes | memoryview]:
    """Return the solution as the parts of a file that can be used where it is, without being read into memory."""
    index, codes = solution.packed(meter)
    payload = [_to_bytes(part) for part in (*index.arrays(), codes)]
    return [_head(solution, index, codes, code, payload, compressed=False), *payload]


def _head(
    solution: Solution,
    index: PackedIndex,
    codes: Sequence[int],
    code: str,
    payload: Sequence[bytes | memoryview],
    *,
    compressed: bool,
) -> bytes:
    """Return what comes before the payload."""
    digest = hashlib.sha256()
    for part in payload:
        digest.update(part)
    header = Header(
        **_identity(solution.game, code),
        states=len(codes),
        undecided=solution.states(),
        lows=index.packing.lows,
        sizes=index.packing.sizes,
        order=index.packing.order,
        index="keys" if isinstance(index, SortedIndex) else "bitmap",
        kind="h" if memoryview(codes).itemsize == 2 else "i",  # type: ignore[arg-type]
        sha256=digest.hexdigest(),
        compressed=compressed,
        extra_turns=solution.extra_turns,
    )
    line = json.dumps(msgspec.to_builtins(header)).encode()
    return MAGIC + line + b" " * (-(len(MAGIC) + len(line) + 1) % ALIGNMENT) + b"\n"


def read_header(raw: bytes | memoryview) -> tuple[Header, int]:
    """Return the header of a file, and where its payload begins, or raise DamagedTableError."""
    start = bytes(raw[:MAX_HEADER_BYTES])
    if not start.startswith(MAGIC):
        raise DamagedTableError("The file is not a table.")
    line, end, _ = start[len(MAGIC) :].partition(b"\n")
    try:
        return read(line, Header), len(MAGIC + line + end)
    except RefusedError as error:
        raise DamagedTableError(f"The header of the table cannot be read. {error}") from error


def read_table(raw: bytes | memoryview, game: AnyGame, code: str = "") -> Solution:
    """Return the solution of the game from the content of a file, or raise DamagedTableError."""
    header, start = read_header(raw)
    if any(getattr(header, name) != value for name, value in _identity(game, code).items()):
        raise DamagedTableError("The table belongs to another game or to other rules.")
    try:
        return _read_payload(memoryview(raw)[start:], game, header)
    except DamagedTableError:
        raise
    except (ValueError, OverflowError, MemoryError, lzma.LZMAError) as error:
        raise DamagedTableError("The table is damaged.") from error


def _read_payload(payload: memoryview, game: AnyGame, header: Header) -> Solution:
    if hashlib.sha256(payload).hexdigest() != header.sha256:
        raise DamagedTableError("The table is damaged.")
    packing = Packing(header.lows, header.sizes, header.order)
    blocks = (packing.keys() >> BLOCK_SHIFT) + 1
    lengths = {KEYS: header.states} if header.index == "keys" else {WORDS: blocks * BLOCK_WORDS, RANKS: blocks}
    if header.compressed:
        lengths.pop(RANKS, None)
    lengths[header.kind] = header.states
    size = sum(array(kind).itemsize * length for kind, length in lengths.items())
    if header.compressed:
        payload = memoryview(lzma.LZMADecompressor().decompress(payload, max_length=size + 1))
    if len(payload) != size:
        raise DamagedTableError("The table is damaged.")
    parts: dict[str, Sequence[int]] = {}
    for kind, length in lengths.items():
        end = array(kind).itemsize * length
        parts[kind], payload = _to_numbers(kind, payload[:end]), payload[end:]
    index: SortedIndex | BitmapIndex
    if header.index == "bitmap":
        index = BitmapIndex(packing, parts[WORDS], parts[RANKS] if RANKS in parts else ranks_of(parts[WORDS]))
    else:
        index = SortedIndex(packing, array(KEYS, accumulate(parts[KEYS])) if header.compressed else parts[KEYS])
    return Solution(game, index, parts[header.kind], header.undecided, header.extra_turns)


def _identity(game: AnyGame, code: str) -> dict[str, Any]:
    """Return the fields of a header that must match the game."""
    return {"game": name_of(game), "options": write_options(game), "words": getattr(game, "digest", ""), "code": code}


def _to_bytes(numbers: Any) -> memoryview:
    """Return the numbers as little-endian bytes on every machine."""
    if sys.byteorder == "big":
        numbers = array(memoryview(numbers).format, numbers)
        numbers.byteswap()
    return memoryview(numbers).cast("B")


def _to_numbers(kind: str, raw: memoryview) -> Sequence[int]:
    if sys.byteorder == "little":
        return raw.cast(kind)  # type: ignore[call-overload, no-any-return]
    numbers: array[int] = array(kind, raw.tobytes())
    numbers.byteswap()
    return numbers
