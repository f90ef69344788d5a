"""On paper there are the board, the moves and the result, and nothing that can only be pressed."""

from playwright.sync_api import expect

from tests.support.browser import save_picture
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
    for hidden in (".top", "nav", ".stepper", ".actions", ".move-input"):
        for part in page.locator(hidden).all():
            expect(part).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PAPER["width"]
    save_picture(page, "print-over")
    page.emulate_media(media="screen")


def test_the_rules_print_alone(visit: Visit, served: RunningServer) -> None:
    page = SCREENS["rules"](visit(), served)
    page.emulate_media(media="print")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    save_picture(page, "print-rules")
    page.emulate_media(media="screen")
