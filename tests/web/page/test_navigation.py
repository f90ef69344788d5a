"""Going from screen to screen: the scroll position survives Back, and a message ends with its screen."""

from playwright.sync_api import expect

from duelbook import GAMES
from tests.support.page_moves import seated, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


def test_the_scroll_position_survives_back_and_forward(visit: Visit) -> None:
    page = visit().open("/")
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))  # nothing above the link grows any more
    link = page.get_by_role("link", name="Open a record file")
    link.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, 500)")
    at = page.evaluate("scrollY")
    assert at > 200
    link.dispatch_event("click")  # where the page is, without scrolling to it
    expect(page.locator("h1")).to_have_text("Open a record")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_function("at => Math.abs(scrollY - at) < 2", arg=at)
    page.reload()
    page.wait_for_function("at => Math.abs(scrollY - at) < 2", arg=at)


def test_a_message_ends_with_its_screen(visit: Visit, served: RunningServer) -> None:
    page, bo = seated(visit(), served, "flag-chase")
    wait_for_turn(page)
    page.evaluate("navigator.clipboard.writeText = () => Promise.resolve()")
    with bo.live():  # or the status would say that Bo is away
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator("#status.fresh")).to_have_text("Copied to the clipboard.")
    page.get_by_role("link", name="Duelbook").click()
    expect(page.locator("duel-home")).to_be_visible()
    expect(page.locator("#status.fresh")).to_have_count(0)
    expect(page.locator("#status")).to_have_text("")
