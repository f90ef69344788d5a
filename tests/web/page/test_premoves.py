"""A move chosen during the opponent's turn is played at once when it is one's own, if the rules allow it by then.

The computer's reply is shown after a moment: only its display waits.
"""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.page_moves import against_computer, click, expect_moves, seated, wait_for_board
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


def move(page: Page, name: str) -> Locator:
    return page.locator(f"duel-board button[data-move='{name}']")


def test_a_chosen_move_is_played_if_it_is_legal_by_then_and_dropped_by_pressing_it_again(
    visit: Visit, served: RunningServer
) -> None:
    page, bo = seated(visit(prefs={"premoves": True}), served, "crystal-capture", options={"crystals": 12, "goal": 40})
    planned = page.locator("[data-planned]")
    with bo.live():  # or the status would say that Bo is away
        click(page, "1")
        expect_moves(page, ["1"])
        move(page, "5").click()
        expect(move(page, "5")).to_have_attribute("data-planned", "")
        expect(page.locator(".lead")).to_have_text("It is Bo's turn. Your next move: 5.")
        bo.play(1, "5")
        expect(page.locator("#status")).to_contain_text("Your chosen move 5 is not possible now.")
        expect_moves(page, ["1", "5"])
        expect(planned).to_have_count(0)
        click(page, "2")
        expect_moves(page, ["1", "5", "2"])
        wait_for_board(page)
        page.keyboard.press("7")
        expect(page.locator(".lead")).to_have_text("It is Bo's turn. Your next move: 7.")
        bo.play(3, "3")
        expect_moves(page, ["1", "5", "2", "3", "7"])
        expect(planned).to_have_count(0)
        move(page, "8").click()
        expect(planned).to_have_count(1)
        move(page, "8").click()
        expect(planned).to_have_count(0)
        bo.play(5, "4")
        expect(page.locator(".lead")).to_have_text("It is your turn.")
        expect_moves(page, ["1", "5", "2", "3", "7", "4"])


@pytest.fixture
def waiting(visit: Visit, served: RunningServer) -> Callable[[str, str], Page]:
    """A match against the computer whose replies are shown never: the clock of the page stands still."""

    def play(game: str, first: str) -> Page:
        visitor = visit(private=True, prefs={"pace": "slow", "premoves": True}, reduced_motion="no-preference")
        request = {"game": game, "opponent": "greedy"}
        match = visitor.context.request.post(f"{served.url}/api/matches", data=request).json()["id"]
        visitor.page.clock.install(time=0)
        visitor.page.clock.pause_at(1000)
        page = visitor.open(f"/match/{match}")
        click(page, first)
        expect(page.locator(".thinking")).to_be_visible()
        return page

    return play


def test_a_reply_does_not_wait_for_who_has_chosen_the_next_move(waiting: Callable[[str, str], Page]) -> None:
    page = waiting("charge", "charge 1")
    move(page, "charge 2").click()
    expect(page.locator(".ply")).to_have_count(3)


def test_a_reply_that_forbids_the_chosen_move_is_shown_at_once(waiting: Callable[[str, str], Page]) -> None:
    page = waiting("crystal-capture", "8")
    move(page, "7").click()  # the only move after which the computer does not lose at once
    expect(page.locator(".ply")).to_have_count(2)
    expect(page.locator("#status")).to_contain_text("Your chosen move 7 is not possible now.")


def test_a_press_of_the_board_ends_the_pause_and_plays_nothing_unseen(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True, prefs={"pace": "slow"}, reduced_motion="no-preference")
    visitor.page.clock.install(time=0)
    visitor.page.clock.pause_at(1000)
    heard: list[str | bytes] = []
    visitor.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page = against_computer(visitor, served, "charge", opponent="greedy")  # whose reply leaves one's cards as they are
    expect(page.locator(".lead")).to_have_text("It is your turn.")
    click(page, "charge 1")
    expect(page.locator(".thinking")).to_be_visible()
    while not any(json.loads(message).get("ply") == 2 for message in heard):
        page.wait_for_timeout(10)
    expect(page.locator(".ply")).to_have_count(1)
    page.locator("duel-board button[data-move='charge 2']").click(force=True, delay=100)
    expect(page.locator(".lead")).to_have_text("It is your turn.")
    expect(page.locator("[data-pending]")).to_have_count(0)
    expect(page.locator(".ply")).to_have_count(2)
    page.clock.run_for(500)  # after that, a press is another one
    click(page, "charge 2")
    expect(page.locator(".ply")).to_have_count(3)
