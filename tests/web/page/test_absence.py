"""A player who stays away: warned, welcome back, or claimed against; and told by the system that it is their turn."""

from playwright.sync_api import expect

from tests.support.page_moves import click, gather, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

HIDDEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  window.shown = [];
  const shown = window.shown;
  window.Notification = class extends window.Notification {
    static permission = "granted"; // which a browser without windows grants, and then denies
    constructor(title, options) { super(title, options); shown.push([title, options.body]); }
  };
}"""


def test_an_absent_player_can_come_back_or_loses_the_match(visit: Visit, served: RunningServer) -> None:
    match, seats, (host, _, spectator) = gather(visit, served, "crystal-capture")
    bo, address = seats["second"], seats["first"].url
    expect(bo.locator(".ask")).to_have_count(0)
    host.page.goto("about:blank")
    bo.get_by_role("button", name="Warn Ada").click()
    expect(bo.locator(".ask")).to_contain_text("Ada has been warned, and has 0:0")
    expect(spectator.page.locator(".ask")).to_have_text("Bo is waiting for Ada to come back.")
    host.page.goto(address)
    for page in (bo, spectator.page):
        expect(page.locator(".ask")).to_have_count(0)
    assert view(served, match)["claim"] is None
    host.page.goto("about:blank")
    bo.get_by_role("button", name="Warn Ada").click()
    bo.get_by_role("button", name="Claim the win").click()
    for page in (bo, spectator.page):
        expect(page.locator(".lead")).to_have_text("Ada has stayed away. Bo wins!")
    assert view(served, match)["reason"] == "absence"


def test_a_player_who_looks_elsewhere_is_notified_of_their_turn(visit: Visit, served: RunningServer) -> None:
    _, seats, (_, guest, _) = gather(visit, served, "crystal-capture")
    guest.context.grant_permissions(["notifications"])
    ada, bo = seats["first"], seats["second"]
    bo.get_by_role("button", name="Settings").click()
    bo.get_by_role("switch", name="Notify me when it is my turn").click()
    expect(bo.get_by_role("switch", name="Notify me when it is my turn")).to_be_checked()
    bo.get_by_role("button", name="Done").click()
    click(ada, "8")
    expect(bo.locator(".what")).to_have_text(["8"])
    bo.evaluate(HIDDEN)
    click(bo, "3")
    click(ada, "1")
    expect(bo.locator(".what")).to_have_text(["8", "3", "1"])
    assert bo.evaluate("window.shown") == [["Your turn in Crystal Capture", "It is your turn."]]
    assert bo.title().startswith("Your turn: ")
    guest.context.clear_permissions()
