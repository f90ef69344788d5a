"""A folder on a disk, replayed from a log of writes and syncs: what a power loss could have left of its files.

What was synced is kept. Of the rest, each 512-byte sector may be kept, lost, or filled with other bytes. A new name, a
removal and a new name for a file are kept once the folder is synced; before that, an earlier state of the folder may
be left, as file systems log changes of a folder in order.
"""

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECTOR_BYTES = 512
HEADER = struct.Struct("IIQQ")  # as in recorder.c: kind, length of the name, offset, length of the data
ACKNOWLEDGED = "a"  # a record of the client: it has received an answer


@dataclass(frozen=True)
class Entry:
    """A record of the log. Its kind is that of recorder.c, or ACKNOWLEDGED."""

    kind: str
    name: str
    offset: int
    data: bytes


def read_log(log: Path) -> Iterator[Entry]:
    content, at = memoryview(log.read_bytes()), 0
    while at < len(content):
        kind, name_length, offset, length = HEADER.unpack_from(content, at)
        at += HEADER.size
        name = bytes(content[at : at + name_length]).decode()
        at += name_length
        yield Entry(chr(kind), name, offset, bytes(content[at : at + length]))
        at += length


def append(log: Path, data: bytes) -> None:
    """Record that a client has received an answer."""
    with log.open("ab", buffering=0) as file:
        file.write(HEADER.pack(ord(ACKNOWLEDGED), 0, 0, len(data)) + data)


@dataclass
class File:
    """The synced bytes of a file, and the writes and truncations since then."""

    synced: bytearray = field(default_factory=bytearray)
    unsynced: list[Entry] = field(default_factory=list)
    syncing: int = 0  # how many of them the running sync includes

    def finish_sync(self) -> None:
        for entry in self.unsynced[: self.syncing]:
            apply(self.synced, entry)
        del self.unsynced[: self.syncing]
        self.syncing = 0


def apply(content: bytearray, entry: Entry) -> None:
    """Carry out a write or a truncation; a gap is filled with zeros."""
    if entry.kind == "t":
        del content[entry.offset :]
        content.extend(bytes(entry.offset - len(content)))
    else:
        content.extend(bytes(max(0, entry.offset - len(content))))
        content[entry.offset : entry.offset + len(entry.data)] = entry.data


class Folder:
    """The files of a folder."""

    def __init__(self) -> None:
        self._files: dict[str, File] = {}
        self._states: list[dict[str, File]] = [{}]  # the synced one, and one after each change since then
        self._syncing = 0

    def replay(self, entry: Entry) -> None:
        if entry.name == "":
            if entry.kind == "s":
                self._syncing = len(self._states) - 1
            elif entry.kind == "e":
                del self._states[: self._syncing]
                self._syncing = 0
        elif entry.kind in "cur":
            if entry.kind == "c":
                self._files[entry.name] = File()
            else:
                file = self._files.pop(entry.name)
                if entry.kind == "r":
                    self._files[entry.data.decode()] = file
            self._states.append(dict(self._files))
        else:
            self._replay_content(self._files[entry.name], entry)

    def _replay_content(self, file: File, entry: Entry) -> None:
        if entry.kind == "s":
            file.syncing = len(file.unsynced)
        elif entry.kind == "e":
            file.finish_sync()
        else:
            file.unsynced.append(entry)

    def after_power_loss(self, rng: random.Random) -> dict[str, bytes]:
        """Return what a power loss at this moment could leave, by the name of the file."""
        lose = rng.choice(LOSSES)
        return {name: lose(file, rng) for name, file in rng.choice(self._states).items()}


# What is left of one file


def nothing_unsynced(file: File, rng: random.Random) -> bytes:
    return bytes(file.synced)


def everything(file: File, rng: random.Random) -> bytes:
    return first(file, len(file.unsynced))


def some_and_a_torn_one(file: File, rng: random.Random) -> bytes:
    """Return the file after some of the writes in their order, the last of them torn."""
    if not file.unsynced:
        return bytes(file.synced)
    count = rng.randrange(len(file.unsynced))
    torn = file.unsynced[count]
    content = bytearray(first(file, count))
    apply(content, Entry(torn.kind, torn.name, torn.offset, torn.data[: rng.randrange(len(torn.data) + 1)]))
    return bytes(content)


def sectors(file: File, rng: random.Random) -> bytes:
    """Return the file after any of the sectors that were written, in any order; others may hold other bytes."""
    content, kept, spoilt = bytearray(file.synced), rng.random(), rng.choice((0.0, 0.1))
    for entry in file.unsynced:
        if entry.kind == "t":
            if rng.random() < kept:
                apply(content, entry)
            continue
        for start in range(0, len(entry.data), SECTOR_BYTES):
            data = entry.data[start : start + SECTOR_BYTES]
            if rng.random() < kept:
                apply(content, Entry("w", entry.name, entry.offset + start, data))
            elif rng.random() < spoilt:
                apply(content, Entry("w", entry.name, entry.offset + start, rng.randbytes(len(data))))
    return bytes(content)


def first(file: File, count: int) -> bytes:
    content = bytearray(file.synced)
    for entry in file.unsynced[:count]:
        apply(content, entry)
    return bytes(content)


LOSSES: tuple[Callable[[File, random.Random], bytes], ...] = (
    nothing_unsynced,
    everything,
    some_and_a_torn_one,
    sectors,
)
