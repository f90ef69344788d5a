"""On a phone, both players' places and all moves are on the screen, and names, links and the way out are whole."""

from playwright.sync_api import Page, expect

from tests.support.browser import PHONE
from tests.support.page_moves import seated, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

OUTSIDE = """() => [...document.querySelectorAll("duel-board .place, duel-board .move")].filter((part) => {
  const { top, bottom, left, right } = part.getBoundingClientRect();
  return top < 0 || bottom > innerHeight || left < 0 || right > innerWidth;
}).map((part) => `${part.className} ${part.getBoundingClientRect().bottom}`)"""
CUT = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"


def expect_all_in_view(page: Page) -> None:
    """Check that nothing of the board has to be scrolled to."""
    expect(page.locator("duel-board .move").first).to_be_visible()
    assert page.evaluate("scrollY") == 0
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_terms_are_one_line_that_opens(visit: Visit, served: RunningServer) -> None:
    page, _ = seated(visit(viewport=PHONE), served, "crystal-capture", options={"goal": 20, "deadlock": "draw"})
    wait_for_turn(page)
    terms = page.locator(".heading .terms")
    assert terms.evaluate("line => line.offsetHeight") < 32
    page.get_by_role("button", name="Show all the terms").click()
    expect(terms).to_contain_text("Goal 20 instead of 15")
    assert terms.evaluate_all(CUT) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("button", name="Show all the terms")).to_be_hidden()


def test_names_of_twelve_letters_are_whole_beside_a_clock(visit: Visit, served: RunningServer) -> None:
    request = {"name": "Maximilianus", "time_limit": 600}
    page, bo = seated(visit(viewport=PHONE), served, "crystal-capture", **request)
    wait_for_turn(page)
    expect(page.locator("duel-board .clock")).to_have_count(2)
    names = page.locator("duel-board .named")
    assert names.evaluate_all(CUT) == []
    page.goto(f"{served.url}/analysis/charge")
    expect(names).to_have_text(["Second player", "First player"])
    assert names.evaluate_all(CUT) == []
    assert bo.view()["status"] == "playing"


def test_the_way_out_of_a_dialog_stays_in_view(visit: Visit) -> None:
    page = visit(viewport=PHONE).open("/analysis/charge")
    expect(page.locator("duel-board button").first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("button", name="Done")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Done").click()
    page.locator("h1").click()
    page.keyboard.press("?")
    close = page.get_by_role("button", name="Close")
    for top in (0, 300, 10_000):
        page.locator("dialog").evaluate("(dialog, top) => dialog.scrollTo(0, top)", top)
        expect(close).to_be_in_viewport(ratio=1)
