"""The home screen: a first visitor is led to a lesson, others to what they began, within one screen of a phone."""

import json
import re
from datetime import UTC, datetime

from playwright.sync_api import Locator, Page, expect

from duelbook import GAMES
from tests.support.browser import PHONE, HeldRequests
from tests.support.page_moves import start, title_of, view, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

REFRESH_MS = 10_000  # how often the page asks how the games stand
ON_SCREEN = "one => { const box = one.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"


def test_a_first_visitor_sees_what_this_is_and_a_lesson_first(visit: Visit, served: RunningServer) -> None:
    page = visit(viewport=PHONE).page
    with page.expect_response("**/api/demonstrations") as asked:
        page.goto(f"{served.url}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Two-player games you learn in a minute")
    learn = page.get_by_role("link", name="in a minute")
    play = page.get_by_role("button", name=re.compile("Play .* now"))
    puzzle = page.get_by_role("link", name="Puzzle of the day")
    for one in (learn, play, puzzle, page.get_by_role("button", name="Play Alpha Chase")):
        expect(one).to_be_visible()
        assert one.evaluate(ON_SCREEN), one
    lines = asked.value.json()["lines"]
    assert [line["game"] for line in lines] == [*GAMES]
    for line in lines:  # the pictures play games to a win
        assert line["positions"][-1]["outcome"] in ("first", "second")
        assert len(line["moves"]) >= 4
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
    learn.click()
    expect(page).to_have_url(re.compile("/learn/"))


def test_who_has_been_here_goes_on_with_matches_the_puzzle_and_lessons(visit: Visit, served: RunningServer) -> None:
    page = visit(viewport=PHONE, prefs={"level": "random", "lessons": {"charge": lesson(2)}}).open("/")
    start(page, "crystal-capture")
    wait_for_turn(page)
    day = datetime.now(UTC).date().isoformat()
    results = {"days": {day: {"marks": "o", "move": "1", "late": False}}, "runs": []}
    page.evaluate("results => localStorage.setItem('duelbook-puzzles', results)", json.dumps(results))
    page.goto(f"{served.url}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome back")
    expect(tile(page, "Crystal Capture")).to_contain_text("Your turn · against random")
    expect(tile(page, "Puzzle of the day")).to_contain_text("Solved on the first try.")
    expect(tile(page, "Learn Charge")).to_contain_text("2 of 5 steps done")
    for name in ("Crystal Capture", "Puzzle of the day", "Learn Charge"):
        assert tile(page, name).evaluate(ON_SCREEN)
    tile(page, "Crystal Capture").click()
    wait_for_turn(page)


def test_who_has_not_chosen_begins_with_the_rules_that_are_suggested(visit: Visit, served: RunningServer) -> None:
    suggested = {
        game["name"]: preset
        for game in served.http.get("/api/games").json()["games"]
        for preset in game["presets"]
        if preset["suggested"]
    }
    assert suggested
    page = visit(prefs={"level": "random", "options": {}}).open("/")
    for game, preset in suggested.items():
        options = view(served, start(page, game))["options"]
        assert {name: options[name] for name in preset["options"]} == preset["options"]
        page.goto(f"{served.url}/")
        expect(page.get_by_role("button", name=f"Change how {title_of(game)} is played")).to_contain_text(
            preset["title"].lower()
        )


def test_a_guest_goes_on_with_games_and_their_tiles_tell_what_the_opponents_did(
    visit: Visit, served: RunningServer
) -> None:
    guest = visit(private=True, viewport=PHONE)
    guest.page.clock.install()
    friend = served.new_match("crystal-capture")
    page = guest.open(f"/match/{friend.match}")
    held = HeldRequests(page, "**/join", times=1)
    join, leave = page.get_by_role("button", name="Join and move second"), page.get_by_role("link", name="Duelbook")
    join.click()
    leave.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Two-player games you learn in a minute")
    held.let_go()  # who leaves before the answer keeps the seat
    expect(tile(page, "Crystal Capture")).to_contain_text("Their turn")
    page.goto("about:blank")
    assert friend.play(0, "1").status_code == 200
    guest.open("/")
    expect(tile(page, "Crystal Capture")).to_contain_text("Your turn")
    page.goto("about:blank")
    assert friend.act("resign").status_code == 200
    guest.open("/")
    expect(tile(page, "Puzzle of the day")).to_be_visible()
    expect(tile(page, "Crystal Capture")).to_have_count(0)

    friends = [served.new_match("flag-chase") for _ in range(4)]
    for number, friend in enumerate(friends):
        guest.open(f"/match/{friend.match}")
        join.click()
        expect(page.locator(".standing")).to_contain_text("turn")
        leave.click()
        expect(tile(page, "Flag Chase")).to_have_count(min(2, number + 1))
    expect(tile(page, "Your turn")).to_have_count(0)
    assert friends[-1].play(0, "1").status_code == 200
    page.clock.run_for(REFRESH_MS)  # while it is looked at
    expect(tile(page, "Your turn")).to_have_count(1)
    tile(page, "2 more unfinished games").click()
    expect(page.locator(".unfinished li")).to_have_count(4)


def lesson(step: int) -> dict[str, object]:
    return {"solved": [*range(step)], "steps": 5, "done": False}


def tile(page: Page, name: str) -> Locator:
    return page.locator(".tile", has_text=name)
