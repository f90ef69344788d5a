"""A game in which a player may move again, in the browser, with values and a review."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.page_moves import click_plain, play_out, start, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PITS = {"DUELBOOK_GAMES": "tests.support.games.pits:Pits"}


@pytest.fixture(scope="module")
def pits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a game that has extra turns and draws."""
    folder = tmp_path_factory.mktemp("pits")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    server = RunningServer(folder, settings, environment=PITS).start()
    yield server
    server.kill()


def test_whoever_moves_again_is_asked_again(visit: Visit, pits: RunningServer) -> None:
    page = visit(pits.url, prefs={"level": "perfect", "seat": "first", "values": True}).open("/")
    match = start(page, "pits")
    expect(page.locator('[data-move="pit 6"] .mark')).to_have_text("▲W3")  # pits 6, 3 and 7: the first player's moves
    click_plain(page, "pit 3")
    expect(page.locator(".plain-text")).to_contain_text("- 4 5 6 7")
    expect(page.locator("#status")).to_contain_text("It is your turn again.")
    assert view(pits, match)["mover"] == "first"
    play_out(pits, match, {"first": page}, click_plain)
    over = view(pits, match)
    expect(page.locator(".lead")).to_have_text(over["result"])
    expect(page.locator(".review")).to_be_visible()
