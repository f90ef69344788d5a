"""The folder of a tournament: which tournament it is of, and its results as they come."""

import os
from collections.abc import Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType

from duelbook.arena.manifest import load_manifest, manifest_json, write_manifest
from duelbook.arena.plan import Tournament
from duelbook.arena.result import Result, read_result
from duelbook.errors import RefusedError
from duelbook.files import append_atomic, write_atomic
from duelbook.text import shorten

MANIFEST, RESULTS = "manifest.json", "results.log"


def chosen(folder: Path, wanted: Tournament | None, resume: bool) -> Tournament:
    """Answer the tournament to play in the folder, the wanted one or the one it holds; refuse a foreign folder."""
    try:
        present = (
            {file.name for file in folder.iterdir() if not file.name.startswith(".")} if folder.exists() else set()
        )
    except OSError as error:
        raise RefusedError(f"'{shorten(str(folder))}' cannot be used: {error.strerror}") from error
    if MANIFEST not in present:
        return _fresh(folder, wanted, present)
    if not resume:
        raise RefusedError(f"'{folder}' holds a tournament already; go on with it by --resume, or give another folder")
    held = load_manifest(folder / MANIFEST)
    if wanted and wanted != held:
        raise RefusedError(f"'{folder}' holds another tournament: {_difference(held, wanted)}")
    return held


def _fresh(folder: Path, wanted: Tournament | None, present: set[str]) -> Tournament:
    if present:
        raise RefusedError(f"'{folder}' holds other files ({shorten(min(present))}); give a new or an empty folder")
    if wanted is None:
        raise RefusedError(f"'{folder}' holds no tournament to go on with; give --games and --agents, or --manifest")
    return wanted


def _difference(held: Tournament, wanted: Tournament) -> str:
    """Answer in words what the first difference is."""
    there, here = manifest_json(held), manifest_json(wanted)
    name = next(name for name in there if there[name] != here[name])
    return f"its {name.replace('_', ' ')} {'are' if name.endswith('s') else 'is'} not what was asked for"


class Results:
    """The results in a folder, a line each in the order in which games end; one process at a time adds to them."""

    def __init__(self, folder: Path, tournament: Tournament) -> None:
        self.folder, self.tournament = folder, tournament
        self._path = folder / RESULTS
        self._file: FileIO | None = None
        self._places: dict[int, int] = {}  # where in the file the line of each game is
        self._end = 0
        if self._path.exists():
            self._open()

    def begin(self) -> None:
        """Be ready for more results; only now anything is written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not (self.folder / MANIFEST).exists():
                write_atomic(self.folder / MANIFEST, write_manifest(self.tournament).encode())
        except OSError as error:
            raise RefusedError(f"'{shorten(str(self.folder))}' cannot be written to: {error.strerror}") from error
        if self._file is None:
            self._open()
        os.truncate(self._path, self._end)

    def _open(self) -> None:
        try:
            self._file = self._path.open("ab", buffering=0)
        except OSError as error:
            raise RefusedError(f"'{shorten(str(self._path))}' cannot be written to: {error.strerror}") from error
        lock(self._file, self.folder)
        self._end = self._scan()

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file:
            self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def missing(self) -> list[int]:
        """Answer the numbers of the games that are still to be played."""
        return [number for number in range(self.tournament.total) if number not in self._places]

    def append(self, number: int, line: str) -> None:
        """Keep a result; once this returns, an end of this process does not lose it."""
        assert self._file
        raw = line.encode()
        append_atomic(self._file, raw)
        self._places[number] = self._end
        self._end += len(raw)

    def __iter__(self) -> Iterator[Result]:
        """Answer the results in the order of the games."""
        with self._path.open("rb") as file:
            for number in sorted(self._places):
                file.seek(self._places[number])
                yield read_result(file.readline())

    def _scan(self) -> int:
        """Find the lines, and answer where the last whole one ends; refuse a file that is not of this tournament."""
        place = 0
        with self._path.open("rb") as file:
            for count, line in enumerate(file, 1):
                if not line.endswith(b"\n"):  # half-written when somebody pulled the plug
                    break
                try:
                    self._find(line, place)
                except RefusedError as error:
                    raise RefusedError(f"{self._path}, line {count}: {error}; nothing was changed") from error
                place += len(line)
        return place

    def _find(self, line: bytes, place: int) -> None:
        result = read_result(line)
        known = 0 <= result.number < self.tournament.total
        if not known or result.record.get("seed") != self.tournament.seed_of(result.number):
            raise RefusedError("not of a game of this tournament")
        if result.number in self._places:
            raise RefusedError(f"game {result.number} is there twice")
        self._places[result.number] = place


def lock(file: FileIO, folder: Path) -> None:
    """Refuse a folder at which another process is at work; the lock ends with this process."""
    with suppress(ImportError):  # where the system has no such locks
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RefusedError(f"another process is at work in '{folder}'") from None
