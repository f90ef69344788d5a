"""The ending of a match: the result as the reader sees it, the turning point, the next opponent, and a celebration."""

from playwright.sync_api import expect

from tests.support.browser import PHONE
from tests.support.page_moves import click, match_of, seated, view, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit
from tests.web.page.test_accessibility import check_accessibility

LOST = ["1", "9", "2", "6"]  # the second player reaches 15
LISTEN = """() => {
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.sounded = true; start.apply(this, when); };
}"""  # notes that something sounds
DRAWN = ["1", "5", "6", "9", "7"]


def test_a_lost_game_shows_where_it_was_lost_and_lets_one_try_again(visit: Visit, served: RunningServer) -> None:
    page, bo = seated(visit(viewport=PHONE), served, "crystal-capture")
    wait_for_turn(page)
    for ply, move in enumerate(LOST):
        click(page, move) if ply % 2 == 0 else bo.play(ply, move)
        expect(page.locator(".ply")).to_have_count(ply + 1)
    expect(page.get_by_role("heading", name="You lost")).to_be_in_viewport(ratio=1)
    expect(page.locator(".lead")).to_have_text(bo.view()["result"])
    expect(page.locator(".confetti")).to_have_count(0)
    expect(page.locator("duel-board")).to_be_in_viewport(ratio=0.4)
    point = page.locator(".turning-point")
    expect(point).to_contain_text("Your move 3, 2, gave the")
    check_accessibility(page)
    point.get_by_role("button", name="Try it from there").click()
    expect(page.locator(".ply[aria-current] .number")).to_have_text("2")
    click(page, "6")
    expect(page.locator(".branch")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(page.locator(".branch")).to_have_count(0)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.locator(".review")).to_be_focused()
    expect(page.locator(".review")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Share result")).to_be_visible()


def test_a_won_game_is_celebrated_once_with_a_sound_and_offers_a_stronger_opponent(
    visit: Visit, served: RunningServer
) -> None:
    visitor = visit(prefs={"name": "Ada", "sound": True}, reduced_motion="no-preference")
    request = {"game": "flag-chase", "opponent": "easy", "seat": "first", "options": {"cells": 3}}
    match = visitor.context.request.post(f"{served.url}/api/matches", data=request).json()["id"]
    page = visitor.open(f"/match/{match}")
    page.evaluate(LISTEN)
    wait_for_turn(page)
    click(page, "1")
    page.wait_for_function("() => window.sounded")  # which the player wants
    expect(page.get_by_role("heading", name="You won")).to_be_in_viewport(ratio=1)
    expect(page.locator(".confetti i").first).to_be_attached()
    page.reload()
    expect(page.get_by_role("heading", name="You won")).to_be_visible()
    expect(page.locator(".confetti")).to_have_count(0)
    expect(page.locator(".ending button").first).to_have_text("Stronger: medium")
    expect(page.get_by_role("button", name="Easier: beginner")).to_be_visible()
    page.get_by_role("button", name="Stronger: medium").click()
    page.wait_for_url(lambda url: match not in url)
    again = view(served, match_of(page))
    assert (again["seats"]["second"], again["options"]["cells"]) == ("medium", 3)


def test_a_win_is_quiet_with_reduced_motion_and_a_draw_is_a_draw(visit: Visit, served: RunningServer) -> None:
    visitor = visit(prefs={"sound": True})
    page, bo = seated(visitor, served, "flag-chase")
    page.evaluate(LISTEN)
    wait_for_turn(page)
    bo.act("resign")
    expect(page.locator(".headline")).to_have_text("You won")
    expect(page.locator(".confetti")).to_have_count(0)
    assert page.evaluate("window.sounded") is None
    page, bo = seated(visitor, served, "crystal-capture", options={"deadlock": "draw"})
    wait_for_turn(page)
    for ply, move in enumerate(DRAWN):
        click(page, move) if ply % 2 == 0 else bo.play(ply, move)
        expect(page.locator(".ply")).to_have_count(ply + 1)
    expect(page.locator(".headline")).to_have_text("Draw")
