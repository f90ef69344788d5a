"""The lobby: open challenges that a visitor takes with one press, and matches whose players are present."""

import re
import time

from playwright.sync_api import Page, expect

from tests.support.browser import TIMEOUT_MS
from tests.support.page_moves import match_of, view, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

REFRESH_MS = 5_000  # how often the lobby asks the server


def offer(page: Page, served: RunningServer, game: str) -> str:
    """Offer a game to everybody, wait until the lobby has it, and return the match."""
    page.goto(f"{served.url}/lobby")
    page.get_by_label("Game", exact=True).select_option(game)
    page.get_by_role("button", name="Offer a game").click()
    match = match_of(page)
    expect(page.get_by_role("switch", name="Offer it to everybody in the lobby")).to_be_checked()
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    while time.monotonic() < deadline:
        if match in served.http.get("/api/challenges").text:
            return match
        page.wait_for_timeout(10)
    raise AssertionError("the lobby has no such challenge")


def test_a_challenge_is_taken_with_one_press_and_listed_only_while_its_maker_waits(
    visit: Visit, served: RunningServer
) -> None:
    ada, bo = visit(prefs={"name": "Ada", "bestOf": 2, "options": {"charge": {"goal": 9}}}), visit()
    late = visit(private=True)
    late.page.clock.install()
    match = offer(ada.page, served, "charge")
    pages = [bo.open("/lobby"), late.open("/lobby")]
    for page in pages:
        entry = page.locator(".challenge", has_text="Ada")
        expect(entry.locator(".terms")).to_have_text(
            "Charge: goal 9 instead of 15 · no clock · Ada moves first · best of two"
        )
    play = [page.get_by_role("button", name="Play Charge against Ada") for page in pages]
    pages[1].route("**/api/challenges", lambda route: None)  # held: the list may be a few seconds old
    play[0].click()
    assert match_of(pages[0]) == match
    wait_for_turn(ada.page)
    play[1].click()
    expect(pages[1].locator("#status")).to_contain_text("Somebody else has taken this challenge.")
    pages[1].unroute("**/api/challenges")  # which sends what was held
    expect(play[1]).to_have_count(0)
    assert view(served, match)["status"] == "playing"
    late.expected.append("409")

    offer(ada.page, served, "alpha-chase")
    page = late.open("/lobby")
    asking = page.get_by_role("button", name="Play Alpha Chase against Ada")
    asking.click()
    expect(page.get_by_label("Your word")).to_be_visible()  # there is something to choose first
    page.go_back()
    expect(asking).to_be_visible()
    with ada.page.expect_response("**/challenge"):
        ada.page.get_by_role("switch", name="Offer it to everybody in the lobby").click()
    page.clock.run_for(REFRESH_MS)
    expect(asking).to_have_count(0)
    expect(page.get_by_text(re.compile("Nobody is waiting for an opponent"))).to_be_visible()


def test_only_matches_whose_players_are_present_are_being_played_now(visit: Visit, served: RunningServer) -> None:
    abandoned = served.new_pair("flag-chase", name="Gone", public=True)
    present = served.new_pair("flag-chase", name="Here", public=True, time_limit=300, options={"cells": 21})
    with present[0].live(), present[1].live(), abandoned[0].live():
        playing = visit().open("/lobby").get_by_role("list", name="Being played now")
        expect(playing).to_contain_text("Here and Player 2")
        expect(playing).to_contain_text(
            "Flag Chase, Long: cells 21 instead of 5 · 5 minutes per move · Here moves first"
        )
        expect(playing).not_to_contain_text("Gone")
