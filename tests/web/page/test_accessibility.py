"""Every screen is accessible: to screen readers, on a phone, in dark mode, by touch, and without a mouse."""

import os
import re
from collections.abc import Iterator
from itertools import product
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from duelbook import GAMES
from tests.support.browser import PHONE, WIDE, Visitor, save_picture
from tests.support.screens import LONG_NAME, PREFS, SCREENS
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

AXE = Axe()
RARE = re.compile("[^\\x00-\\xff\u2013\u2026]")  # every font has Latin-1, the dash and the ellipsis
SHOWN = """() => [...document.querySelectorAll("*")].flatMap((one) => [
  ...["", "::before", "::after"].map((part) => getComputedStyle(one, part || null).content),
  ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
]).join(" ")"""
VIOLATIONS = (
    "() => axe.run({ resultTypes: ['violations'], preload: false })"  # which would load every style sheet again
    ".then(({ violations }) => JSON.stringify(violations, null, 1))"
)
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
LINKS = """() => [...document.querySelectorAll(".top a, .top button")].filter((link) => {
  const { left, right, width } = link.getBoundingClientRect();
  return left < 0 || right > innerWidth || link.scrollWidth > width + 1;
}).map((link) => link.innerText)"""
SECTIONS = {"puzzle": "Puzzle", "games": "Your games", "analysis": "Analysis", "lobby": "Lobby", "learn": "Learn"}
WATCH = """window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));"""


@pytest.fixture(scope="module")
def watched(browser: Browser, served: RunningServer) -> Iterator[Visitor]:
    """Somebody with a long name, whose browser notes what the Content-Security-Policy forbids."""
    visitor = Visitor(browser, served.url)
    visitor.context.add_init_script(WATCH)
    visitor.open("/healthz")
    yield visitor
    visitor.context.close()


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_accessible_and_keeps_its_policy(watched: Visitor, served: RunningServer, name: str) -> None:
    watched.reset(prefs=PREFS | {"name": LONG_NAME})
    page = SCREENS[name](watched, served)
    check_navigation(page)
    for scheme, size in product(("light", "dark"), SIZES):
        if (scheme, size) in CHECKED or os.environ.get("DUELBOOK_PICTURES"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.set_viewport_size(SIZES[size])
            save_picture(page, f"{name}-{size}-{scheme}")
        if (scheme, size) in CHECKED:
            check_accessibility(page)
    assert page.evaluate(LINKS) == [], "all links of the navigation are in view"
    assert RARE.findall(page.evaluate(SHOWN)) == [], "every font has the characters"
    assert page.evaluate("window.violations") == []
    assert watched.leave() == []


def check_navigation(page: Page) -> None:
    """Check that the link to this part of the page is marked, and no other."""
    section = SECTIONS.get(urlsplit(page.url).path.split("/")[1])
    marked = page.locator(".top nav [aria-current]")
    expect(marked).to_have_count(1 if section else 0)
    if section:
        expect(marked).to_have_accessible_name(section)


def check_accessibility(page: Page) -> None:
    """Check that axe finds nothing, nothing overflows, and everything that can be pressed is large enough."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE.axe_script)
    assert page.evaluate(VIOLATIONS) == "[]"
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")
    assert page.evaluate(TOO_SMALL) == []
    assert page.locator(LIVE_REGIONS).count() == 1


def test_what_the_policy_forbids_is_noticed(watched: Visitor) -> None:
    page = watched.open("/lobby")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: '0'}))")
    page.wait_for_function("() => window.violations.length")
    assert page.evaluate("window.violations") == ["script-src-elem"]


def test_the_status_region_is_there_from_the_start(visit: Visit) -> None:
    page = visit(java_script_enabled=False).open("/")
    expect(page.locator(LIVE_REGIONS)).to_have_count(1)


def test_pictures_do_not_move_with_reduced_motion(visit: Visit) -> None:
    visitor = visit(private=True)
    visitor.page.clock.install()
    for motion in ("reduce", "no-preference"):
        visitor.page.emulate_media(reduced_motion=motion)
        page = visitor.open("/")
        expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
        before = page.locator(".cards").inner_html()
        page.clock.run_for(10_000)
        page.get_by_role("article", name="Charge").hover()
        page.clock.run_for(1_000)
        assert (page.locator(".cards").inner_html() == before) == (motion == "reduce")
        page.mouse.move(0, 0)
