"""The clock of a match is calm until a fifth of the time is left, and shows 0:00 when it is up."""

import re

from playwright.sync_api import expect

from tests.support.page_moves import seated, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

LIMIT = 600


def test_a_clock_is_calm_until_a_fifth_is_left(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True)
    visitor.page.clock.install(time=0)
    visitor.page.clock.pause_at(1000)
    page, _ = seated(visitor, served, "crystal-capture", time_limit=LIMIT)
    wait_for_turn(page)
    own, other = page.locator(".place.first .clock"), page.locator(".place.second .clock")
    expect(own).to_have_text(re.compile("^(10:00|9:5.)$"))  # the match began a moment ago
    visitor.context.set_offline(True)  # or, silent for so long, it would connect again and hear the server's time
    visitor.expected.append("net::ERR_INTERNET_DISCONNECTED")
    for seconds, text, low in ((470, "^2:[01].$", False), (20, "^1:[45].$", True), (200, "^0:00$", True)):
        page.clock.fast_forward(1000 * seconds)
        expect(own).to_have_text(re.compile(text))
        assert (own.get_attribute("data-low") is not None) == low
    expect(other).to_have_text("10:00")
    assert other.get_attribute("data-low") is None


def test_time_that_is_given_is_on_both_clocks_and_is_told(visit: Visit, served: RunningServer) -> None:
    """ALL-9."""
    page, opponent = seated(visit(), served, "crystal-capture", time_limit=LIMIT, seat="second")
    page.get_by_role("button", name="Give 15 seconds").click()
    expect(page.locator("#status.fresh")).to_contain_text(" 15 seconds more.")
    expect(page.locator(".place.first .clock")).to_have_text(re.compile("^10:(15|1.)$"))
    opponent.play(0, "1")
    expect(page.get_by_role("button", name="Give 15 seconds")).to_have_attribute("aria-disabled", "true")


def test_a_clock_that_ran_out_shows_nothing_left(visit: Visit, served: RunningServer) -> None:
    page, _ = seated(visit(), served, "crystal-capture", time_limit=1)
    expect(page.locator(".lead")).to_contain_text("has run out of time")
    expect(page.locator(".place.first .clock")).to_have_text("0:00")
    expect(page.locator(".place.second .clock")).to_have_count(0)
    page.reload()
    expect(page.locator(".place.first .clock")).to_have_text("0:00")
