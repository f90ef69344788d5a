"""The page in Firefox: every screen opens without a fault, and a match of every game can be played."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Playwright, expect

from duelbook import GAMES
from tests.support.browser import Visitor
from tests.support.firefox import write_program
from tests.support.page_moves import MakeMove, click, play_out, start, type_move, view
from tests.support.screens import PREFS, SCREENS
from tests.support.service.harness import RunningServer


def press(page: Page, move: str) -> None:
    page.keyboard.press(move)


WAYS: dict[str, MakeMove] = dict(zip(GAMES, (press, click, type_move, click, click), strict=True))
MOVES = 8  # of a match; then the player resigns


@pytest.fixture(scope="module")
def profile(
    playwright: Playwright, served: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visitor]:
    program = write_program(tmp_path_factory.mktemp("firefox"))
    with playwright.firefox.launch(executable_path=program, channel="moz-firefox") as browser:
        yield Visitor(browser, served.url, prefs=PREFS)


@pytest.fixture
def visitor(profile: Visitor) -> Iterator[Visitor]:
    """Somebody who comes with Firefox for the first time. The page may have no unexpected fault."""
    yield profile
    assert profile.leave() == []
    profile.reset(prefs=PREFS)


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_opens(visitor: Visitor, served: RunningServer, screen: str) -> None:
    page = SCREENS[screen](visitor, served)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end(visitor: Visitor, served: RunningServer, game: str) -> None:
    page = visitor.open("/")
    match = start(page, game)
    play_out(served, match, {"first": page}, WAYS[game], moves=MOVES)
    if view(served, match)["status"] == "playing":
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".headline")).to_be_visible()
    expect(page.locator(".lead.result")).to_have_text(view(served, match)["result"])
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/match/" in url and match not in url)
