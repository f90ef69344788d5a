"""The plain board: for a game without a board of its own, and for every game if the player prefers it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from duelbook import GAMES
from tests.support.game_folders import short_variants
from tests.support.page_moves import click_plain, play_out, start, view
from tests.support.service.harness import RunningServer
from tests.support.toy import STAIRCASE
from tests.web.page.conftest import Visit


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with one more game, for which the page has no board."""
    folder = tmp_path_factory.mktemp("toy")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    server = RunningServer(folder, settings, environment=STAIRCASE).start()
    yield server
    server.kill()


def test_a_new_game_has_a_card_a_board_values_and_a_review(visit: Visit, toy: RunningServer) -> None:
    page = visit(toy.url, prefs={"level": "random", "values": True}).open("/")
    expect(page.get_by_role("article", name="Staircase").locator(".plain-text")).to_contain_text("of 7")
    match = start(page, "staircase")
    expect(page.locator(".plain-text")).to_have_text("Step 0 of 7")
    expect(page.locator('[data-move="climb 1"] .mark')).to_have_text("▲W3")
    play_out(toy, match, {"first": page}, click_plain)
    expect(page.locator(".lead")).to_have_text(view(toy, match)["result"])
    expect(page.locator(".plain-text")).to_have_text("Step 7 of 7")
    expect(page.locator(".review")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_on_the_plain_board(visit: Visit, served: RunningServer, game: str) -> None:
    prefs = {"level": "random", "plain": True, "options": {game: short_variants(game)[0]}}
    page = visit(prefs=prefs).open("/")
    match = start(page, game)
    play_out(served, match, {"first": page}, click_plain)
    over = view(served, match)
    expect(page.locator(".lead")).to_have_text(over["result"])
    assert page.locator(".plain-text").inner_text().rstrip() == over["text"].rstrip()


def test_the_plain_board_is_a_setting(visit: Visit) -> None:
    page = visit().open("/analysis/flag-chase")
    expect(page.locator(".track")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Plain boards").check()
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".plain-text")).to_be_visible()
    expect(page.locator(".track")).to_have_count(0)
