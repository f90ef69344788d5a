"""A results log: the manifest of a plan in a folder, and a file with the result of every finished task.

A result is one line with a checksum. The lines are in the order in which tasks end, and each is written completely
or not at all. So a run that is interrupted at any moment can be resumed, and damage is detected.
"""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar
from zlib import crc32

import msgspec

from duelbook import documents
from duelbook.agents import StoppedError
from duelbook.arena.manifest import load_manifest, manifest_json, write_manifest
from duelbook.arena.plan import Plan
from duelbook.errors import RefusedError
from duelbook.files import append_atomic, write_atomic
from duelbook.text import shorten, with_article

LOG = "results.log"

P = TypeVar("P", bound=Plan)


class TaskResult(Protocol):
    """The result of the task with this number: a Struct."""

    @property
    def number(self) -> int: ...


R = TypeVar("R", bound=TaskResult)


def with_checksum(body: bytes) -> str:
    """Return a JSON object as a line of the log: a checksum, a space, and the object."""
    return f"{crc32(body):08x} {body.decode()}\n"


def checked_body(line: bytes) -> bytes:
    """Return the line without its checksum, or raise RefusedError if that is wrong."""
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    if checksum != f"{crc32(body):08x}".encode():
        raise RefusedError("The line is damaged: its checksum is wrong.")
    return body


def resolve_plan(folder: Path, requested: P | None, kind: type[P], *, resume: bool) -> P:
    """Return the plan to play in the folder: the requested one, or the one that the folder holds.

    Raise RefusedError if the folder holds anything else, or if it holds a plan and `resume` is not set.
    """
    try:
        present = {file.name for file in folder.iterdir() if not _is_leftover(file)} if folder.exists() else set()
    except OSError as error:
        raise RefusedError(f"Cannot use the folder '{folder}': {error.strerror}.") from error
    if kind.manifest_name in present:
        return _held_plan(folder, requested, kind, resume=resume)
    if present:
        raise RefusedError(f"'{folder}' holds other files ({shorten(min(present))}). Give a new or an empty folder.")
    if requested is None:
        raise RefusedError(f"'{folder}' holds no {kind.kind} to resume.")
    return requested


def _is_leftover(file: Path) -> bool:
    """Return True for what a crash may leave before the manifest is written."""
    return file.name.startswith(".") or (file.name == LOG and file.stat().st_size == 0)


def _held_plan(folder: Path, requested: P | None, kind: type[P], *, resume: bool) -> P:
    if not resume:
        raise RefusedError(
            f"'{folder}' already holds {with_article(kind.kind)}. Add --resume (in Python: resume=True), or give "
            "another folder."
        )
    held = load_manifest(folder / kind.manifest_name, kind)
    if requested is not None and requested != held:
        theirs, ours = ({**manifest_json(plan), "exact": None} for plan in (held, requested))  # found out, not planned
        found = _differences("", theirs, ours)
        name, before, now = min(found, key=lambda one: len(one[1]) + len(one[2]))  # the plainest of them
        if shorten(before) == shorten(now) and before.startswith("["):  # lists of many games begin alike
            name, before, now = f"the number of {name}", *(str(len(json.loads(one))) for one in (before, now))
        raise RefusedError(
            f"'{folder}' holds another {kind.kind}: {name} is {shorten(before)} there, not {shorten(now)}."
        )
    return held


def _differences(name: str, theirs: Any, ours: Any) -> Iterator[tuple[str, str, str]]:
    """Yield every part of two JSON values that differs: its name, and both values as text."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in {**theirs, **ours}:
            yield from _differences(f"{name}.{key}" if name else key, theirs.get(key), ours.get(key))
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for number, parts in enumerate(zip(theirs, ours, strict=True)):
            yield from _differences(f"{name}[{number}]", *parts)
    elif theirs != ours:
        yield name, json.dumps(theirs), json.dumps(ours)


class ResultsLog(ABC, Generic[P, R]):
    """The results of a plan in a folder. One process at a time may use it."""

    result_type: ClassVar[type[Any]]  # R

    def __init__(self, path: Path, plan: P, *, sync: bool = False) -> None:
        """Read the results in the folder, if there are any. `sync` makes every result survive a power failure."""
        self.path, self.plan = path, plan
        self._sync = sync
        self._log = path / LOG
        self._file: FileIO | None = None
        self._offsets: dict[int, int] = {}  # where in the log the line of each task begins
        self._complete = 0  # bytes of complete lines that were there before
        if self._log.exists():
            self._open()

    @abstractmethod
    def fits(self, result: R) -> bool:
        """Return True if the result belongs to the task of the plan that has its number. Raise if it is invalid."""

    def begin(self) -> None:
        """Make the folder ready for more results. Nothing is written before this."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if self._file is None:
                self._open()
            if not (self.path / self.plan.manifest_name).exists():
                write_atomic(self.path / self.plan.manifest_name, write_manifest(self.plan).encode())
            os.truncate(self._log, self._complete)
        except OSError as error:
            raise RefusedError(f"Cannot write to '{self.path}': {error.strerror}.") from error

    def _open(self) -> None:
        try:
            self._file = self._log.open("ab", buffering=0)
        except OSError as error:
            raise RefusedError(f"Cannot write to '{self._log}': {error.strerror}.") from error
        _lock(self._file, self.path)
        self._complete = self._scan()

    def close(self) -> None:
        """Release the folder for other processes."""
        if self._file:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._offsets)

    def __contains__(self, number: int) -> bool:
        return number in self._offsets

    def missing(self) -> list[int]:
        """Return the numbers of the tasks that have no result yet."""
        return [number for number in range(self.plan.total) if number not in self._offsets]

    def append(self, number: int, line: str) -> None:
        """Append a result. Once this returns, the result survives the end of this process."""
        assert self._file
        try:
            begin = append_atomic(self._file, line.encode())
            if self._sync:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise StoppedError(f"Cannot write to '{self._log}': {error.strerror}.") from error
        self._offsets[number] = begin

    def __iter__(self) -> Iterator[R]:
        """Yield the results in the order of the plan."""
        if not self._offsets:
            return
        decoder = msgspec.json.Decoder(self.result_type)  # fast: these lines were read strictly, or written here
        with self._log.open("rb") as file:
            for number in sorted(self._offsets):
                file.seek(self._offsets[number])
                yield decoder.decode(checked_body(file.readline()))

    def _scan(self) -> int:
        """Index the lines and return where the last complete one ends. Raise RefusedError for a damaged line."""
        end = 0
        with self._log.open("rb") as file:
            for count, line in enumerate(file, 1):
                if not line.endswith(b"\n"):  # its writer was interrupted
                    break
                try:
                    self._index(line, end)
                except RefusedError as error:
                    raise RefusedError(f"{self._log}, line {count}: {error} Nothing was changed.") from error
                end += len(line)
        return end

    def _index(self, line: bytes, offset: int) -> None:
        result: R = documents.read(checked_body(line), self.result_type)
        number = result.number
        if not 0 <= number < self.plan.total or not self.fits(result):
            raise RefusedError(f"The {self.plan.task} is not part of this {self.plan.kind}.")
        if number in self._offsets:
            raise RefusedError(f"{self.plan.task.capitalize()} {number} appears twice.")
        self._offsets[number] = offset


def _lock(file: FileIO, folder: Path) -> None:
    """Lock the file, or raise RefusedError if another process holds it. The lock ends with this process."""
    with suppress(ImportError):  # on systems without such locks
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RefusedError(f"Another process is using the folder '{folder}'.") from None
