"""After a match, the board stays in view while one reads the review, and nothing looks as if it could be played."""

from playwright.sync_api import Page, expect

from tests.support.browser import PHONE
from tests.support.page_moves import seated, wait_for_turn
from tests.support.screens import finished_match
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

OVERLAP = """() => {
  const bar = document.querySelector(".above").getBoundingClientRect();
  return [...document.querySelectorAll(".side > *")].filter((panel) => {
    const { left, top, bottom } = panel.getBoundingClientRect();
    return left < bar.right && top < bar.bottom && bottom > bar.top;
  }).length;
}"""
TOGETHER = """() => {
  const [bar, board, judgement] = [".above", "duel-board .board", ".judgement"].map((part) =>
    document.querySelector(part).getBoundingClientRect());
  return [bar.height, bar.height + judgement.bottom - board.top];
}"""
LOOK = (
    "move => [getComputedStyle(move)].map((look) => `${look.backgroundColor} ${look.borderStyle} ${look.opacity}`)[0]"
)


def open_review(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator(".accuracy li")).to_have_count(2)


def test_the_board_stays_in_view_beside_the_review_and_fits_on_a_phone_with_its_steps(
    visit: Visit, served: RunningServer
) -> None:
    page = visit(viewport={"width": 1280, "height": 800}).page
    open_review(page, f"{served.url}/match/{finished_match(served)}")
    for width in (1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        for top in (0, 300, 10_000):
            page.evaluate("top => scrollTo(0, top)", top)
            expect(page.locator("duel-board .board")).to_be_in_viewport(ratio=0.95)
            expect(page.locator(".headline")).to_be_in_viewport(ratio=1)
            assert page.evaluate(OVERLAP) == 0
    page.set_viewport_size(PHONE)
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator(".judgement")).to_contain_text("Move 3, 2")
    bar, together = page.evaluate(TOGETHER)
    assert bar < 64
    assert together < PHONE["height"]
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator(".judgement")).to_contain_text("Move 2, 9")


def test_nothing_looks_playable_after_the_end(visit: Visit, served: RunningServer) -> None:
    one, two = served.new_pair("flag-chase", options={"cells": 3})
    one.play(0, "1")
    visitor = visit()
    page = visitor.open(f"/match/{two.match}")
    expect(page.locator(".headline")).to_be_visible()
    expect(page.locator("duel-board .row .move[data-legal]")).to_have_count(0)
    expect(page.locator("duel-board .board.over")).to_be_visible()
    expect(page.locator("duel-typed-move")).to_have_count(0)
    expect(page.locator("duel-board .track .cell:has(.token) .sign")).to_be_visible()
    page.get_by_role("button", name="Previous move").click()
    expect(page.locator("duel-typed-move")).to_be_visible()
    page.goto(f"{served.url}/analysis/alpha-chase?option=words=PLANT,GHOST&after=P,Z,L,Y,A,X,N,W,T")
    left = page.locator('[data-move="Q"]')
    expect(page.locator("duel-board .board.over")).to_be_visible()
    assert left.evaluate(LOOK) == "rgba(0, 0, 0, 0) dotted 0.6"


def test_a_card_that_gains_nothing_looks_other_than_one_that_cannot_be_played(
    visit: Visit, served: RunningServer
) -> None:
    page, bo = seated(visit(reduced_motion="reduce"), served, "charge")
    wait_for_turn(page)
    page.locator('[data-move="charge 4"]').click()
    expect(page.locator(".lead")).to_have_text("It is Bo's turn.")
    bo.play(1, "block")
    wait_for_turn(page)
    page.locator("h1").hover()
    cards = {move: page.locator(f'[data-move="{move}"]').evaluate(LOOK) for move in ("charge 1", "block", "refresh")}
    assert cards["charge 1"] == cards["block"] != cards["refresh"]
    expect(page.locator('[data-move="charge 1"] .note')).to_have_text("blocked")
    page.locator('[data-move="charge 1"]').click()
    expect(page.locator('[data-move="block"][aria-disabled]')).to_be_visible()
    assert page.locator('[data-move="block"]').evaluate(LOOK) not in cards.values(), "it is nobody's to play here"
