"""What matters in a match is near the board and in view: the result, requests, the connection, and the way on."""

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.support.page_moves import click, gather, seated, view, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

SIZES = [(360, 740), (768, 1024), (1280, 720), (1920, 1080)]


def expect_in_view(page: Page, *parts: Locator) -> None:
    """Check that these parts are within the window at every size, at the top and at the end of the page."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for top in (0, 10_000):
            page.evaluate("top => scrollTo(0, top)", top)
            for part in parts:
                expect(part).to_be_in_viewport(ratio=1)
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator("duel-board")).to_be_in_viewport(ratio=0.4)


def test_requests_are_in_view_and_their_answers_are_told(visit: Visit, served: RunningServer) -> None:
    _, seats, (_, _, watcher) = gather(visit, served, "crystal-capture")
    ada, bo, spectator = seats["first"], seats["second"], watcher.page
    click(ada, "8")
    ada.get_by_role("button", name="Take back").click()
    expect_in_view(bo, bo.locator(".ask"), bo.get_by_role("button", name="Agree"), bo.locator(".lead"))
    bo.get_by_role("button", name="Decline").click()
    for page, who in ((ada, "Bo"), (spectator, "Bo"), (bo, "You")):
        expect(page.locator("#status.fresh")).to_contain_text(f"{who} declined: the move is not taken back.")
    ada.get_by_role("button", name="Take back").click()
    expect(bo.locator(".ask")).to_be_visible()
    click(bo, "3")
    expect(ada.locator("#status.fresh")).to_contain_text("Your request to take back a move has ended")


def test_the_result_and_the_rematch_are_in_view_and_lead_on(visit: Visit, served: RunningServer) -> None:
    match, seats, (_, _, watcher) = gather(visit, served, "flag-chase")
    ada, bo, spectator = seats["first"], seats["second"], watcher.page
    ada.get_by_role("button", name="Resign").click()
    ada.get_by_role("dialog").get_by_role("button", name="Resign").click()
    rematch = ada.get_by_role("button", name="Rematch", exact=True)
    expect_in_view(ada, ada.get_by_role("heading", name="You lost"), rematch)
    expect(ada.locator(".result")).to_be_in_viewport(ratio=1)
    expect(bo.locator(".headline")).to_have_text("You won")
    expect(spectator.locator(".headline")).to_have_text("Bo won")
    rematch.click()
    expect(ada.locator(".notice")).to_have_text("The rematch starts as soon as Bo has joined.")
    expect(bo.locator("#status.fresh")).to_contain_text("Ada offers a rematch.")
    expect(spectator.locator("#status.fresh")).to_contain_text("There is a rematch. You can watch it.")
    expect_in_view(bo, bo.locator(".offer"), bo.get_by_role("button", name="Join the rematch"))
    spectator.get_by_role("link", name="Watch the rematch").click()
    bo.get_by_role("button", name="Join the rematch").click()
    expect(ada.locator("#status.fresh")).to_contain_text("Bo has joined. The match starts.")
    for page in (ada, bo, spectator):
        expect(page).to_have_url(f"{served.url}/match/{view(served, match)['rematch']}")
    wait_for_turn(bo)
    expect(spectator.locator(".lead")).to_have_text("It is Bo's turn.")


def test_a_lost_and_a_regained_connection_are_shown_and_told(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True)
    sockets: list[WebSocketRoute] = []
    cut: list[bool] = []

    def forward(socket: WebSocketRoute) -> None:
        if cut:
            socket.close()
            return
        sockets.append(socket)
        socket.connect_to_server()

    visitor.page.route_web_socket("**/live", forward)
    page, bo = seated(visitor, served, "crystal-capture")
    wait_for_turn(page)
    with bo.live():  # or the status would say that Bo is away
        cut.append(True)
        sockets[-1].close()
        expect(page.locator("#status")).to_have_text("Connection lost. Reconnecting …")
        expect_in_view(page, page.locator(".connection"))
        cut.clear()
        expect(page.locator("#status.fresh")).to_have_text("Connected again.")
        expect(page.locator(".connection")).to_have_count(0)
