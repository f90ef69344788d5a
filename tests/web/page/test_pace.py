"""The computer's reply is shown after a moment; only its display waits."""

import json

from playwright.sync_api import expect

from tests.support.page_moves import against_computer, click, expect_moves, match_of, wait_for_person
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


def test_a_reply_waits_until_ones_own_move_was_seen(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True, prefs={"pace": "slow"}, reduced_motion="no-preference")
    visitor.page.clock.install(time=0)
    visitor.page.clock.pause_at(1000)
    options = {"crystals": 30, "goal": 400}
    page = against_computer(visitor, served, "crystal-capture", opponent="greedy", options=options)
    expect(page.locator(".lead")).to_have_text("It is your turn.")
    page.clock.run_for(5000)
    click(page, "1")
    moves = wait_for_person(served, match_of(page), {"first": page})["moves"]
    expect_moves(page, moves[:1])  # from now on the reply waits
    page.clock.run_for(1000)
    expect_moves(page, moves[:1])
    expect(page.locator(".thinking")).to_have_text("thinking")
    expect(page.locator(".lead")).to_have_text("It is greedy's turn.")
    expect(page.locator("duel-board button[data-move]:not([aria-disabled])")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".past")).to_contain_text("You are looking at the start.")
    page.keyboard.press("End")
    page.clock.run_for(1000)
    expect_moves(page, moves)
    expect(page.locator(".thinking")).to_have_count(0)
    expect(page.locator(".lead")).to_have_text("It is your turn.")


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
