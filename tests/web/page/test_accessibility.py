"""Every screen is accessible: to screen readers, on a phone, in dark mode, by touch, and without a mouse."""

import os
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from duelbook import GAMES
from tests.support.browser import PHONE, WIDE, save_picture
from tests.support.page_moves import click, play_out, start, typing_field, view, wait_for_turn
from tests.support.screens import LONG_NAME, PREFS, SCREENS
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

AXE = Axe()
SIZES = {"wide": WIDE, "phone": PHONE}
CHECKED = [("light", "wide"), ("dark", "phone")]  # each scheme and each width once; all four would take twice as long
TOO_SMALL = """() => {
  const all = document.querySelectorAll("button, select, summary, input, a:not(.skip)");
  const pressed = [...all].filter((one) => one.checkVisibility() && !one.closest("[aria-hidden=true]"));
  const open = document.querySelector("dialog");
  return pressed.filter((one) => !open || open.contains(one)).flatMap((one) => {
    if (one.tagName === "A" && getComputedStyle(one).display === "inline") return []; // a link in a sentence
    const { width, height } = (one.closest("label.switch") ?? one).getBoundingClientRect();
    return width > 43.5 && height > 43.5 ? [] : [`${one.outerHTML.slice(0, 120)}: ${width} x ${height}`];
  });
}"""
LIVE_REGIONS = "[aria-live]:not([aria-live=off]), [role=status], [role=alert]"


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_accessible_in_both_colour_schemes_and_widths(
    visit: Visit, served: RunningServer, name: str
) -> None:
    visitor = visit(prefs=PREFS | {"name": LONG_NAME}, reduced_motion="reduce")
    page = SCREENS[name](visitor, served)
    for scheme, size in product(("light", "dark"), SIZES):
        if (scheme, size) not in CHECKED and not os.environ.get("DUELBOOK_PICTURES"):
            continue
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size(SIZES[size])
        save_picture(page, f"{name}-{size}-{scheme}")
        if (scheme, size) in CHECKED:
            check_accessibility(page)


def check_accessibility(page: Page) -> None:
    """Check that axe finds nothing, nothing overflows, and everything that can be pressed is large enough."""
    found = AXE.run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert page.evaluate(TOO_SMALL) == []
    assert page.locator(LIVE_REGIONS).count() == 1


def test_focus_stays_where_it_was_when_a_move_arrives(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs=PREFS | {"options": {"crystal-capture": {"crystals": 30, "goal": 400}}}).open("/")
    start(page, "crystal-capture")
    wait_for_turn(page)
    for control in (page.locator('[data-move="1"]'), typing_field(page), page.get_by_label("Values")):
        control.focus()
        before = page.locator(".log li").count()
        legal = page.locator("duel-board [data-move]:not([aria-disabled])").last
        legal.dispatch_event("click")
        expect(page.locator(".log li")).not_to_have_count(before)
        wait_for_turn(page)
        expect(control).to_be_focused()


def test_the_status_region_is_there_from_the_start(visit: Visit) -> None:
    page = visit(java_script_enabled=False).open("/")
    expect(page.locator(LIVE_REGIONS)).to_have_count(1)


def test_a_question_mark_shows_the_rules_and_letters_do_nothing(visit: Visit) -> None:
    page = visit(prefs=PREFS).open("/")
    start(page, "flag-chase")
    wait_for_turn(page)
    page.keyboard.type("rhuvn")
    typing_field(page).press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Rules of Flag Chase")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_game_can_be_played_in_forced_colours_with_reduced_motion(visit: Visit, served: RunningServer) -> None:
    visitor = visit(prefs=PREFS, forced_colors="active", reduced_motion="reduce", viewport=PHONE, has_touch=True)
    page = visitor.open("/")
    match = start(page, "crystal-capture")
    play_out(served, match, {"first": page}, click)
    expect(page.locator(".lead")).to_have_text(view(served, match)["result"])
    save_picture(page, "forced-colours")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_pictures_do_not_move_with_reduced_motion(visit: Visit, motion: str) -> None:
    visitor = visit(private=True, reduced_motion=motion)
    visitor.page.clock.install()
    page = visitor.open("/")
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
    before = page.locator(".cards").inner_html()
    page.clock.run_for(10_000)
    page.get_by_role("article", name="Charge").hover()
    page.clock.run_for(1_000)
    assert (page.locator(".cards").inner_html() == before) == (motion == "reduce")
