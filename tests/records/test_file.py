"""Records in files: written atomically, checked when read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import Record, load_record, save_record
from duelbook.files import full_path
from duelbook.records import Person, RecordError
from tests.support.playing import match_after


def record(name: str = "charge", *moves: str) -> Record:
    match = match_after(name, *moves or ("charge 3", "block"))
    return match.record((Person("Red"), Person("Blue", "greedy")), 1, seed=7, time_limit=30)


RAW = [
    (b"", "Line 1 is not JSON"),
    (b'{"format": "duelbook-record",\n', "Line 2 is not JSON"),
    (b"null", "This is not a Duelbook record"),
    (b"[]", "This is not a Duelbook record"),
]


@pytest.mark.parametrize(("raw", "message"), RAW)
def test_a_file_that_is_not_a_record_is_refused_in_one_line(tmp_path: Path, raw: bytes, message: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(raw)
    with pytest.raises(RecordError) as refused:
        load_record(file)
    assert str(refused.value).startswith(f"{file}: {message}")
    assert "\n" not in str(refused.value)


def test_files_that_cannot_be_read_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file or directory"):
        load_record(tmp_path / "nowhere")
    with pytest.raises(RecordError, match="Is a directory"):
        load_record(tmp_path)
    with pytest.raises(RecordError, match="The file is larger than 4000000 bytes"):
        load_record(Path("/dev/zero"))


def test_a_save_that_fails_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"Cannot save to .*: No such file or directory"):
        save_record(record(), tmp_path / "nowhere" / "game.json")


def test_a_crash_while_saving_never_destroys_the_older_file(tmp_path: Path) -> None:
    """A process that dies at any step of a save leaves the old record complete."""
    file = tmp_path / "game.json"
    save_record(record(), file)
    older = file.read_bytes()
    script = """
import os, sys
from pathlib import Path
from duelbook.records import file as recordfile
target, step = Path(sys.argv[1]), sys.argv[2]
setattr(os, step, lambda *args: os._exit(9))
record = recordfile.load_record(target)
recordfile.save_record(record, target)
"""
    for step in ("fsync", "replace"):
        done = subprocess.run([sys.executable, "-c", script, str(file), step], check=False)
        assert done.returncode == 9
        assert file.read_bytes() == older
        assert load_record(file)


def test_a_save_respects_the_umask_and_keeps_a_link_a_link(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save_record(record(), tmp_path / "game.json")
    finally:
        os.umask(before)
    assert (tmp_path / "game.json").stat().st_mode & 0o777 == 0o640
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    save_record(record("flag-chase", "2"), full_path(str(tmp_path / "link.json")))
    assert (tmp_path / "link.json").is_symlink()
    assert load_record(tmp_path / "game.json").moves == ("2",)


def test_a_save_leaves_no_other_file_behind(tmp_path: Path) -> None:
    save_record(record(), tmp_path / "game.json")
    assert os.listdir(tmp_path) == ["game.json"]
