"""Fixtures: a browser, a server, and visitors."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Visitor, open_browser
from tests.support.service.harness import RunningServer

Visit = Callable[..., Visitor]


@pytest.fixture(scope="package")  # while it is open, no other event loop can run in this thread
def browser() -> Iterator[Browser]:
    """A real browser."""
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The server that all tests of the page share. A test that kills it starts it again."""
    folder = tmp_path_factory.mktemp("page")
    serving = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}).start()
    yield serving
    serving.kill()


@pytest.fixture
def visit(browser: Browser, served: RunningServer) -> Iterator[Visit]:
    """A function that adds a visitor. At the end of the test all are closed, and none may have an unexpected fault."""
    visitors: list[Visitor] = []

    def add(url: str = "", **context: Any) -> Visitor:
        visitors.append(Visitor(browser, url or served.url, **context))
        return visitors[-1]

    yield add
    for visitor in visitors:
        visitor.close()
