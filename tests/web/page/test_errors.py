"""Errors are shown in a sentence and change nothing; what strangers write is shown as text."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.browser import PHONE
from tests.support.game_folders import short_variants
from tests.support.page_moves import seated, start, type_move, view, wait_for_board, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

MARKUP = "<img src=x onerror=alert(1)>"
OVERRIDE = "abc\u202edcba"


def test_an_illegal_move_is_refused_and_changes_nothing(visit: Visit, served: RunningServer) -> None:
    visitor = visit()
    visitor.expected += ["422"]
    page, bo = seated(visitor, served, "alpha-chase", options=short_variants("alpha-chase")[0])
    wait_for_turn(page)
    page.mouse.move(0, 0)  # at a move, it would change the board: a browser may tell so only later
    expect(page.locator("duel-board .words kbd").first).to_be_attached()  # the keys are ready, and their line is there
    wait_for_board(page)
    before = page.locator("duel-board").inner_html()
    for move, told in {
        "letter <b>99</b>": "'letter <b>99</b>' is not legal here. Legal moves: A, B, ",
        "\u212a": "'\u212a' (\u212a is KELVIN SIGN) is not legal here. Legal moves: A, B, ",  # it only looks like a K
    }.items():
        type_move(page, move)
        expect(page.locator("#status.fresh")).to_contain_text(told)
        expect(page.get_by_label("Type a move")).to_have_value("")
        assert page.locator("duel-board").inner_html() == before
    assert bo.view()["ply"] == 0


def test_hostile_names_are_shown_as_text_and_cannot_be_too_long(visit: Visit, served: RunningServer) -> None:
    host = served.new_match("flag-chase", name=MARKUP, seat="first", public=True)
    guest = host.friend(name=OVERRIDE)
    shown = {"first": MARKUP, "second": OVERRIDE.replace("\u202e", "\ufffd")}
    page = visit(viewport=PHONE).open(f"/match/{host.match}")
    expect(page.locator(".lead")).to_have_text(f"It is {shown['first']}'s turn.")
    for seat, name in shown.items():
        expect(page.locator(f".place.{seat} .named")).to_have_text(name)
    host.play(0, "1")
    expect(page.locator("#status")).to_have_text(f"{shown['first']}: 1. It is {shown['second']}'s turn.")
    guest.play(1, "1")
    expect(page.locator(".log li")).to_have_count(2)
    host.act("resign")
    for name in shown.values():
        expect(page.locator(".lead")).to_contain_text(name)
        expect(page.locator(".accuracy")).to_contain_text(name)
    check_layout(page)

    players = served.new_pair("flag-chase", name=MARKUP, public=True)
    maker = served.new_match("flag-chase", name=MARKUP, open=True)
    with players[0].live(), players[1].live(), maker.live():
        page.goto(f"{served.url}/lobby")
        for listed in ("Open challenges", "Being played now"):
            expect(page.get_by_role("list", name=listed)).to_contain_text(MARKUP)
        check_layout(page)

    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Your name").press_sequentially(MARKUP * 2)
    page.get_by_label("Your name").blur()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("link", name="Duelbook").click()
    match = start(page, "flag-chase", "Invite a friend to {}")
    assert view(served, match)["names"]["first"] == (MARKUP * 2)[:32]


def check_layout(page: Page) -> None:
    """Check that no name has become an element, and that nothing overflows the screen."""
    assert page.locator("img, script:not([src])").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_wrong_address_shows_an_error_and_a_way_out(visit: Visit) -> None:
    visitor = visit()
    visitor.expected += ["404", "422"]
    for path, words in {
        "/match/0123456789abcdef01234567": "There is no such match.",
        "/match/nothing": "There is no such match.",
        "/puzzle/charge?seed=abc": "must be text of 1 to 20 digits.",
        "/analysis/charge?option=goal=0": "Goal must be from 1 to 60, not 0.",
        "/analysis/charge?after=charge+9": "This position cannot be shown. Move 1: 'charge 9' is not legal",
    }.items():
        page = visitor.open(path)
        expect(page.locator(".notice")).to_contain_text(words)
        page.locator("main a").click()
        expect(page.locator(".notice")).to_have_count(0)
    expect(page.locator("duel-board button.move").first).to_be_visible()  # of an empty analysis board
    for section in ("puzzle", "learn", "analysis"):
        visitor.open(f"/{section}/chess")
        expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")
        games = page.get_by_role("list", name="Games").get_by_role("link")
        expect(games).to_have_text(["Alpha Chase", "Word Clash", "Crystal Capture", "Charge", "Flag Chase"])
        games.last.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Flag Chase")


def test_a_file_that_is_not_a_record_is_refused(visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    visitor = visit()
    visitor.expected += ["422"]
    for content, words in {
        "{": "This file is not a record. Choose a .json file that Duelbook saved.",
        "[]": "record",
        json.dumps({"game": "chess"}): "record",
        "x" * 65_537: "This file is too large to be a record. Choose a .json file that Duelbook saved.",
    }.items():
        file.write_text(content)
        page = visitor.open("/record")
        page.get_by_label("Record").set_input_files(file)
        expect(page.locator("#status")).to_contain_text(words)
        expect(page.locator(".notice")).to_have_text(page.locator("#status").inner_text())
        expect(page.locator("duel-line")).to_have_count(0)


def test_a_busy_server_is_asked_again(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs={"values": True}).page
    busy = json.dumps({"code": "unavailable", "detail": "The service is busy."})
    page.route("**/api/solve/**", lambda route: route.fulfill(status=503, body=busy), times=2)
    page.goto(f"{served.url}/analysis/flag-chase")
    expect(page.locator("duel-board .mark")).to_have_count(2)
