"""Fixtures: a browser, a server, and visitors."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.browser import EMULATED, Visitor, open_browser
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
    server = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}).start()
    yield server
    server.kill()


@pytest.fixture(scope="package")
def used_visitors() -> list[Visitor]:
    """The visitors of earlier tests, whose browser profiles can be used again."""
    return []


@pytest.fixture
def visit(browser: Browser, served: RunningServer, used_visitors: list[Visitor]) -> Iterator[Visit]:
    """A function that adds a visitor, with a new profile if `private`. No visitor may have an unexpected fault."""
    visitors: list[Visitor] = []

    def add(url: str = "", private: bool = False, **context: Any) -> Visitor:
        if used_visitors and not url and not private and not context.keys() - EMULATED - {"prefs"}:
            visitor = used_visitors.pop()
            visitor.reset(**context)
        else:
            visitor = Visitor(browser, url or served.url, **context)
        visitor.reusable = visitor.reusable and not url and not private
        visitors.append(visitor)
        return visitor

    yield add
    faults = [visitor.leave() for visitor in visitors]
    used_visitors += [visitor for visitor in visitors if visitor.reusable]
    assert not any(faults), faults
