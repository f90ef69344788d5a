"""The computer's reply is shown after a moment; only its display waits."""

import json
import time

import pytest
from playwright.sync_api import expect

from tests.support.page_moves import click, expect_moves
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


@pytest.mark.parametrize(
    ("pace", "context", "waits"),
    [("slow", {}, True), ("instant", {}, False), ("slow", {"reduced_motion": "reduce"}, False)],
    ids=["slow", "at once", "reduced motion"],
)
def test_a_reply_waits_until_ones_own_move_was_seen(
    visit: Visit, served: RunningServer, pace: str, context: dict[str, str], waits: bool
) -> None:
    visitor = visit(private=True, prefs={"pace": pace}, **context)
    visitor.page.clock.install(time=0)
    visitor.page.clock.pause_at(1000)
    request = {"game": "crystal-capture", "opponent": "greedy", "options": {"crystals": 30, "goal": 400}}
    match = visitor.context.request.post(f"{served.url}/api/matches", data=request).json()["id"]
    page = visitor.open(f"/match/{match}")
    expect(page.locator(".lead")).to_have_text("It is your turn.")
    page.clock.run_for(5000)
    click(page, "1")
    while len(moves := served.http.get(f"/api/matches/{match}").json()["moves"]) < 2:
        time.sleep(0.01)
    if waits:
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
    visitor = visit(private=True, prefs={"pace": "slow"})
    request = {"game": "charge", "opponent": "greedy"}  # whose reply leaves one's own cards as they are
    match = visitor.context.request.post(f"{served.url}/api/matches", data=request).json()["id"]
    visitor.page.clock.install(time=0)
    visitor.page.clock.pause_at(1000)
    heard: list[str | bytes] = []
    visitor.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page = visitor.open(f"/match/{match}")
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
