"""Fixtures: a browser, a server, and visitors."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Visitor, opened
from tests.support.service.harness import RunningServer

Visit = Callable[..., Visitor]


@pytest.fixture(scope="package")  # while it is open, nothing else can run an event loop in this thread
def browser() -> Iterator[Browser]:
    """Answer a real browser."""
    with opened() as browser:
        yield browser


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Answer a server that all tests of the page share; who kills it starts it again."""
    folder = tmp_path_factory.mktemp("page")
    serving = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}).start()
    yield serving
    serving.kill()


@pytest.fixture
def visit(browser: Browser, served: RunningServer) -> Iterator[Visit]:
    """Answer a way to let visitors come; at the end all leave, and nothing may have gone wrong with any."""
    visitors: list[Visitor] = []

    def come(url: str = "", **context: Any) -> Visitor:
        visitors.append(Visitor(browser, url or served.url, **context))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.leave()
