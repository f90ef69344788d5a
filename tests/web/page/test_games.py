"""Your games: the store of played games, the list, the ladder, the rating, and the file for another browser."""

import json
import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import PHONE, Visitor
from tests.support.page_modules import loading
from tests.support.page_moves import match_of
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PUT = """games => new Promise((done, failed) => {
  const request = indexedDB.open("duelbook", 1);
  request.onupgradeneeded = () =>
    request.result.createObjectStore("games", { keyPath: "id" }).createIndex("changed", "changed");
  request.onsuccess = () => {
    const transaction = request.result.transaction("games", "readwrite");
    for (const game of games) transaction.objectStore("games").put(game);
    transaction.oncomplete = () => { request.result.close(); done(); };
    transaction.onerror = () => failed(transaction.error);
  };
})"""
NO_DATABASE = "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error('no') } } })"


def played(number: int, **changes: Any) -> dict[str, Any]:
    """Return a game that was won against easy, so many hours ago."""
    when = int(time.time() * 1000) - number * 3_600_000
    game = {"id": f"{number:024x}", "game": "charge", "seat": "first", "against": "easy", "opponent": "easy"}
    terms = {"options": {"goal": 15}, "limit": None, "started": when, "changed": when}
    state = {"status": "over", "outcome": "first", "reason": "rules", "mover": None, "moves": 9, "version": 9}
    return game | terms | state | {"helped": False} | changes


def keep(visitor: Visitor, *games: dict[str, Any]) -> None:
    visitor.open("/healthz").evaluate(PUT, list(games))


def call(page: Page, module: str, name: str, *args: Any) -> Any:
    """Return what a function of one of the page's modules returns."""
    return page.evaluate(f"args => {loading(module)}.then((found) => found.{name}(...args))", list(args))


