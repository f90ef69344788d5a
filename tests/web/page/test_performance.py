"""The page loads little, is cached, does not shift, and keeps to its Content-Security-Policy."""

from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from duelbook import GAMES
from tests.support.browser import PHONE
from tests.support.game_folders import long_options
from tests.support.page_moves import click, play_out, start, wait_for_person, wait_for_turn
from tests.support.screens import PREFS, SCREENS
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PLACES = (".place.first", ".place.second")
PARTS = (".heading", ".table-area", "duel-board", *PLACES, ".move-input", ".moves", ".help", ".actions")
BOXES = """parts => parts.map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [part, x + scrollX, y + scrollY, width, height].join(" ");
})"""
MAX_SHIFT = 0.02  # of a move; up to 0.1 counts as good, and a total that gets another digit shifts less than this
MAX_FIRST_LOAD_BYTES = 200_000  # with headers
MAX_FIRST_LOAD_REQUESTS = 10 + len(GAMES)  # a board for each game
OBSERVER = """(() => {
  window.shifts = [];
  window.violations = [];
  const parts = (entry) => entry.sources.map((source) => source.node?.className || source.node?.nodeName).join(" ");
  const note = (list) => list.getEntries().forEach((entry) => window.shifts.push([entry.value, parts(entry)]));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
  document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
})()"""


def test_the_first_load_is_small(visit: Visit) -> None:
    visitor = visit(private=True)
    done: list[Request] = []
    visitor.context.on("requestfinished", lambda request: done.append(request))
    page = visitor.open("/")
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
    page.wait_for_load_state("networkidle")
    done = [request for request in done if not request.service_worker]  # which keeps files later, while nobody waits
    sizes = {request.url: request.sizes() for request in done}
    weight = {url: size["responseBodySize"] + size["responseHeadersSize"] for url, size in sizes.items()}
    assert len(GAMES) + 5 < len(done) <= MAX_FIRST_LOAD_REQUESTS, sorted(weight)
    assert sum(weight.values()) < MAX_FIRST_LOAD_BYTES, sorted(weight.items(), key=lambda item: -item[1])


def test_the_home_page_has_a_place_for_every_game_before_it_knows_them(visit: Visit) -> None:
    visitor = visit(private=True)
    visitor.page.route("**/api/games", lambda route: None)  # which is never answered
    page = visitor.open("/")
    expect(page.locator(".card.waiting")).to_have_count(len(GAMES))


def test_files_are_cached_for_good_and_the_shell_is_not(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True)
    answers: dict[str, dict[str, str]] = {}
    visitor.context.on("response", lambda response: answers.update({response.url: response.headers}))
    page = visitor.open("/")
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
    files = {url: headers for url, headers in answers.items() if "/static/" in url}
    assert len(files) > len(GAMES)
    for headers in files.values():
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        assert headers["content-encoding"] == "gzip"
    shell = answers[f"{served.url}/"]
    assert shell["cache-control"] == "no-store"
    assert shell["content-encoding"] == "gzip"
    assert "unsafe" not in shell["content-security-policy"]


@pytest.mark.parametrize("size", [None, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_shifts_when_a_move_arrives(visit: Visit, served: RunningServer, game: str, size: Any) -> None:
    visitor = visit(prefs=PREFS | {"options": {game: long_options(game)}}, **({"viewport": size} if size else {}))
    page = visitor.open("/")
    page.evaluate(OBSERVER)
    match = start(page, game)
    wait_for_turn(page)
    page.get_by_label("Values").check()
    expect(page.locator("duel-board .mark").first).to_be_visible()
    before = boxes(page)
    page.evaluate("window.shifts.splice(0)")
    for _ in range(3):
        play_out(served, match, {"first": page}, click, moves=1)
        if wait_for_person(served, match, {"first": page})["status"] == "over":
            break  # in a game that has no longer variant
        wait_for_turn(page)
        expect(page.locator("duel-board .mark").first).to_be_visible()
        assert boxes(page) == before
        shifts = page.evaluate("window.shifts.splice(0)")
        assert sum(score for score, _ in shifts) < MAX_SHIFT, shifts
    assert page.evaluate("window.violations") == []


def boxes(page: Page) -> Any:
    """Return the boxes of the main parts of the page, independent of scrolling."""
    return page.evaluate(BOXES, PARTS)


def test_no_screen_breaks_the_content_security_policy(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True, prefs=PREFS)
    visitor.context.add_init_script(OBSERVER)
    for name in ("home", "match-flag-chase", "over", "analysis", "puzzle", "lobby", "rules"):
        page = SCREENS[name](visitor, served)
        assert page.evaluate("window.violations") == [], name
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: '0'}))")
    page.wait_for_function("() => window.violations.length")
    assert page.evaluate("window.violations") == ["script-src-elem"]
    visitor.expected += ["Content Security Policy"]
