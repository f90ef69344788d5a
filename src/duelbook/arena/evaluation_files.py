"""The folder of an evaluation: its plan, its matches as they are finished, the exchanges with models, the report."""

import json
import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from duelbook import __version__
from duelbook.agents import ForfeitKind, StoppedError
from duelbook.arena.evaluation import Plan, Task
from duelbook.arena.folder import lock
from duelbook.arena.playing import Forfeited, Played
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.files import append_atomic, write_atomic
from duelbook.game import SEAT_NAMES, Reason
from duelbook.records.document import from_json, to_json
from duelbook.records.record import Record
from duelbook.text import shorten

FORMAT, VERSION = "duelbook-evaluation", 1


class Finished(NamedTuple):
    """A match that was played, as the folder holds it."""

    task: Task
    record: Record
    forfeit: Forfeited | None


class Folder:
    """Where an evaluation is kept; another one is never written over."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self._plan = plan
        self.exchanges = path / "exchanges.jsonl"
        self._matches = path / "matches.jsonl"
        self._manifest = path / "evaluation.json"
        self._file: FileIO | None = None

    def check(self, *, resume: bool) -> None:
        """Refuse a folder that holds something else, before anything is written."""
        if self._manifest.is_file():
            self._check_same(resume)
        elif self.path.exists() and (not self.path.is_dir() or any(map(self._is_foreign, self.path.iterdir()))):
            raise RefusedError(f"'{self.path}' is there already and holds no evaluation; give another --out")
        elif resume:
            raise RefusedError(f"'{self.path}' holds no evaluation to go on with")

    def _is_foreign(self, file: Path) -> bool:
        """Tell whether a file without a plan beside it may be somebody's; an empty one of ours is what a crash left."""
        return file != self._matches or file.stat().st_size > 0

    def _check_same(self, resume: bool) -> None:
        if not resume:
            raise RefusedError(f"'{self.path}' holds an evaluation already; go on with it by --resume, or give --out")
        wanted = self._head()
        found = _parsed(self._manifest.read_bytes(), str(self._manifest))
        if not isinstance(found, dict):
            raise RefusedError(f"{self._manifest}: not an evaluation")
        for name, value in wanted.items():
            if found.get(name) != value:
                raise RefusedError(
                    f"'{self.path}' holds another evaluation: its {name} is {shorten(str(found.get(name)))}, not "
                    f"{shorten(str(value))}"
                )

    def _head(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": VERSION, "duelbook": __version__, **self._plan.to_json()}

    def open(self) -> None:
        """Make the folder, if it is a new one, keep others out, and cut off what a crash left half-written."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._file = self._matches.open("ab", buffering=0)
            lock(self._file, self.path)
            if not self._manifest.exists():
                write_atomic(self._manifest, _document(self._head()))
            for file in (self._matches, self.exchanges):
                _cut(file)
        except OSError as error:
            raise RefusedError(f"cannot write to '{shorten(str(self.path))}': {error.strerror}") from error

    def close(self) -> None:
        """Let others in."""
        if self._file:
            self._file.close()

    def add(self, task: Task, played: Played) -> None:
        """Append a match that is over, so that it is not lost whatever happens next."""
        forfeit = played.forfeit
        line = {
            "match": task.key,
            "forfeit": {"by": SEAT_NAMES[forfeit.by], "kind": str(forfeit.kind), "detail": forfeit.detail}
            if forfeit
            else None,
            "record": to_json(played.record),
        }
        assert self._file
        try:
            append_atomic(self._file, json.dumps(line).encode() + b"\n")
            os.fsync(self._file.fileno())
        except OSError as error:
            raise StoppedError(f"'{shorten(str(self._matches))}' cannot be written to: {error.strerror}") from error

    def finished(self) -> Iterator[Finished]:
        """Answer the matches that are over, each checked; a last line that was cut off is left out."""
        tasks = {task.key: task for task in self._plan.tasks()}  # each of which is there once
        for number, line in enumerate(_whole_lines(self._matches), 1):
            place = f"{self._matches}: line {number}"
            try:
                yield _finished(tasks, parse(line))
            except (LookupError, TypeError, ValueError) as error:
                said = str(error).removeprefix("line 1: ")
                why = f": {said}" if isinstance(error, RefusedError) else " is no match of this evaluation"
                raise RefusedError(f"{place}{why}") from error

    def write_report(self, report: dict[str, Any], page: str) -> None:
        write_atomic(self.path / "report.json", _document(report))
        write_atomic(self.path / "report.txt", page.encode())


def _finished(tasks: dict[str, Task], line: Any) -> Finished:
    task, record, told = tasks.pop(line["match"]), from_json(line["record"]), line["forfeit"]
    if (told is None) == (record.reason is Reason.FORFEIT):
        raise RefusedError("the forfeit does not follow from the record")
    forfeit = told and Forfeited(SEAT_NAMES.index(told["by"]), ForfeitKind(told["kind"]), str(told["detail"]))
    return Finished(task, record, forfeit)


def _parsed(raw: bytes, place: str) -> Any:
    try:
        return parse(raw)
    except RefusedError as error:
        raise RefusedError(f"{place}: {error}") from error


def _document(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _whole_lines(file: Path) -> list[bytes]:
    return file.read_bytes().split(b"\n")[:-1] if file.exists() else []


def _cut(file: Path) -> None:
    """Remove a last line without its end, which the next one would be appended to."""
    if file.exists():
        raw = file.read_bytes()
        if not raw.endswith(b"\n"):
            os.truncate(file, raw.rfind(b"\n") + 1)
