"""On paper there is nothing that can only be pressed; in forced colours, states are told apart without backgrounds."""

import re

from playwright.sync_api import Locator, expect

from tests.support.browser import save_picture
from tests.support.page_moves import seated, wait_for_turn
from tests.support.screens import SCREENS, finished_match
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PAPER = {"width": 640, "height": 900}  # A4 without its margins, in CSS pixels
PROPERTIES = ["color", "backgroundColor", "outlineStyle", "borderBottomWidth", "borderTopColor", "borderTopStyle"]
SEEN = f"one => {PROPERTIES}.map((property) => getComputedStyle(one)[property]).join()"


def test_a_finished_match_prints_its_board_moves_and_result(visit: Visit, served: RunningServer) -> None:
    visitor = visit()
    page = SCREENS["over"](visitor, served)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER["width"], "height": PAPER["height"]})
    for shown in ("h1", ".lead", "duel-board .board", ".log li >> nth=3", ".accuracy"):
        expect(page.locator(shown).first).to_be_visible()
    for hidden in (".top", "nav", ".stepper", ".actions", ".move-input", "button:not(.ply, .move)", ".button"):
        for part in page.locator(hidden).all():
            expect(part).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    assert page.locator(".chart").evaluate("chart => chart.clientWidth") <= PAPER["width"] / 2
    bar, felt = page.locator(".above").bounding_box(), page.locator(".felt").bounding_box()
    assert bar
    assert felt
    assert felt["y"] - bar["y"] - bar["height"] >= 12
    save_picture(page, "print-over")
    page.emulate_media(media="screen")


def test_a_match_of_this_browser_prints_its_date_and_the_rules_print_alone(visit: Visit, served: RunningServer) -> None:
    page, bo = seated(visit(), served, "flag-chase")
    wait_for_turn(page)
    bo.act("resign")
    date = page.get_by_text("Played on ")
    expect(date).to_have_text(re.compile("^Played on [A-Z][a-z]+ [0-9]+, 20[0-9]{2}$"))
    expect(date).to_be_hidden()
    page.emulate_media(media="print")
    expect(date).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    save_picture(page, "print-rules")
    page.emulate_media(media="screen")


def expect_apart(one: Locator, other: Locator) -> None:
    assert one.evaluate(SEEN) != other.evaluate(SEEN)


def test_states_can_be_told_apart_in_forced_colours(visit: Visit, served: RunningServer) -> None:
    progress = {"flag-chase": {"solved": [0], "steps": 5, "done": False}}
    visitor = visit(prefs={"lessons": progress}, forced_colors="active", reduced_motion="reduce")
    page = visitor.open("/learn/flag-chase")
    steps = page.locator(".steps-done button")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    expect_apart(steps.nth(1), steps.nth(2))
    expect(steps.nth(0).locator("svg")).to_be_visible()
    expect_apart(page.get_by_role("link", name="Learn"), page.get_by_role("link", name="Puzzle"))
    page.goto(f"{served.url}/match/{finished_match(served)}")
    plies = page.locator(".ply")
    expect(plies.nth(3)).to_have_attribute("aria-current", "step")
    expect_apart(plies.nth(3), plies.nth(2))
    expect_apart(page.get_by_role("button", name="Last position"), page.get_by_role("button", name="First position"))
    page.goto(f"{served.url}/games")
    rungs = page.locator(".ladder").first.locator(".rungs li")
    expect_apart(rungs.nth(0), rungs.nth(1))


def test_the_solved_days_of_the_calendar_are_marked_in_forced_colours(visit: Visit) -> None:
    visitor = visit(forced_colors="active", reduced_motion="reduce")
    page = visitor.open("/puzzle/daily")
    days = page.locator(".calendar td a")
    expect(days.first).to_be_visible()
    plain = days.first.evaluate(SEEN)
    looks = {plain}
    for state in ("first try", "solved"):
        days.first.evaluate("(day, state) => { day.dataset.state = state; }", state)
        looks.add(days.first.evaluate(SEEN))
    assert len(looks) == 3
