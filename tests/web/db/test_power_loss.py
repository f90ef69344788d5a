"""Power loss: whatever of the unsynced writes is lost or torn, every acknowledged move is kept."""

import random
import shutil
from pathlib import Path

import pytest

from tests.support.service.disk import Entry, Folder
from tests.support.service.power_loss import check_moments, count_checkpoints, record

SEED = 20261116


@pytest.fixture
def compiler() -> str:
    found = shutil.which("cc")
    if found is None:
        pytest.skip("there is no C compiler")
    return found


def test_a_power_loss_at_any_moment_loses_no_acknowledged_move(tmp_path: Path, compiler: str) -> None:
    log = record(tmp_path, compiler, SEED, count=150)
    assert count_checkpoints(log) > 5
    check_moments(log, tmp_path / "left", SEED, points=400, thorough=20)


@pytest.mark.parametrize(
    ("synchronous", "said"), [("NORMAL", "acknowledged moves are lost"), ("OFF", "are lost|is damaged")]
)
def test_the_check_of_power_losses_finds_a_store_that_does_not_wait_for_the_disk(
    tmp_path: Path, compiler: str, synchronous: str, said: str
) -> None:
    log = record(tmp_path, compiler, SEED, count=50, synchronous=synchronous)
    with pytest.raises(AssertionError, match=said):
        check_moments(log, tmp_path / "left", SEED, points=400, thorough=20)


def left(*entries: Entry) -> set[str]:
    """Return what power losses after these records leave of the file `a`, and "none" if it may be missing."""
    folder = Folder()
    for entry in entries:
        folder.replay(entry)
    found = (folder.after_power_loss(random.Random(seed)) for seed in range(300))
    return {files["a"].decode("latin-1") if "a" in files else "none" for files in found}


CREATED = [Entry("c", "a", 0, b""), Entry("s", "", 0, b""), Entry("e", "", 0, b"")]
SYNCED = [Entry("s", "a", 0, b""), Entry("e", "a", 0, b"")]


def test_a_synced_write_stays_and_an_unsynced_one_may_be_lost_or_torn() -> None:
    before, after = Entry("w", "a", 0, b"one"), Entry("w", "a", 1, b"XY")
    assert left(*CREATED, before, *SYNCED) == {"one"}
    assert {"one", "oXY", "oXe"} <= left(*CREATED, before, *SYNCED, after)
    assert left(*CREATED, before, *SYNCED, after, *SYNCED) == {"oXY"}


def test_a_write_during_a_sync_is_not_yet_safe() -> None:
    start, end = SYNCED
    assert "" in left(*CREATED, start, Entry("w", "a", 0, b"late"), end)


def test_a_new_or_removed_file_is_so_for_sure_once_its_folder_is_synced() -> None:
    created, *synced = CREATED
    removed = Entry("u", "a", 0, b"")
    assert left(created, *SYNCED) == {"", "none"}
    assert left(*CREATED, removed) == {"", "none"}
    assert left(*CREATED, removed, *synced) == {"none"}
