"""Two people play by link while a spectator watches: every request is in view, and a killed server loses nothing."""

import io
import re

import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import HeldRequests
from tests.support.page_moves import (
    choose,
    click,
    expect_moves,
    gather,
    match_of,
    reviewed_moves,
    start,
    verdicts,
    view,
    wait_for_turn,
)
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

DISCONNECTED = [
    "ERR_CONNECTION",
    "WebSocket",
    "ERR_EMPTY_RESPONSE",
    "ERR_SOCKET",
    "ERR_CONTENT_LENGTH_MISMATCH",  # of an answer that was cut off
]  # logged about a dead server
SIZES = [(360, 740), (768, 1024), (1280, 720), (1920, 1080)]
HIDDEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  window.shown = [];
  const shown = window.shown;
  window.Notification = class extends window.Notification {
    static permission = "granted"; // which a browser without windows grants, and then denies
    constructor(title, options) { super(title, options); shown.push([title, options.body]); }
  };
}"""


def resign(page: Page, answer: str = "Resign") -> None:
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog", name="Resign?").get_by_role("button", name=answer).click()


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


def check_idle(bo: Page, spectator: Page) -> None:
    """Check that nothing looks playable to the other player and to a spectator, who has no actions either."""
    for name in ("Take back", "Resign", "Play move", "Hint"):
        expect(spectator.get_by_role("button", name=name)).to_have_count(0)
    for page in (bo, spectator):
        expect(page.locator("duel-board .board.idle")).to_have_count(1)
        expect(page.locator("duel-board button:not([aria-disabled])")).to_have_count(0)


def test_a_match_of_two_people_is_watched_and_survives_the_death_of_the_server(
    visit: Visit, served: RunningServer
) -> None:
    match, seats, guests = gather(visit, served, "crystal-capture")
    ada, bo, spectator = seats["first"], seats["second"], guests[2].page
    everybody = [ada, bo, spectator]

    guests[2].open("/lobby").locator(f'[href="/match/{match}"]').click()
    expect(spectator.locator(".lead")).to_have_text("It is Ada's turn.")
    check_idle(bo, spectator)
    spectator.locator('[data-move="9"]').dispatch_event("click")
    held = HeldRequests(ada, "**/actions", times=1)
    click(ada, "8")
    expect(ada.locator("duel-board .board.idle")).to_have_count(1)  # while the move is sent
    held.let_go()
    expect(spectator.locator("#status")).to_have_text("Ada: 8. It is Bo's turn.")
    assert view(served, match)["moves"] == ["8"]

    ada.get_by_role("button", name="Take back").click()
    expect(ada.locator(".ask")).to_have_text("You have asked to take back your last move.")
    expect(bo.locator("#status")).to_contain_text("Ada asks to take back their last move.")
    expect_in_view(bo, bo.locator(".ask"), bo.get_by_role("button", name="Agree"), bo.locator(".lead"))
    bo.get_by_role("button", name="Decline").click()
    for page in everybody:
        expect(page.locator("#status.fresh")).to_contain_text("Bo declines: the move is not taken back.")
        expect(page.locator(".ask")).to_have_count(0)
        expect_moves(page, ["8"])
    ada.get_by_role("button", name="Take back").click()
    bo.get_by_role("button", name="Agree").click()
    for page in everybody:
        expect(page.locator(".ask")).to_have_count(0)
        expect_moves(page, [])
    expect(bo.locator("#status")).to_contain_text("1 move taken back.")
    click(ada, "8")
    ada.get_by_role("button", name="Take back").click()
    expect(bo.locator(".ask")).to_be_visible()
    click(bo, "3")
    expect(ada.locator("#status.fresh")).to_contain_text("Your request to take back a move has ended")

    for guest in guests:
        guest.expected += DISCONNECTED
        guest.page.evaluate("window.notReloaded = true")
    served.kill()
    for page in everybody:
        expect(page.locator(".connection[data-lost]")).to_have_text("Connection lost. Reconnecting …")
    click(ada, "1")  # sent when the server is back
    waits = "Your move 1 is sent as soon as it is back."
    expect(ada.locator(".connection[data-lost]")).to_contain_text(waits)
    served.start()
    for page in everybody:
        expect(page.locator(".connection[data-lost]")).to_have_count(0)
        expect_moves(page, ["8", "3", "1"])

    second_tab = guests[0].context.new_page()
    second_tab.goto(ada.url)
    click(bo, "9")
    for page in (second_tab, ada):
        wait_for_turn(page)
    click(second_tab, "4")
    for page in (second_tab, *everybody):
        expect_moves(page, ["8", "3", "1", "9", "4"])
    resign(ada, "Cancel")
    assert view(served, match)["status"] == "playing"
    resign(ada)
    expect(bo.locator(".lead")).to_have_text("Ada resigns. Bo wins!")
    review = study(served, f"/api/matches/{match}/review")
    for page in everybody:
        expect(page.locator(".lead")).to_have_text("Ada resigns. Bo wins!")
        assert verdicts(page) == reviewed_moves(review)
        assert page.evaluate("window.notReloaded")


def test_an_invitation_leads_to_a_series_and_a_rematch(visit: Visit, served: RunningServer) -> None:
    terms = "Book rules · no clock · {} · best of two"
    _, seats, (_, _, watcher) = gather(visit, served, "flag-chase", {"bestOf": 2})
    ada, bo, spectator = seats["first"], seats["second"], watcher.page
    expect(ada.locator(".heading .terms")).to_have_text(terms.format("you move first"))
    expect(bo.locator(".heading .terms")).to_have_text(terms.format("Ada moves first"))
    for page in (ada, bo, spectator):
        expect(page.locator(".series")).to_have_text("Game 1 of 2 · Ada: 0, Bo: 0")
    targets = ".cell.reach, [data-target], .row .move:not([aria-disabled])"  # what looks playable
    expect(ada.locator(".cell.reach")).to_have_count(2)
    for page in (bo, spectator):
        expect(page.locator(targets)).to_have_count(0)
    held = HeldRequests(ada, "**/actions", times=1)
    ada.locator('.cell[data-target="1"]').click()
    expect(ada.locator(".cell.reach, [data-target]")).to_have_count(0)  # while the move is sent
    held.let_go()
    expect(bo.locator(".cell.reach")).to_have_count(2)
    expect(ada.locator(targets)).to_have_count(0)
    resign(bo)
    expect(ada.locator(".series")).to_have_text("Game 1 of 2 · Ada: 1, Bo: 0")
    expect(ada.locator(".heading .terms")).to_have_text(terms.format("you move first"))
    ada.get_by_role("button", name="Play game 2 of 2").click()
    bo.get_by_role("button", name="Join game 2").click()
    wait_for_turn(bo)
    for page in (ada, bo):
        expect(page.locator(".series")).to_have_text("Game 2 of 2 · Bo: 0, Ada: 1")
    spectator.get_by_role("link", name="Watch the rematch").or_(
        spectator.get_by_role("link", name="Watch")
    ).first.click()
    resign(bo)
    expect(ada.locator(".series")).to_have_text("Game 2 of 2 · Bo: 0, Ada: 2 · Ada wins the series")
    rematch = bo.get_by_role("button", name="Rematch", exact=True)
    expect_in_view(bo, bo.get_by_role("heading", name="You lost"), rematch)
    expect(bo.locator(".result")).to_be_in_viewport(ratio=1)
    expect(ada.locator(".headline")).to_have_text("You won")
    expect(spectator.locator(".headline")).to_have_text("Ada won")
    rematch.click()
    expect(bo.locator(".notice")).to_have_text("The rematch starts as soon as Ada has joined.")
    expect(ada.locator("#status.fresh")).to_contain_text("Bo offers a rematch.")
    expect(spectator.locator("#status.fresh")).to_contain_text("There is a rematch. You can watch it.")
    expect_in_view(ada, ada.locator(".offer"), ada.get_by_role("button", name="Join the rematch"))
    spectator.get_by_role("link", name="Watch the rematch").click()
    ada.get_by_role("button", name="Join the rematch").click()
    expect(bo.locator("#status.fresh")).to_contain_text("Ada has joined. The match starts.")
    wait_for_turn(ada)
    expect(ada.locator(".series")).to_have_text("Game 1 of 2 · Ada: 0, Bo: 0")
    expect(spectator.locator(".lead")).to_have_text("It is Ada's turn.")
    assert view(served, match_of(ada))["names"] == {"first": "Ada", "second": "Bo"}
    assert ada.url == bo.url == spectator.url


def test_an_invitation_states_its_terms_and_a_phone_reads_its_qr_code(visit: Visit, served: RunningServer) -> None:
    options = {"crystal-capture": {"crystals": 8, "goal": 17}}
    visitor = visit(prefs={"name": "Ada", "seat": "second", "bestOf": 4, "options": options, "public": True})
    page = visitor.open("/")
    match = start(page, "crystal-capture", "Invite a friend to {}")
    terms = "Fair: crystals 8 instead of 9, goal 17 instead of 15 · no clock · {} · best of four"
    expect(page.locator(".heading .terms")).to_have_text(terms.format("your opponent moves first"))
    expect(page.get_by_text("everybody can watch it from the lobby")).to_have_count(1)
    page.get_by_text("QR code for a phone").click()
    code = page.get_by_role("img", name="QR code of the link to the match")
    expect(code).to_be_visible()
    code.evaluate("image => image.decode().then(() => image.scrollIntoView({ block: 'center' }))")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
        assert [one.text for one in found] == [f"{served.url}/match/{match}"]
    guest = visit().open(f"/match/{match}")
    expect(guest.locator("form .terms")).to_have_text(terms.format("you move first"))
    expect(guest.locator(".terms")).to_have_count(1)
    guest.get_by_role("button", name="Rules").click()
    rules = guest.get_by_role("dialog", name="Rules of Crystal Capture")
    expect(rules).to_contain_text("exactly 17 points wins")  # with the options of this match, before joining
    rules.get_by_role("button", name="Close").click()
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_role("button", name="Join and move first").click()
    expect(guest.locator(".heading .terms")).to_have_text(terms.format("you move first"))
    expect(page.locator(".heading .terms")).to_have_text(terms.format("Bo moves first"))
    expect(page.locator(".series")).to_have_text("Game 1 of 4 · Bo: 0, Ada: 0")
    private = visit(prefs={"public": False}).open("/")
    start(private, "alpha-chase", "Invite a friend to {}")
    expect(private.get_by_label("Link to the match")).to_be_visible()
    expect(private.get_by_text("everybody can watch it from the lobby")).to_have_count(0)


def test_each_player_chooses_a_word_and_single_games_keep_their_score(visit: Visit, served: RunningServer) -> None:
    host = served.new_match("alpha-chase", choice="BRAVE", name="Ada", seat="first")
    page = visit(prefs={"name": "Bo"}).open(f"/match/{host.match}")
    choose(page, "alpha-chase", 2)
    page.get_by_role("button", name="Join and move second").click()
    for word in ("BRAVE", "CHARM"):
        expect(page.get_by_role("group", name=f"The word {word}")).to_be_visible()
    assert host.view()["view"]["words"] == ["BRAVE", "CHARM"]
    expect(page.locator(".series")).to_be_hidden()
    resign(page)
    page.get_by_role("button", name="Rematch", exact=True).click()
    page.wait_for_url(lambda url: host.match not in url)
    host.server.http.post(f"/api/matches/{match_of(page)}/join", json={"name": "Ada"}, headers=host.headers)
    expect(page.locator(".series")).to_have_text("Game 2 · Bo: 0, Ada: 1")
    assert view(served, match_of(page))["names"] == {"first": "Bo", "second": "Ada"}


def test_an_absent_player_can_come_back_or_loses_the_match(visit: Visit, served: RunningServer) -> None:
    match, seats, (host, guest, spectator) = gather(visit, served, "crystal-capture")
    bo, address = seats["second"], seats["first"].url
    guest.context.grant_permissions(["notifications"])
    bo.get_by_role("button", name="Settings").click()
    bo.get_by_role("switch", name="Notify me when it is my turn").click()
    expect(bo.get_by_role("switch", name="Notify me when it is my turn")).to_be_checked()
    bo.get_by_role("button", name="Done").click()
    bo.evaluate(HIDDEN)
    click(seats["first"], "1")  # Bo looks elsewhere, and is notified
    expect(bo.locator(".what")).to_have_text(["1"])
    assert bo.evaluate("window.shown") == [["Your turn in Crystal Capture", "It is your turn."]]
    assert bo.title().startswith("Your turn: ")
    guest.context.clear_permissions()
    click(bo, "9")
    expect(bo.locator(".ask")).to_have_count(0)
    host.page.goto("about:blank")
    for page in (bo, spectator.page):
        expect(page.locator(".place.first .away")).to_have_text("away")
        expect(page.locator(".place.second .away")).to_have_count(0)
    bo.get_by_role("button", name="Warn Ada").click()
    expect(bo.locator(".ask")).to_contain_text(re.compile("Ada has (been warned|not come back)"))  # in a second
    expect(spectator.page.locator(".ask")).to_have_text("Bo is waiting for Ada to come back.")
    host.page.goto(address)
    for page in (bo, spectator.page):
        expect(page.locator(".ask, .away")).to_have_count(0)
    assert view(served, match)["claim"] is None
    host.page.goto("about:blank")
    bo.get_by_role("button", name="Warn Ada").click()
    bo.get_by_role("button", name="Claim the win").click()
    for page in (bo, spectator.page):
        expect(page.locator(".lead")).to_have_text("Ada has stayed away. Bo wins!")
    assert view(served, match)["reason"] == "absence"
    guest.reusable = False  # it is hidden for good
