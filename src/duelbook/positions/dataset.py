"""The dataset in a folder: each split as JSONL and Parquet (extra `lab`), a card for Hugging Face, and a description.

The description, `dataset.json`, has the hash of each split. That of a held-out split is published with the other ones,
so that everybody can check later that it was not changed; its positions and its seed are not.
"""

import json
import secrets
from collections.abc import Collection, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from duelbook import __version__, documents
from duelbook.arena.entries import GameEntry, read_entries
from duelbook.arena.manifest import GameDocument, game_document
from duelbook.arena.runner import RunDisplay, SilentDisplay
from duelbook.errors import RefusedError, check_range
from duelbook.extras import require_extra
from duelbook.files import write_atomic, write_private
from duelbook.game import AnyGame
from duelbook.positions.card import dataset_card
from duelbook.positions.generate import draw_positions
from duelbook.positions.position import DatasetPosition, Split
from duelbook.records.record import MAX_SEED
from duelbook.text import shorten

FORMAT, VERSION = "duelbook-positions", 1
DESCRIPTION, CARD = "dataset.json", "README.md"
PUBLIC: tuple[Split, ...] = ("train", "test")
HELD_OUT: Split = "held-out"
MAX_PER_CELL = 10_000
MIN_SECRET_CHARACTERS = 16
MAX_SECRET_BYTES = 10_000


class SplitDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A split: how many positions it has, and the hash of its JSONL file."""

    positions: int
    sha256: str


class Commitment(Struct, frozen=True, forbid_unknown_fields=True):
    """What is published of a held-out split and of the secret seed that it is drawn with: only hashes."""

    positions: int
    sha256: str
    seed_sha256: str


class Description(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The description of a dataset."""

    format: str = FORMAT
    version: int = VERSION
    duelbook: str = __version__
    games: list[GameDocument]
    per_cell: int
    seed: int | None  # None for a held-out split, whose seed is secret
    splits: dict[str, SplitDocument]
    held_out: Commitment | None = None


class HeldOut(NamedTuple):
    """Where the held-out split goes, and the file with its secret seed, which is made if it is not there."""

    folder: Path
    secret: Path


def make_dataset(
    games: Sequence[str | AnyGame],
    folder: Path | str,
    *,
    per_cell: int = 20,
    seed: int = 0,
    held_out: HeldOut | None = None,
    parquet: bool = True,
    display: RunDisplay | None = None,
) -> Description:
    """Write a dataset of positions into a new or empty folder, and return its description.

    `games` are names with options, as in `charge:goal=21`, or games, or just `all`. The same arguments give the same
    files. A held-out split goes into a folder of its own; the dataset has only its hash. Raise RefusedError before
    anything is written if that is not possible.
    """
    entries, display = read_entries(games), display or SilentDisplay()
    check_range("per_cell", per_cell, 1, MAX_PER_CELL)
    check_range("seed", seed, 0, MAX_SEED)
    folders = [Path(folder), *([held_out.folder] if held_out else [])]
    for one in folders:
        _check_empty(one)
    if held_out and (held_out.folder.resolve() == folders[0].resolve() or _is_inside(held_out.secret, folders[0])):
        raise RefusedError("The held-out split and its secret seed must not be in the folder of the dataset.")
    if parquet:
        require_extra("lab")
    secret = _read_secret(held_out.secret) if held_out else None
    steps = len(entries) * len(folders)
    with display.progress("Drawing positions", steps) as report:
        public = _draw(entries, per_cell, str(seed), PUBLIC, report, 0)
        hidden = _draw(entries, per_cell, secret, (HELD_OUT,), report, len(entries)) if secret else []
    try:
        commitment = None
        if held_out and secret:
            written = _write(held_out.folder, entries, hidden, per_cell, None, (HELD_OUT,), parquet=parquet)
            kept = written.splits[HELD_OUT]
            commitment = Commitment(kept.positions, kept.sha256, sha256(f"{FORMAT} {secret}".encode()).hexdigest())
        return _write(folders[0], entries, public, per_cell, seed, PUBLIC, commitment, parquet=parquet)
    except OSError as error:
        raise RefusedError(f"Cannot write to '{folder}': {error.strerror}.") from error


def _draw(
    entries: Sequence[GameEntry], per_cell: int, seed: str, splits: Collection[Split], report: Any, done: int
) -> list[DatasetPosition]:
    positions: list[DatasetPosition] = []
    for number, entry in enumerate(entries, done + 1):
        positions += draw_positions(entry, per_cell, seed, splits)
        report(number)
    return positions


