"""Puzzles: only one move wins, the board shows why a wrong answer fails, and the browser counts the streak."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.support.browser import PHONE, HeldRequests
from tests.support.page_moves import click, tab
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

API = "/api/puzzles/crystal-capture?seed=5"
PAGE = "/puzzle/crystal-capture?seed=5&kind=win"
LAPTOP: ViewportSize = {"width": 1280, "height": 800}


def fetch_puzzle(served: RunningServer, path: str) -> dict[str, Any]:
    """Return a puzzle with its answer, a wrong move (`wrong`), and its refutation."""
    asked = study(served, path)
    options = "".join(f"&option={name}={value}" for name, value in asked["options"].items())
    line = served.http.get(f"/api/positions/{asked['game']}?after={','.join(asked['moves'])}{options}").json()
    for wrong in line["positions"][-1]["legal"]:
        tried: dict[str, Any] = study(served, f"{path}{'&' if '?' in path else '?'}try={wrong}")
        if not tried["right"]:
            return tried | {"wrong": wrong}
    raise AssertionError("every move is right")


def kept_days(page: Page) -> dict[str, str]:
    """Return the marks of each day that the browser keeps."""
    days: dict[str, dict[str, str]] = json.loads(page.evaluate("localStorage['duelbook-puzzles']"))["days"]
    return {day: result["marks"] for day, result in days.items()}


def test_a_wrong_answer_is_refuted_on_the_board_and_the_right_one_is_confirmed(
    visit: Visit, served: RunningServer
) -> None:
    asked = fetch_puzzle(served, API)
    moves = (asked["plies"] + 1) // 2
    page = visit(prefs={"values": True}).open(PAGE)
    expect(page.locator(".lead")).to_contain_text(f"Only one move wins: find it. You win in {moves} move")
    expect(page.locator(".what")).to_have_text(asked["moves"])
    expect(page.locator(f'[data-move="{asked["answer"]}"]')).to_be_visible()
    expect(page.get_by_label("Values")).to_have_count(0)
    assert page.locator(".mark").count() == 0
    click(page, asked["wrong"])
    assert asked["why_not"].startswith(
        f"{asked['wrong']} does not win: your opponent plays {asked['refutation'][0]} and "
    )
    expect(page.locator(".lead")).to_have_text(asked["why_not"])  # and the answer is not given away
    expect(page.locator(".what")).to_have_text([*asked["moves"], asked["wrong"], *asked["refutation"]])
    taken = page.locator("duel-board .gone")
    expect(taken).to_have_count(len(asked["moves"]) + 1)
    page.keyboard.press("ArrowRight")
    expect(taken).to_have_count(len(asked["moves"]) + 2)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".lead")).to_contain_text("Only one move wins")
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("Rules of Crystal Capture")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)  # a closed one is removed a moment later, with its small boards
    tab(page, asked["answer"])
    expect(page.locator(".lead")).to_contain_text(f"{asked['answer']} is right: it wins in {moves} move")
    expect(page.locator(".lead")).to_contain_text(f". {asked['why']}")
    expect(page.locator("#status")).to_have_text(page.locator(".lead").inner_text())
    expect(page.locator(".what")).to_have_text([*asked["moves"], asked["answer"]])
    expect(page.get_by_label("Values")).to_be_visible()
    page.get_by_role("link", name="Another Crystal Capture puzzle").click()
    expect(page).to_have_url(re.compile("/puzzle/crystal-capture[?].*seed=[0-9]{3,}"))
    shown = page.locator(".what").all_inner_texts()
    page.reload()
    expect(page.locator(".what")).to_have_text(shown)


def test_another_puzzle_is_one_that_was_not_shown_before(visit: Visit, served: RunningServer) -> None:
    seeds = iter("5567777788888")  # which the server would draw

    def draw(route: Route) -> None:
        asked = route.request.url
        route.continue_(url=asked if "seed=" in asked else f"{asked}&seed={next(seeds)}")

    visitor = visit()
    visitor.page.route("**/api/puzzles/crystal-capture?*", draw)
    page = visitor.open("/puzzle/crystal-capture?kind=win")
    for seed in (5, 6, 7, 7):  # the last time, nothing else is drawn
        expect(page).to_have_url(re.compile(rf"seed={seed}\b"))  # until it is drawn, the address has no seed
        expect(page.locator(".what")).to_have_text(study(served, f"/api/puzzles/crystal-capture?seed={seed}")["moves"])
        page.get_by_role("link", name="Another Crystal Capture puzzle").click()
    expect(page).to_have_url(re.compile("seed=8"))


def test_a_puzzle_of_any_kind_keeps_its_address_and_is_judged_by_its_own_kind(
    visit: Visit, served: RunningServer
) -> None:
    drawn = (study(served, f"/api/puzzles/charge?kind=any&seed={seed}") for seed in count(1))
    puzzle = next(one for one in drawn if one["kind"] == "only-move")
    visitor = visit()
    visitor.page.route(
        "**/api/puzzles/charge?kind=any",
        lambda route: route.continue_(url=f"{route.request.url}&seed={puzzle['seed']}"),
    )
    page = visitor.open("/puzzle/charge")
    for _ in range(2):
        expect(page.locator(".heading .quiet")).to_have_text(f"The only move, level {puzzle['level']} of 5")
        expect(page.locator(".what")).to_have_text(puzzle["moves"])
        expect(page).to_have_url(re.compile("[?&]kind=any"))
        page.reload()
    click(page, fetch_puzzle(served, f"/api/puzzles/charge?kind=any&seed={puzzle['seed']}")["answer"])
    expect(page.locator(".lead")).to_contain_text("is right")


def open_daily(visit: Visit, day: str, viewport: ViewportSize) -> tuple[Page, dict[str, str]]:
    """Open the puzzle of the day for somebody who solved those of the two days before, and return their results."""
    before = [(date.fromisoformat(day) - timedelta(days=ago)).isoformat() for ago in (2, 1)]
    results = {"days": {key: {"marks": "o", "move": "", "late": False} for key in before}, "runs": []}
    visitor = visit(viewport=viewport)
    keep = "results => { localStorage['duelbook-puzzles'] = results }"
    visitor.open("/healthz").evaluate(keep, json.dumps(results))
    page = visitor.open("/puzzle/daily")
    streak = page.locator(".streak")
    expect(streak).to_contain_text("Your streak: 2 days solved on the first try.")
    expect(streak).to_contain_text(re.compile(r"The next puzzle comes in \d\d:\d\d:\d\d\."))
    return page, dict.fromkeys(before, "o")


def check_result(page: Page, day: str, headline: str, streak: str, state: str) -> None:
    expect(page.locator(".headline")).to_have_text(headline)
    expect(page.locator(".streak")).to_have_text(re.compile(rf"^{streak}Next puzzle in \d\d:\d\d:\d\d$"))
    expect(page.locator(f'.calendar a[aria-label^="{day}"]')).to_have_attribute("data-state", state)


def test_a_right_first_try_continues_the_streak_and_other_moves_lead_back_to_the_result(
    visit: Visit, served: RunningServer
) -> None:
    asked = fetch_puzzle(served, "/api/puzzles/daily")
    page, before = open_daily(visit, asked["day"], PHONE)
    click(page, asked["answer"])
    banner, note = page.locator(".puzzle-result"), page.locator(".branch")
    parts = (banner.locator(".headline"), banner.get_by_role("button", name="Share"), page.locator("duel-board"))
    for viewport in (PHONE, LAPTOP):
        page.set_viewport_size(viewport)
        for part in parts:
            expect(part).to_be_in_viewport(ratio=0.75)
        expect(banner.get_by_role("link", name=re.compile("Another .* puzzle"))).to_be_in_viewport()
        board = page.locator("duel-board").bounding_box()
        for _ in range(30):  # the first legal move, until the game is over
            shown = page.locator(".what").count()
            page.locator("duel-board button.move:not([aria-disabled])").first.click()
            expect(page.locator(".what")).to_have_count(shown + 1)
            if "The game ends here" in note.inner_text():
                break
        expect(note).to_contain_text(re.compile("The game ends here: (you win|you lose|a draw)"))
        assert page.locator("duel-board").bounding_box() == board  # nothing moves
        note.get_by_role("button", name="Back to the puzzle").click()
        expect(banner).to_be_visible()
    assert kept_days(page) == before | {asked["day"]: "o"}
    page.reload()
    expect(page.locator(".lead")).to_contain_text(f"{asked['answer']} is right")
    expect(page.locator(".marks span")).to_have_count(1)
    check_result(page, asked["day"], "Solved on the first try", "Streak: 3 days · ", "first try")
    page.goto(f"{served.url}/")
    puzzle = page.get_by_role("link", name="Puzzle of the day")
    expect(puzzle.locator(".state")).to_have_text("Solved on the first try, 3 days in a row.")


def test_a_result_is_shared_without_its_moves_and_a_past_day_leaves_the_streak(
    visit: Visit, served: RunningServer
) -> None:
    day = (datetime.now(UTC).date() - timedelta(days=1)).isoformat()
    asked = fetch_puzzle(served, f"/api/puzzles/daily?day={day}")
    visitor = visit(private=True, permissions=["clipboard-read", "clipboard-write"])
    page = visitor.open("/puzzle/daily")
    page.locator(f'.calendar a[aria-label^="{day}"]').or_(page.get_by_label("The previous month")).first.click()
    page.goto(f"{served.url}/puzzle/daily?day={day}")
    click(page, asked["wrong"])
    page.get_by_role("button", name="Try again").click()
    for name in ("Hint", "Show some moves", "Show the answer"):
        expect(page.get_by_role("button", name=re.compile("Hint|Show"))).to_be_visible()
        if page.get_by_role("button", name=name).is_visible():
            page.get_by_role("button", name=name).click()
            expect(page.get_by_role("button", name=name)).to_be_hidden()
    expect(page.locator(".headline")).to_have_text("Not this time")
    expect(page.locator(".lead")).to_contain_text("The answer: ")
    expect(page.locator(".streak")).to_have_text("Puzzles of past days leave your streak as it is.")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#status")).to_have_text("Copied to the clipboard.")
    first, squares, address = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert first.startswith("Duelbook puzzle of ")
    assert first.endswith(f"level {asked['level']} of 5")
    assert re.fullmatch("🟥🟨{1,2}⬛", squares)
    assert address == f"{served.url}/puzzle/daily?day={day}"


def test_a_trap_says_what_tempts_and_the_kinds_and_levels_of_a_game_are_offered(
    visit: Visit, served: RunningServer
) -> None:
    path = "/api/puzzles/charge?seed=7&kind=trap&level=4"
    tried = fetch_puzzle(served, path)
    page = visit().open(path.removeprefix("/api").replace("puzzles", "puzzle"))
    expect(page.locator(".lead")).to_contain_text("A tempting move loses. Find a move that")
    levels = study(served, "/api/puzzles/charge/levels")["levels"]
    expect(page.locator(".kinds a")).to_have_count(sum(1 + len(found) for found in levels.values()))
    click(page, tried["trap"])
    expect(page.locator(".lead")).to_contain_text(f"{tried['trap']} does not win")
    page.get_by_role("button", name="Try again").click()
    click(page, tried["answer"])
    expect(page.locator(".lead")).to_contain_text(f"The trap is {tried['trap']}: ")


def test_a_run_counts_right_moves_and_a_wrong_one_costs_ten_seconds(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True)
    page = visitor.page
    page.clock.install()

    def begin() -> None:
        visitor.open("/puzzle/run")
        page.locator("button.main:not([aria-disabled])").click()
        expect(page.locator(".run-bar strong")).to_have_text("0 puzzles")

    def answer(right: bool) -> None:
        key = page.locator(".run").get_attribute("data-puzzle") or ""
        tried = fetch_puzzle(served, key)
        click(page, tried["answer" if right else "wrong"])
        expect(page.locator(".news")).to_contain_text("is right." if right else "10 seconds less.")
        expect(page.locator(".run-bar strong")).to_have_text("1 puzzle")

    begin()
    answer(right=True)
    answer(right=False)
    page.clock.fast_forward(171_000)  # three minutes without ten seconds
    expect(page.get_by_role("heading", name="You solved 1 puzzle")).to_be_visible()
    expect(page.locator(".lead")).to_contain_text("That is your best run. 1 wrong move.")
    begin()
    answer(right=True)
    page.get_by_role("link", name="Lobby").click()  # a run that is left keeps its score
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    assert [run["score"] for run in json.loads(page.evaluate("localStorage['duelbook-puzzles']"))["runs"]] == [1, 1]
    begin()
    page.get_by_role("button", name="End the run").click()
    expect(page.get_by_role("heading", name="You solved 0 puzzles")).to_be_visible()
    expect(page.locator(".lead")).to_contain_text("Your best: 1 puzzle.")


def test_a_late_puzzle_does_not_change_the_address_of_another_screen(visit: Visit, served: RunningServer) -> None:
    page = visit().page
    held = HeldRequests(page, "**/api/puzzles/**", times=1)
    page.goto(f"{served.url}/puzzle/crystal-capture")
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    with page.expect_response("**/api/positions/**"):
        held.let_go()
    expect(page).to_have_url(f"{served.url}/lobby")
    expect(page).to_have_title("Lobby · Duelbook")
