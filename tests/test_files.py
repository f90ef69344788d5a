"""Files that are written atomically."""

from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from duelbook import RefusedError
from duelbook.files import append_atomic, full_path, write_atomic, write_parts


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_atomic(file, b"old")
    write_parts(file, [b"n", b"ew"])
    assert file.read_bytes() == b"new"
    assert [*tmp_path.iterdir()] == [file]


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_atomic(file, b"old")
    with pytest.raises(ZeroDivisionError):
        write_parts(file, (bytes([1 // number]) for number in (1, 0)))
    assert file.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [file]


def test_a_line_is_appended(tmp_path: Path) -> None:
    with (tmp_path / "log").open("ab", buffering=0) as file:
        assert append_atomic(file, b"one\n") == 0
        assert append_atomic(file, b"two\n") == 4
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


class Interrupted(FileIO):
    """A file whose writing ends with Ctrl-C, after this many bytes."""

    after = 0

    def write(self, data: Any) -> int:
        super().write(data[: self.after])
        raise KeyboardInterrupt


@pytest.mark.parametrize(("after", "left"), [(0, b"one\n"), (3, b"one\n"), (4, b"one\ntwo\n")])
def test_a_line_whose_writing_is_interrupted_is_whole_or_not_there(tmp_path: Path, after: int, left: bytes) -> None:
    (tmp_path / "log").write_bytes(b"one\n")
    with Interrupted(tmp_path / "log", "ab") as file:
        file.after = after
        with pytest.raises(KeyboardInterrupt):
            append_atomic(file, b"two\n")
    assert (tmp_path / "log").read_bytes() == left


def test_a_text_that_cannot_be_a_path_is_refused() -> None:
    assert full_path("~") == Path.home().resolve()
    for text in ("a\0b", "~nobody-here/x"):
        with pytest.raises(RefusedError, match=r"cannot be a file: .*\.$"):
            full_path(text)
