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


@pytest.mark.parametrize(
    ("names", "later", "queries", "answers"),
    [
        ("a b a", "", ["a b"], [1, 1, 1]),  # what is wanted at the same time is one query
        ("a", "a b", ["a", "a b"], [1, 2, 2]),  # what is wanted during a query comes from a newer one
        ("a broken", "a", ["a broken", "a"], [OSError, OSError, 2]),  # a query that fails does so for its callers only
        ("a broken", "broken", ["a broken", "broken"], [OSError, OSError, OSError]),
    ],
)
def test_versions_are_read_together(names: str, later: str, queries: list[str], answers: list[object]) -> None:
    asked, found = asyncio.run(asking(names.split(), later.split()))
    assert asked.queries == [{*query.split()} for query in queries]
    assert [type(one) if isinstance(one, OSError) else one for one in found] == answers


def test_queries_that_wait_too_long_for_their_turn_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batcher, "QUERY_LIMIT", 1)
    monkeypatch.setattr(batcher, "WAIT_SECONDS", -1.0)
    asked, answers = asyncio.run(asking(["a", "b", "c"], []))
    assert asked.queries == []
    assert [type(answer) for answer in answers] == [StoreUnavailableError] * 3
