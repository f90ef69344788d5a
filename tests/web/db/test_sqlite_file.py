"""An SQLite file that is removed or replaced under the service: nothing is written into a file that is gone."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook.web.db import schema
from duelbook.web.db.errors import StoreUnavailableError
from duelbook.web.db.store import Store
from tests.support.service.stores import moved, new, with_stores
from tests.web.conftest import Start


def replace_file(file: Path) -> None:
    shutil.copy(file, file.with_name("copy"))
    file.with_name("copy").rename(file)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "file removed": Path.unlink,
    "file replaced": replace_file,
    "log removed": lambda file: Path(f"{file}-wal").unlink(),
    "index of the log removed": lambda file: Path(f"{file}-shm").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_store_whose_file_is_removed_or_replaced_acknowledges_nothing_more(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    file = tmp_path / "matches.sqlite"
    schema.upgrade(f"sqlite:///{file}")

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


def test_a_file_that_is_put_back_is_used_again(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    schema.upgrade(f"sqlite:///{file}")

    async def work(store: Store) -> None:
        await store.apply(new(1))
        file.rename(tmp_path / "elsewhere")
        with pytest.raises(StoreUnavailableError):
            await store.apply(moved(new(1)))
        assert not file.exists()
        (tmp_path / "elsewhere").rename(file)
        await store.apply(moved(new(1)))

    with_stores(f"sqlite:///{file}", 1, work)


def test_a_service_whose_file_is_removed_says_why_within_a_second_and_refuses_moves(
    start: Start, tmp_path: Path
) -> None:
    server = start()
    first, _ = server.new_pair()
    (tmp_path / "matches.sqlite").unlink()
    time.sleep(1)
    for answer in (server.http.get("/readyz"), first.play(0, "9")):
        assert answer.status_code == 503
        assert "The database file was removed or replaced" in answer.json()["detail"]
    assert not (tmp_path / "matches.sqlite").exists()
    assert server.stop() == 0
