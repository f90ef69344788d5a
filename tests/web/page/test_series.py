"""A match of several games in the browser: the number of the game, the score, and one press to the next."""

from playwright.sync_api import Page, expect

from tests.support.page_moves import gather, match_of, start, view, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog", name="Resign?").get_by_role("button", name="Resign").click()


def test_two_people_play_a_best_of_two(visit: Visit, served: RunningServer) -> None:
    _, seats, (_, _, watcher) = gather(visit, served, "flag-chase", {"bestOf": 2})
    ada, bo = seats["first"], seats["second"]
    for page in (ada, bo, watcher.page):
        expect(page.locator(".series")).to_have_text("Game 1 of 2 · Ada: 0, Bo: 0")
    resign(bo)
    expect(ada.locator(".series")).to_have_text("Game 1 of 2 · Ada: 1, Bo: 0")
    ada.get_by_role("button", name="Play game 2 of 2").click()
    bo.get_by_role("button", name="Join game 2").click()
    wait_for_turn(bo)
    for page in (ada, bo):
        expect(page.locator(".series")).to_have_text("Game 2 of 2 · Bo: 0, Ada: 1")
    resign(bo)
    expect(ada.locator(".series")).to_have_text("Game 2 of 2 · Bo: 0, Ada: 2 · Ada wins the series")
    bo.get_by_role("button", name="Rematch", exact=True).click()
    ada.get_by_role("button", name="Join the rematch").click()
    expect(ada.locator(".series")).to_have_text("Game 1 of 2 · Ada: 0, Bo: 0")


def test_the_score_of_single_games_is_kept_through_rematches(visit: Visit, served: RunningServer) -> None:
    options = {"flag-chase": {"cells": 21}}  # or the computer might have won already
    page = visit(prefs={"name": "Ada", "level": "random", "options": options}).open("/")
    first = start(page, "flag-chase")
    expect(page.locator(".series")).to_be_hidden()
    resign(page)
    page.get_by_role("button", name="Rematch", exact=True).click()
    expect(page.locator(".series")).to_have_text("Game 2 · random: 1, Ada: 0")
    assert match_of(page) != first
    assert view(served, match_of(page))["names"]["second"] == "Ada"