def _write(
    folder: Path,
    entries: Sequence[GameEntry],
    positions: Sequence[DatasetPosition],
    per_cell: int,
    seed: int | None,
    splits: Sequence[Split],
    commitment: Commitment | None = None,
    *,
    parquet: bool,
) -> Description:
    """Write the splits, the card and, last, the description, which says that the dataset is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, SplitDocument] = {}
    for split in splits:
        inside = [one for one in positions if one.split == split]
        raw = b"".join(msgspec.json.encode(one) + b"\n" for one in inside)
        write_atomic(folder / f"{split}.jsonl", raw)
        if parquet:
            write_atomic(folder / f"{split}.parquet", parquet_bytes(inside))
        found[split] = SplitDocument(len(inside), sha256(raw).hexdigest())
    description = Description(
        games=[game_document(entry) for entry in entries],
        per_cell=per_cell,
        seed=seed,
        splits=found,
        held_out=commitment,
    )
    document = msgspec.to_builtins(description)
    write_atomic(folder / CARD, dataset_card(document, positions, "parquet" if parquet else "jsonl").encode())
    write_atomic(folder / DESCRIPTION, (json.dumps(document, indent=2) + "\n").encode())
    return description


def parquet_bytes(positions: Sequence[DatasetPosition]) -> bytes:
    """Return the positions as Parquet, with the columns of the JSONL file. Options are a JSON text."""
    import pyarrow
    from pyarrow import parquet

    text, number = pyarrow.string(), pyarrow.int64()
    legal = [("move", text), ("value", text), ("remoteness", number), ("regret", number)]
    types = {
        "moves": pyarrow.list_(text),
        "good": pyarrow.list_(text),
        "ply": number,
        "remoteness": number,
        "chance_accuracy": pyarrow.float64(),
        "chance_regret": pyarrow.float64(),
        "legal": pyarrow.list_(pyarrow.struct(legal)),
        "prompt": pyarrow.list_(pyarrow.struct([("role", text), ("content", text)])),
    }
    names = [field.encode_name for field in msgspec.structs.fields(DatasetPosition)]
    schema = pyarrow.schema([(name, types.get(name, text)) for name in names])
    rows = [{**row, "options": json.dumps(row["options"])} for row in map(msgspec.to_builtins, positions)]
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), sink)
    return bytes(sink.getvalue())


def load_positions(path: Path | str, split: str | None = None) -> list[DatasetPosition]:
    """Return the positions of a split of a dataset, or those in a JSONL file. Raise RefusedError for anything else.

    The split of a dataset is `test` by default, or its only one.
    """
    path = Path(path)
    try:
        if not path.is_dir():
            return _read(path, path.read_bytes())
        description = _describe(path / DESCRIPTION)
        splits = list(description.splits)
        split = split or (splits[0] if len(splits) == 1 else "test")
        if split not in splits:
            raise RefusedError(f"'{path}' has no split '{shorten(split)}'. It has: {', '.join(splits)}.")
        raw = (path / f"{split}.jsonl").read_bytes()
    except OSError as error:
        raise RefusedError(f"Cannot read '{error.filename or path}': {error.strerror}.") from error
    if sha256(raw).hexdigest() != description.splits[split].sha256:
        raise RefusedError(f"'{path / f'{split}.jsonl'}' was changed: its hash differs from that in {DESCRIPTION}.")
    return _read(path / f"{split}.jsonl", raw)


def _describe(file: Path) -> Description:
    try:
        given = documents.parse(file.read_bytes())
        head = given if isinstance(given, dict) else {}
        if (head.get("format"), head.get("version")) != (FORMAT, VERSION):
            raise RefusedError(f"This version of Duelbook reads only '{FORMAT}' version {VERSION}.")
        return documents.convert(given, Description)
    except RefusedError as error:
        raise RefusedError(f"{file}: {error}") from error


def _read(file: Path, raw: bytes) -> list[DatasetPosition]:
    positions: list[DatasetPosition] = []
    for number, line in enumerate(raw.splitlines(), 1):
        try:
            positions.append(documents.read(line, DatasetPosition))
        except RefusedError as error:
            raise RefusedError(f"{file}, line {number} is not a position: {error}") from error
    if not positions:
        raise RefusedError(f"'{file}' has no positions.")
    if len({one.id for one in positions}) < len(positions):
        raise RefusedError(f"'{file}' has a position twice.")
    return positions


def _check_empty(folder: Path) -> None:
    try:
        present = sorted(file.name for file in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise RefusedError(f"Cannot use the folder '{folder}': {error.strerror}.") from error
    if present:
        raise RefusedError(f"'{folder}' holds other files ({shorten(present[0])}). Give a new or an empty folder.")


def _is_inside(file: Path, folder: Path) -> bool:
    return file.resolve().is_relative_to(folder.resolve())


def _read_secret(file: Path) -> str:
    """Return the secret seed in the file. Without a file, make one that nobody else can read."""
    try:
        if not file.exists():
            write_private(file, f"{secrets.token_hex(32)}\n".encode())
        with file.open("rb") as opened:
            secret = opened.read(MAX_SECRET_BYTES).decode(errors="replace").strip()
    except OSError as error:
        raise RefusedError(f"Cannot use the file '{file}' for the secret seed: {error.strerror}.") from error
    if len(secret) < MIN_SECRET_CHARACTERS:
        raise RefusedError(
            f"The secret seed in '{file}' has {len(secret)} characters, so it could be guessed from its hash. "
            f"Use at least {MIN_SECRET_CHARACTERS}, or name a file that does not exist, and one is made."
        )
    return secret
