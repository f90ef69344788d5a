"""Questions for versions that come together are asked together, and none is answered with what was known before."""

import asyncio
from collections.abc import Collection

import pytest

from duelbook.web.db.store import VersionBatcher


class Asked:
    """A database whose versions grow with every question; the first question waits until it may go on."""

    def __init__(self) -> None:
        self.questions: list[set[str]] = []
        self.may_go_on = asyncio.Event()

    async def ask(self, ids: Collection[str]) -> dict[str, int]:
        self.questions.append(set(ids))
        version = len(self.questions)
        await self.may_go_on.wait()
        if "broken" in ids:
            raise OSError("no database")
        return dict.fromkeys(ids, version)


async def asking(names: list[str], later: list[str]) -> tuple[Asked, list[object]]:
    """Ask for some versions, and for others while the first question is being answered."""
    asked = Asked()
    glances = VersionBatcher(asked.ask)
    waiting = [asyncio.create_task(glances.version(name)) for name in names]
    await asyncio.sleep(0.01)
    waiting += [asyncio.create_task(glances.version(name)) for name in later]
    await asyncio.sleep(0.01)
    asked.may_go_on.set()
    return asked, list(await asyncio.gather(*waiting, return_exceptions=True))


def test_what_is_asked_at_once_is_one_question() -> None:
    asked, answers = asyncio.run(asking(["a", "b", "a"], []))
    assert asked.questions == [{"a", "b"}]
    assert answers == [1, 1, 1]


def test_what_is_asked_during_a_question_gets_a_newer_answer() -> None:
    asked, answers = asyncio.run(asking(["a"], ["a", "b"]))
    assert asked.questions == [{"a"}, {"a", "b"}]
    assert answers == [1, 2, 2]


@pytest.mark.parametrize("later", [["a"], ["broken"]])
def test_a_question_that_fails_fails_for_those_who_asked_it(later: list[str]) -> None:
    _, answers = asyncio.run(asking(["a", "broken"], later))
    assert [type(answer) for answer in answers] == [OSError, OSError, OSError if later == ["broken"] else int]
