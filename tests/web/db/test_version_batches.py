"""Versions that are wanted at the same time are read in one query, and no caller gets an older version."""

import asyncio
from collections.abc import Collection

import pytest

from duelbook.web.db import batcher
from duelbook.web.db.batcher import Batcher
from duelbook.web.db.errors import StoreUnavailableError


class Asked:
    """A database whose versions grow with every query; queries wait for a signal."""

    def __init__(self) -> None:
        self.queries: list[set[str]] = []
        self.may_continue = asyncio.Event()

    async def ask(self, ids: Collection[str]) -> dict[str, int]:
        self.queries.append(set(ids))
        version = len(self.queries)
        await self.may_continue.wait()
        if "broken" in ids:
            raise OSError("no database")
        return dict.fromkeys(ids, version)


async def asking(names: list[str], later: list[str]) -> tuple[Asked, list[object]]:
    """Ask for some versions, and for others while the first query runs."""
    asked = Asked()
    batcher = Batcher(asked.ask)
    waiting = [asyncio.create_task(batcher.get(name)) for name in names]
    await asyncio.sleep(0.01)
    waiting += [asyncio.create_task(batcher.get(name)) for name in later]
    await asyncio.sleep(0.01)
    asked.may_continue.set()
    return asked, list(await asyncio.gather(*waiting, return_exceptions=True))


def test_versions_wanted_at_the_same_time_are_one_query() -> None:
    asked, answers = asyncio.run(asking(["a", "b", "a"], []))
    assert asked.queries == [{"a", "b"}]
    assert answers == [1, 1, 1]


def test_a_version_wanted_during_a_query_comes_from_a_newer_one() -> None:
    asked, answers = asyncio.run(asking(["a"], ["a", "b"]))
    assert asked.queries == [{"a"}, {"a", "b"}]
    assert answers == [1, 2, 2]


@pytest.mark.parametrize("later", [["a"], ["broken"]])
def test_a_query_that_fails_raises_for_its_callers_only(later: list[str]) -> None:
    _, answers = asyncio.run(asking(["a", "broken"], later))
    assert [type(answer) for answer in answers] == [OSError, OSError, OSError if later == ["broken"] else int]


def test_queries_that_wait_too_long_for_their_turn_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batcher, "QUERY_LIMIT", 1)
    monkeypatch.setattr(batcher, "WAIT_SECONDS", -1.0)
    asked, answers = asyncio.run(asking(["a", "b", "c"], []))
    assert asked.queries == []
    assert [type(answer) for answer in answers] == [StoreUnavailableError] * 3
