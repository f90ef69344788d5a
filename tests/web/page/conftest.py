"""Fixtures: a browser, a server, and visitors."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from tests.support.browser import EMULATED, Visitor, launch_chromium, open_playwright
from tests.support.service.harness import RunningServer
from tests.support.service.seeded import SEEDED

Visit = Callable[..., Visitor]
collect_ignore = [] if os.environ.get("DUELBOOK_FIREFOX") else ["test_firefox.py"]  # it needs a machine of its own


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with open_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    with launch_chromium(playwright) as browser:
        yield browser


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The server that all tests of the page share. A test that kills it starts it again."""
    folder = tmp_path_factory.mktemp("page")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}", "claim_seconds": 1}
    server = RunningServer(folder, settings, SEEDED).start()
    yield server
    server.kill()


@pytest.fixture(scope="package")
def used_visitors() -> defaultdict[str, list[Visitor]]:
    """The visitors of earlier tests, whose browser profiles can be used again, by the address of their server."""
    return defaultdict(list)


@pytest.fixture
def visit(browser: Browser, served: RunningServer, used_visitors: defaultdict[str, list[Visitor]]) -> Iterator[Visit]:
    """A function that adds a visitor, with a new profile if `private`. No visitor may have an unexpected fault."""
    visitors: list[Visitor] = []

    def add(url: str = "", private: bool = False, **context: Any) -> Visitor:
        url = url or served.url
        if used_visitors[url] and not private and not context.keys() - EMULATED - {"prefs"}:
            visitor = used_visitors[url].pop()
            visitor.reset(**context)
        else:
            visitor = Visitor(browser, url, **context)
        visitor.reusable = visitor.reusable and not private
        visitors.append(visitor)
        return visitor

    yield add
    faults = [visitor.leave() for visitor in visitors]
    for visitor in visitors:
        if visitor.reusable:
            used_visitors[visitor.url].append(visitor)
    assert not any(faults), faults