def test_games_are_listed_and_filtered_and_the_ladder_follows_from_what_was_won(
    visit: Visit, served: RunningServer
) -> None:
    visitor = visit()
    lost = played(6, game="flag-chase", opponent="medium", outcome="second")
    keep(visitor, played(1), lost, played(7) | {"game": {"hostile": 1}})
    page = visitor.open("/games")
    text = {title: page.locator(".ladder", has_text=title) for title in ("Charge", "Flag Chase", "Word Clash")}
    expect(text["Charge"]).to_contain_text("You won your first game against easy. Win 3 of 4 to move up.")
    for ladder in text.values():
        expect(ladder.get_by_role("button")).to_have_text("Play easy")  # nobody who has beaten easy is sent below it
    expect(text["Word Clash"]).to_contain_text("Start with easy.")
    expect(text["Charge"].locator("[data-state=passed]")).to_have_count(1)
    rows = page.locator(".played li")
    expect(rows).to_have_count(2)
    expect(page.locator(".notice")).to_have_text("1 of your games cannot be read and are left out here.")

    others = {"game": "crystal-capture", "opponent": "human", "against": "<b>Ada</b>", "limit": 30}
    keep(visitor, played(2), played(3, outcome="second"), played(4), played(8, **others, outcome="second"))
    visitor.open("/games")
    expect(rows).to_have_count(6)
    expect(page.locator(".notice")).to_have_text("1 of your games cannot be read and are left out here.")
    expect(rows.first).to_contain_text("Won")
    expect(rows.last).to_contain_text("Lost")
    expect(rows.last).to_contain_text("Crystal Capture against <b>Ada</b>")
    expect(rows.last).to_contain_text("30 seconds per move")
    page.get_by_label("Result").select_option("lost")
    expect(rows).to_have_count(3)
    page.get_by_label("Game", exact=True).select_option("charge")
    expect(rows).to_have_count(1)
    page.get_by_label("Opponent").select_option("human")
    expect(page.get_by_text("No game fits.")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("3 won, 3 lost")
    expect(page.locator(".facts")).to_contain_text("Winning streak2 best: 2")
    expect(page.locator(".facts")).to_contain_text(re.compile(r"Rating\d{4} ± \d{3} by 5 games"))
    expect(text["Charge"]).to_contain_text("You beat easy 3 of 4 times: try medium.")
    text["Charge"].get_by_role("button", name="Play Charge against medium").click()
    made = served.http.get(f"/api/matches/{match_of(page)}").json()
    assert (made["game"], "medium" in made["seats"].values()) == ("charge", True)


def test_unfinished_games_come_first_and_what_ended_meanwhile_is_found_out(visit: Visit, served: RunningServer) -> None:
    waiting, mine = served.new_match("charge"), served.new_match("charge", opponent="easy")
    ended, gone = served.new_match("charge", opponent="easy"), "f" * 24
    visitor = visit(viewport=PHONE)
    visitor.expected.append("404")
    ended.act("resign")
    states = {"status": "playing", "outcome": "none", "version": 0}
    keep(
        visitor,
        *(played(number) for number in range(1, 4)),
        played(4, id=waiting.match, **states | {"status": "waiting", "against": "", "opponent": ""}),
        played(5, id=mine.match, mover="first", **states),
        *(played(6, id=match, mover="first", **states) for match in (ended.match, gone)),
    )
    page = visitor.open("/games")
    for match, state in ((ended.match, "Lost"), (gone, "Removed")):
        expect(page.locator(f'.played a[href="/match/{match}"] .outcome')).to_have_text(state)
    rows = page.locator(".unfinished li .outcome")
    expect(rows).to_have_text(["Your turn", "Waiting"])
    expect(rows.first).to_be_in_viewport()
    order = page.locator("duel-games h2").all_inner_texts()
    assert order[:3] == ["Go on with", "All games", "The ladder"]


def test_a_browser_that_keeps_no_games_says_so_and_plays_on(visit: Visit) -> None:
    visitor = visit(private=True)
    keep(visitor, played(1))
    visitor.page.add_init_script(NO_DATABASE)
    page = visitor.open("/games")
    expect(page.locator(".notice")).to_contain_text("does not let the page keep your games")
    page.get_by_role("button", name="Play Charge against beginner").click()
    match_of(page)
    expect(page.locator("#status")).to_contain_text("does not let the page keep your games")
    move = page.locator("duel-board button.move[data-legal]").first
    move.click()
    expect(page.locator(".what").first).to_be_visible()


def test_two_tabs_write_games_at_once_and_none_is_lost(visit: Visit) -> None:
    visitor = visit(private=True)
    first, second = visitor.open("/games"), visitor.context.new_page()
    second.goto(first.url)
    halves = {first: range(1, 30), second: range(20, 60)}  # some of the games are in both
    for page, numbers in halves.items():
        adding = f"games => {{ window.adding = {loading('played-games.js')}.then((found) => found.addGames(games)) }}"
        page.evaluate(adding, [played(number) for number in numbers])
    for page in halves:
        page.evaluate("window.adding")
    assert len(call(first, "played-games.js", "playedGames")["games"]) == 59
    expect(first.locator(".played li")).to_have_count(15)  # and the list follows, a part of it at a time


def test_another_browser_takes_over_games_puzzles_preferences_and_seats(
    visit: Visit, served: RunningServer, tmp_path: Path
) -> None:
    here = visit(private=True, accept_downloads=True, prefs={"name": "Ada", "seat": "first"})
    page = here.open("/games")
    page.get_by_role("button", name="Play Charge against beginner").click()
    match = match_of(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint").first).not_to_be_empty()
    call(page, "played-games.js", "playedGames")  # which waits for what is being stored
    results = {"days": {"2026-03-01": {"marks": "o", "move": "8", "late": False}}}
    page.evaluate("results => { localStorage['duelbook-puzzles'] = results }", json.dumps(results))
    page.goto(f"{served.url}/games")
    (stored,) = call(page, "played-games.js", "playedGames")["games"]
    assert (stored["id"], stored["helped"]) == (match, True), "a game with a hint does not count for the rating"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "mine.json"
    saved.value.save_as(file)
    kept = json.loads(file.read_text())
    assert kept["seats"] == []
    page.get_by_text("Take your seats in unfinished matches along (1)").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Seat in Charge against beginner").click()
    seat_file = tmp_path / "seat.json"
    saved.value.save_as(seat_file)
    ((taken,),) = (json.loads(seat_file.read_text())["seats"],)
    assert taken["id"] == match
    assert taken["token"] not in Path(served.folder, "server.log").read_text(errors="ignore")

    there = visit(private=True)
    other = there.open("/games")
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(kept | {"seats": [{"id": "../../x", "token": "a" * 40}]}))
    other.get_by_label("Open files").set_input_files(bad)
    expect(other.locator("#status")).to_contain_text("Nothing was changed.")
    expect(other.locator(".played li")).to_have_count(0)

    other.get_by_label("Open files").set_input_files([file, seat_file])
    expect(other.locator(".notice")).to_contain_text("The file has 1 game: 1 are new or newer than here.")
    expect(other.locator(".played li")).to_have_count(0)
    other.get_by_role("button", name="Import").click()
    expect(other.locator("#status")).to_have_text(
        "Imported 1 game and 1 puzzle result. 1 of 1 seats can be played here now."
    )
    expect(other.locator(".played li")).to_have_count(1)
    assert json.loads(other.evaluate("localStorage.duelbook"))["name"] == "Ada"
    other.locator(".played a").click()
    move = other.locator("duel-board button.move[data-legal]").first
    expect(move).to_be_visible()
    name = move.get_attribute("data-move")
    move.click()
    expect(other.locator(".what").first).to_be_visible()
    assert served.http.get(f"/api/matches/{match}").json()["moves"][0] == name
    expect(page.locator(".played li")).to_have_count(1)
