"""An SQLite file that is removed, replaced or overwritten under the service: nothing more is acknowledged."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from duelbook.web.db.admin.backup import backup
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.store import Store
from tests.support.service.asking import wait_until
from tests.support.service.stores import moved, new, with_stores
from tests.web.conftest import Start


def replace_file(file: Path) -> None:
    shutil.copy(file, file.with_name("copy"))
    file.with_name("copy").rename(file)


@pytest.fixture
def file(sqlite_url: str) -> Path:
    return Path(sqlite_url.removeprefix("sqlite:///"))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "file removed": Path.unlink,
    "file replaced": replace_file,
    "log removed": lambda file: Path(f"{file}-wal").unlink(),
    "index of the log removed": lambda file: Path(f"{file}-shm").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_store_whose_file_is_removed_or_replaced_acknowledges_nothing_more(
    file: Path, damage: Callable[[Path], None]
) -> None:
    async def work(store: Store) -> None:
        await store.apply(new(1))
        await store.check()
        damage(file)
        for _ in range(2):
            with pytest.raises(StoreUnavailableError) as error:
                await store.apply(moved(new(1)))
            assert "removed or replaced" in error.value.detail
            with pytest.raises(StoreUnavailableError, match="removed or replaced"):
                await store.check()

    with_stores(f"sqlite:///{file}", 1, work)


def test_a_file_that_is_put_back_is_used_again(file: Path) -> None:
    async def work(store: Store) -> None:
        await store.apply(new(1))
        elsewhere = file.rename(file.with_name("elsewhere"))
        with pytest.raises(StoreUnavailableError):
            await store.apply(moved(new(1)))
        assert not file.exists()
        elsewhere.rename(file)
        await store.apply(moved(new(1)))

    with_stores(f"sqlite:///{file}", 1, work)


def overwrite(file: Path, copy: Path) -> None:
    subprocess.run(["cp", copy, file], check=True)  # not here: to close the file would drop SQLite's locks on it


def run_in_another_program(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(sql).fetchall()


async def check_that_overwriting_is_noticed(store: Store, file: Path, copy: Path) -> None:
    await store.check()
    overwrite(file, copy)
    for _ in range(2):
        with pytest.raises(StoreUnavailableError) as error:
            await store.apply(moved(new(1)))
        assert "overwritten" in error.value.detail
        with pytest.raises(StoreUnavailableError, match="overwritten"):
            await store.check()
    subprocess.run(["cmp", copy, file], check=True)  # nothing was written into it


def test_a_store_whose_file_is_overwritten_with_its_backup_acknowledges_nothing_more(file: Path) -> None:
    async def work(store: Store) -> None:
        await store.apply(new(1))
        backup(f"sqlite:///{file}", file.with_name("copy"))
        await check_that_overwriting_is_noticed(store, file, file.with_name("copy"))

    with_stores(f"sqlite:///{file}", 1, work)


def test_a_store_whose_file_is_overwritten_with_an_older_state_of_the_file_acknowledges_nothing_more(
    file: Path,
) -> None:
    async def work(store: Store) -> None:
        await store.apply(new(1))
        for uptime in (1, 2):
            await store.record_uptime(uptime)
            run_in_another_program(file, "PRAGMA wal_checkpoint(TRUNCATE)")
            if uptime == 1:
                subprocess.run(["cp", file, file.with_name("copy")], check=True)
        await check_that_overwriting_is_noticed(store, file, file.with_name("copy"))

    with_stores(f"sqlite:///{file}", 1, work)


def test_other_programs_may_write_to_the_file_and_move_the_log_into_it(file: Path) -> None:
    async def work(store: Store, other: Store) -> None:
        change = new(1)
        await store.apply(change)
        for uptime, sql in enumerate(("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "ANALYZE"), start=1):
            await other.record_uptime(10 * uptime)
            await store.record_uptime(5 * uptime)
            run_in_another_program(file, sql)
            run_in_another_program(file, "PRAGMA wal_checkpoint(TRUNCATE)")
            change = moved(change, move=str(uptime))
            await store.apply(change)
            await store.check()
            await other.check()

    with_stores(f"sqlite:///{file}", 2, work)


@pytest.mark.parametrize("damage", ["was removed or replaced", "was overwritten"])
def test_a_service_whose_file_is_removed_or_overwritten_says_why_and_refuses_moves(
    start: Start, tmp_path: Path, damage: str
) -> None:
    server = start()
    first, _ = server.new_pair()
    file = tmp_path / "matches.sqlite"
    if damage == "was overwritten":
        backup(f"sqlite:///{file}", tmp_path / "copy")
        overwrite(file, tmp_path / "copy")
    else:
        file.unlink()
    wait_until(lambda: server.http.get("/readyz").status_code != 200)
    for answer in (server.http.get("/readyz"), first.play(0, "9")):
        assert answer.status_code == 503
        assert f"The database file {damage}" in answer.json()["detail"]
    assert file.exists() == (damage == "was overwritten")
    assert server.stop() == 0
