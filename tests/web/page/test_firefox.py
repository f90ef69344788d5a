"""The page in Firefox: every screen opens without a fault, and matches, lessons and puzzles can be played."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect

from duelbook import GAMES
from tests.support.browser import Visitor, launch_firefox
from tests.support.page_moves import MakeMove, click, match_of, play_out, start, tab, type_move, view
from tests.support.screens import PREFS, SCREENS
from tests.support.service.harness import RunningServer

WAYS: dict[str, MakeMove] = dict(zip(GAMES, (click, tab, type_move, click, tab), strict=True))


@pytest.fixture(scope="module")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """The other browser."""
    with launch_firefox(playwright) as browser:
        yield browser


@pytest.fixture
def visitor(firefox: Browser, served: RunningServer) -> Iterator[Visitor]:
    """Somebody with Firefox. The page may have no unexpected fault."""
    visitor = Visitor(firefox, served.url, prefs=PREFS, service_workers="allow")
    yield visitor
    visitor.reusable = False
    assert visitor.leave() == []


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_opens(visitor: Visitor, served: RunningServer, screen: str) -> None:
    page = SCREENS[screen](visitor, served)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end(visitor: Visitor, served: RunningServer, game: str) -> None:
    page = visitor.open("/")
    match = start(page, game)
    play_out(served, match, {"first": page}, WAYS[game])
    expect(page.locator(".headline")).to_be_visible()
    expect(page.locator(".lead.result")).to_have_text(view(served, match)["result"])
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: match not in url)
    assert match_of(page) != match
