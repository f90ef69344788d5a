"""In forced colours there are no backgrounds and shadows: what is current, done or disabled is told apart otherwise."""

from playwright.sync_api import Locator, expect

from tests.support.screens import finished_match
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PROPERTIES = ["color", "backgroundColor", "outlineStyle", "borderBottomWidth", "borderTopColor", "borderTopStyle"]
SEEN = f"one => {PROPERTIES}.map((property) => getComputedStyle(one)[property]).join()"


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
