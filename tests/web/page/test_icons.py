"""Icons are drawn by the page: no character that the fonts of some systems lack is shown."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.support.screens import PREFS, SCREENS
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PACKAGE = Path(__file__).parents[3] / "src/duelbook"
TEXTS = ("web/page/*.js", "web/page/*.css", "web/page/*.html", "games/*/board.js")
RARE = re.compile("[^\\x00-\\xff\u2013\u2026]")  # every font has Latin-1, the dash and the ellipsis
SHOWN = """() => [...document.querySelectorAll("*")].flatMap((one) => [
  ...["", "::before", "::after"].map((part) => getComputedStyle(one, part || null).content),
  ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
]).join(" ")"""


def test_no_file_of_the_page_has_a_character_that_some_fonts_lack() -> None:
    files = [file for pattern in TEXTS for file in PACKAGE.glob(pattern)]
    assert len(files) > 60
    for file in files:
        assert RARE.findall(file.read_text(encoding="utf-8")) == [], file.name


def test_buttons_verdicts_and_values_are_drawn(visit: Visit, served: RunningServer) -> None:
    page = SCREENS["over"](visit(prefs=PREFS), served)
    steps = page.get_by_role("group", name="Step through the game").get_by_role("button")
    expect(steps).to_have_count(4)
    for step in steps.all():
        expect(step).to_have_text("")
        expect(step.locator("svg[data-icon][aria-hidden=true]")).to_be_visible()
    expect(page.locator(".verdict[data-verdict=best] svg").first).to_be_visible()
    expect(page.locator("duel-board .mark svg").first).to_be_visible()
