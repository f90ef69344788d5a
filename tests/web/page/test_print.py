"""On paper there are the board, the moves and the result, and nothing that can only be pressed."""

import re

from playwright.sync_api import expect

from tests.support.browser import save_picture
from tests.support.page_moves import seated, wait_for_turn
from tests.support.screens import SCREENS
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PAPER = {"width": 640, "height": 900}  # A4 without its margins, in CSS pixels


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
