"""An invitation states its terms, as a link and as a QR code that a phone can read."""

import io
from typing import Literal

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.support.browser import PHONE
from tests.support.page_moves import match_of, start
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PREFS = {"name": "Ada", "seat": "second", "bestOf": 4, "options": {"crystal-capture": {"crystals": 8, "goal": 17}}}
TERMS = "Fair: crystals 8 instead of 9, goal 17 instead of 15 · no clock · {} · best of four"


def test_the_terms_stand_in_the_invitation_the_match_and_the_review(visit: Visit, served: RunningServer) -> None:
    host = visit(prefs=PREFS).open("/")
    match = start(host, "crystal-capture", "Invite a friend to {}")
    expect(host.locator(".heading .terms")).to_have_text(TERMS.format("your opponent moves first"))
    guest = visit(viewport=PHONE).open(f"/match/{match}")
    expect(guest.locator("form .terms")).to_have_text(TERMS.format("you move first"))
    expect(guest.locator(".terms")).to_have_count(1)
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_role("button", name="Join and move first").click()
    expect(guest.locator(".heading .terms")).to_have_text(TERMS.format("you move first"))
    expect(host.locator(".heading .terms")).to_have_text(TERMS.format("Bo moves first"))
    host.get_by_role("button", name="Resign").click()
    host.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(host.locator(".accuracy")).to_be_visible()  # the review
    expect(host.locator(".heading .terms")).to_have_text(TERMS.format("Bo moves first"))
    expect(host.locator(".series")).to_have_text("Game 1 of 4 · Bo: 1, Ada: 0")


@pytest.mark.parametrize("public", [True, False])
def test_an_invitation_says_whether_others_can_watch(visit: Visit, public: bool) -> None:
    page = visit(prefs={"public": public}).open("/")
    start(page, "flag-chase", "Invite a friend to {}")
    expect(page.get_by_label("Link to the match")).to_be_visible()
    expect(page.get_by_text("everybody can watch it from the lobby")).to_have_count(int(public))


def test_a_phone_reads_the_link_from_the_qr_code(visit: Visit, served: RunningServer) -> None:
    visitor = visit(viewport=PHONE)
    page = visitor.open("/")
    start(page, "flag-chase", "Invite a friend to {}")
    page.get_by_text("QR code for a phone").click()
    code = page.get_by_role("img", name="QR code of the link to the match")
    expect(code).to_be_visible()
    code.evaluate("image => image.decode().then(() => image.scrollIntoView({ block: 'center' }))")
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        found = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
        assert [one.text for one in found] == [f"{served.url}/match/{match_of(page)}"]
