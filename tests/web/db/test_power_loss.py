"""Power loss: whatever of the unsynced writes is lost or torn, every acknowledged move is kept."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.service.disk import Folder, read_log
from tests.support.service.power_loss import (
    STORE,
    check_moments,
    count_checkpoints,
    find_fault,
    record,
    recording,
    write_files,
)
from tests.support.service.stock import Stock, contents

SEED = 20261116


@pytest.fixture
def compiler() -> str:
    found = shutil.which("cc")
    if found is None:
        pytest.skip("there is no C compiler")
    return found


@pytest.mark.parametrize(("moves", "points"), [(100, 150), pytest.param(300, 1000, marks=pytest.mark.long)])
def test_a_power_loss_at_any_moment_loses_no_acknowledged_move(
    tmp_path: Path, compiler: str, moves: int, points: int
) -> None:
    log = record(tmp_path, compiler, SEED, moves)
    assert count_checkpoints(log) > 5
    check_moments(log, tmp_path / "left", SEED, points, thorough=20)


def test_a_backup_is_complete_or_absent_after_a_power_loss_and_there_once_the_command_has_ended(
    tmp_path: Path, compiler: str, stock: Stock
) -> None:
    backups, log = tmp_path / "backups", tmp_path / "log"
    backups.mkdir()
    command = [sys.executable, "-m", "duelbook", "db", "backup", str(backups / STORE), "--database-url", stock.url]
    subprocess.run(command, env=os.environ | recording(backups, compiler, log), capture_output=True, check=True)
    disk, rng, found = Folder(), random.Random(SEED), 0
    moves = {(match, ply): move for match, ply, move, *_ in contents(stock.url)["moves"]}
    for entry in read_log(log):
        disk.replay(entry)
        files = disk.after_power_loss(rng)
        if STORE in files:
            found += 1
            write_files(tmp_path / "left", files)
            assert find_fault(tmp_path / "left" / STORE, moves, is_thorough=True) is None
    assert found
    assert all(STORE in disk.after_power_loss(rng) for _ in range(20))
