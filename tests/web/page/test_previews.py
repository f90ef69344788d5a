"""Previews on the page: pointing at a move shows what it would do, and nothing looks playable that is not."""

from playwright.sync_api import Page, expect

from tests.support.browser import PHONE
from tests.support.page_moves import seated, wait_for_board, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

NEARLY = "charge?after=charge 5,charge 4,charge 5,charge 4,charge 3,charge 2"


def words(page: Page) -> str:
    """Wait until the line below the board speaks of a move, and return it."""
    line = page.locator("duel-board .words:not([data-help])")
    expect(line).to_be_visible()
    return line.inner_text()


def test_pointing_at_a_move_tells_what_it_would_do_with_one_request_for_a_position(visit: Visit) -> None:
    visitor = visit()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url) if "/api/previews/" in request.url else None)
    page = visitor.open(f"/analysis/{NEARLY}")
    over = page.locator('[data-move="charge 5"]')
    expect(over).to_contain_text("over 15")  # seen without pointing, as on a phone
    wait_for_board(page)
    assert asked == []
    over.hover()
    assert words(page) == "Careful: You would have 18, over 15: back to 0."
    expect(page.locator("duel-board .words")).to_have_attribute("data-warning", "")
    expect(over).to_have_attribute("aria-describedby", page.locator("duel-board .words").get_attribute("id") or "-")
    expect(page.locator(".point.losing")).to_have_count(13)
    page.locator('[data-move="charge 1"]').hover()
    expect(page.locator("duel-board .words")).to_have_text("You would have 14 of 15.")
    expect(page.locator(".point.soon")).to_have_count(1)
    page.locator("h1").hover()
    expect(page.locator("duel-board .words")).to_have_attribute("data-help", "")
    assert len(asked) == 1


def test_the_focus_previews_as_well_and_a_failure_disturbs_nobody(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/analysis/flag-chase?after=1")
    page.locator("#status").evaluate("region => region.textContent = ''")
    wait_for_board(page)
    page.locator(".row .move").first.focus()
    page.keyboard.press("ArrowRight")
    assert words(page) == "You would reach the flag. This wins the game."
    expect(page.locator(".cell.soon .token")).to_have_count(1)
    expect(page.locator("#status")).to_be_empty()  # no noise
    visitor.expected.append("503")
    page.route("**/api/previews/**", lambda route: route.fulfill(status=503, body="{}"))
    page.keyboard.press("Enter")
    expect(page.locator(".log li")).to_have_count(2)


def test_the_plain_board_shows_the_position_after_the_move(visit: Visit) -> None:
    page = visit(prefs={"plain": True}).open("/analysis/crystal-capture?after=5,6")
    wait_for_board(page)
    page.locator('[data-move="8"]').hover()
    assert words(page) == "You would have 13 of 15."
    expect(page.locator(".plain-text.soon")).to_contain_text("First player: 13 of 15 points")
    page.locator("h1").hover()
    expect(page.locator(".plain-text")).to_contain_text("First player: 5 of 15 points")


def test_a_held_finger_previews_and_a_tap_plays(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True).open("/analysis/crystal-capture?after=5,6")
    crystal = page.locator('[data-move="8"]')
    expect(page.locator(".words")).to_have_text("Hold a move to see what it does.", use_inner_text=True)
    wait_for_board(page)
    hold(crystal.element_handle(), page)
    assert words(page) == "You would have 13 of 15."
    expect(page.locator(".log li")).to_have_count(2)
    crystal.tap()
    expect(page.locator(".log li")).to_have_count(3)


def hold(button: object, page: Page) -> None:
    """Touch a button longer than a tap, as a phone reports it."""
    fire = """([button, type]) => button.dispatchEvent(new (type === "click" ? MouseEvent : PointerEvent)(type,
      { pointerType: "touch", bubbles: true, cancelable: true }))"""
    page.evaluate(fire, [button, "pointerdown"])
    expect(page.locator("duel-board .words:not([data-help])")).to_be_visible()
    page.evaluate(fire, [button, "pointerup"])
    page.evaluate(fire, [button, "click"])


def test_highlighted_cells_and_slots_play_when_they_are_pressed(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open("/analysis/flag-chase?option=cells=9")
    page.locator('.cell[data-target="2"]').click()
    expect(page.locator(".log li")).to_have_text("12")  # the number of the move, and the move
    page.locator('.cell[data-target="1"]').dispatch_event("click")
    expect(page.locator(".log li")).to_have_count(2)
    visitor.open("/analysis/alpha-chase")
    page.locator('.place.first .cell[data-target="T"]').click()
    expect(page.locator(".log li")).to_have_text("1T")


def test_a_task_does_not_tell_what_a_move_decides(visit: Visit, served: RunningServer) -> None:
    visitor = visit()
    page = visitor.open("/puzzle/crystal-capture?seed=1")
    wait_for_board(page)
    page.locator("duel-board .move:not([aria-disabled])").first.hover()
    assert "wins the game" not in words(page)
    page, _ = seated(visitor, served, "charge")
    wait_for_turn(page)
    wait_for_board(page)
    page.locator('[data-move="block"]').hover()
    assert words(page) == "A charge on your opponent's next turn would add nothing."
