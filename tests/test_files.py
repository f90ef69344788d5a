"""Files that are written atomically."""

from pathlib import Path

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
        append_atomic(file, b"one\n")
        append_atomic(file, b"two\n")
    assert (tmp_path / "log").read_bytes() == b"one\ntwo\n"


def test_a_text_that_cannot_be_a_path_is_refused() -> None:
    assert full_path("~") == Path.home().resolve()
    for text in ("a\0b", "~nobody-here/x"):
        with pytest.raises(RefusedError, match=r"cannot be a file: .*\.$"):
            full_path(text)
