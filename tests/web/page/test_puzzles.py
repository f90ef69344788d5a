"""Puzzles: only one move wins, the board shows why a wrong answer fails, and the browser counts the streak."""

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.page_moves import click, tab
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

API = "/api/puzzles/crystal-capture?seed=5"
PAGE = "/puzzle/crystal-capture?seed=5"
NO_STREAK = "Solve the puzzle on the first try to start a streak."


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


def test_the_right_answer_is_confirmed(visit: Visit, served: RunningServer) -> None:
    asked = fetch_puzzle(served, API)
    moves = (asked["plies"] + 1) // 2
    page = visit().open(PAGE)
    expect(page.locator(".lead")).to_contain_text(f"Only one move wins: find it and win in {moves} move")
    expect(page.locator(".what")).to_have_text(asked["moves"])
    tab(page, asked["answer"])
    expect(page.locator(".lead")).to_contain_text(f"{asked['answer']} is right: it wins in {moves} move")
    expect(page.locator(".lead")).to_contain_text(f". {asked['why']}")
    expect(page.locator("#status")).to_have_text(page.locator(".lead").inner_text())
    expect(page.locator(".what")).to_have_text([*asked["moves"], asked["answer"]])


def test_a_wrong_answer_is_refuted_on_the_board(visit: Visit, served: RunningServer) -> None:
    asked = fetch_puzzle(served, API)
    page = visit().open(PAGE)
    click(page, asked["wrong"])
    assert asked["why_not"].startswith(
        f"{asked['wrong']} does not win: your opponent plays {asked['refutation'][0]} and "
    )
    answer = f"The winning move is {asked['answer']}. {asked['why']}"
    expect(page.locator(".lead")).to_have_text(f"{asked['why_not']} {answer}")
    expect(page.locator(".what")).to_have_text([*asked["moves"], asked["wrong"], *asked["refutation"]])
    taken = page.locator("duel-board .gone")
    expect(taken).to_have_count(len(asked["moves"]) + 1)
    page.keyboard.press("ArrowRight")
    expect(taken).to_have_count(len(asked["moves"]) + 2)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".lead")).to_contain_text("Only one move wins")
    click(page, asked["answer"])
    expect(page.locator(".lead")).to_contain_text("is right")


@pytest.mark.parametrize("right", [True, False], ids=["kept", "broken"])
def test_the_first_try_of_a_day_decides_the_streak(visit: Visit, served: RunningServer, right: bool) -> None:
    asked = fetch_puzzle(served, "/api/puzzles/daily")
    today = date.fromisoformat(asked["day"])
    before = {(today - timedelta(days=ago)).isoformat(): "right" for ago in (2, 1)}
    page = visit(prefs={"tried": before}).open("/puzzle/daily")
    streak = page.locator(".streak")
    expect(streak).to_have_text("Solved on the first try 2 days in a row.")
    click(page, asked["answer" if right else "wrong"])
    expect(streak).to_have_text("Solved on the first try 3 days in a row." if right else NO_STREAK)
    assert kept_days(page) == dict.fromkeys(before, "o") | {asked["day"]: "o" if right else "x"}
    if not right:
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".lead")).to_contain_text("Only one move wins")
        click(page, asked["answer"])
        expect(page.locator(".lead")).to_contain_text("is right")
        expect(streak).to_have_text(NO_STREAK)


def test_a_missed_day_breaks_the_streak(visit: Visit) -> None:
    long_ago = {"2020-02-28": "right", "2020-02-29": "right"}
    page = visit(prefs={"tried": long_ago}).open("/")
    expect(page.get_by_role("article", name="Puzzle of the day")).to_contain_text(NO_STREAK)


def test_values_are_hidden_until_the_player_turns_them_on(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs={"values": True}).open(PAGE)
    answer = page.locator(f'[data-move="{fetch_puzzle(served, API)["answer"]}"]')
    expect(answer).to_be_visible()
    expect(page.get_by_label("Values")).not_to_be_checked()
    assert page.locator(".mark").count() == 0
    page.get_by_label("Values").check()
    expect(answer.locator(".mark")).to_contain_text("W")
    expect(page.locator('.mark[data-value="win"]')).to_have_count(1)


def test_another_puzzle_has_an_address_of_its_own(visit: Visit) -> None:
    page = visit().open(PAGE)
    page.get_by_role("link", name="Another Crystal Capture puzzle").click()
    expect(page).to_have_url(re.compile("/puzzle/crystal-capture[?]seed=[0-9]{3,}$"))
    shown = page.locator(".what").all_inner_texts()
    page.reload()
    expect(page.locator(".what")).to_have_text(shown)


def test_a_late_puzzle_does_not_change_the_address_of_another_screen(visit: Visit, served: RunningServer) -> None:
    page = visit().page
    held: list[Route] = []
    page.route("**/api/puzzles/**", lambda route: held.append(route), times=1)
    page.goto(f"{served.url}/puzzle/crystal-capture")
    page.get_by_role("link", name="Watch").click()
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
    with page.expect_response("**/api/positions/**"):
        held[0].continue_()
    expect(page).to_have_url(f"{served.url}/watch")
    expect(page).to_have_title("Watch · Duelbook")
