"""Puzzles: one move wins, a wrong answer is refuted on the board, and the streak of days is kept in the browser."""

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.page_table import click, tab
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

ASKED = "/puzzles/crystal-capture?seed=5"
BEGIN = "Solve it at the first try to begin a streak."


def puzzle(served: RunningServer, path: str) -> dict[str, Any]:
    """Answer a puzzle with a wrong move, how that is refuted, and the answer."""
    asked = study(served, f"/api{path}")
    options = "".join(f"&option={name}={value}" for name, value in asked["options"].items())
    line = served.http.get(f"/api/positions/{asked['game']}?after={','.join(asked['moves'])}{options}").json()
    for wrong in line["positions"][-1]["legal"]:
        tried: dict[str, Any] = study(served, f"/api{path}{'&' if '?' in path else '?'}try={wrong}")
        if not tried["right"]:
            return tried | {"wrong": wrong}
    raise AssertionError("every move is right")


def remembered(page: Page) -> dict[str, Any]:
    """Answer what the browser remembers."""
    kept: dict[str, Any] = json.loads(page.evaluate("localStorage.duelbook"))
    return kept


def test_the_right_answer_is_praised(visit: Visit, served: RunningServer) -> None:
    asked = puzzle(served, ASKED)
    page = visit().open(ASKED.replace("puzzles", "puzzle"))
    expect(page.locator(".lead")).to_contain_text(f"One move wins, in {asked['plies']} move")
    expect(page.locator(".what")).to_have_text(asked["moves"])
    tab(page, asked["answer"])
    expect(page.locator(".lead")).to_contain_text(f"{asked['answer']} is right: it wins in {asked['plies']} move")
    expect(page.locator("#status")).to_have_text(page.locator(".lead").inner_text())
    expect(page.locator(".what")).to_have_text([*asked["moves"], asked["answer"]])


def test_a_wrong_answer_is_refuted_on_the_board(visit: Visit, served: RunningServer) -> None:
    asked = puzzle(served, ASKED)
    page = visit().open(ASKED.replace("puzzles", "puzzle"))
    click(page, asked["wrong"])
    refuted = f"It would go on {', '.join(asked['refutation'])}. Right was {asked['answer']}."
    expect(page.locator(".lead")).to_have_text(f"{asked['wrong']} gives the win away. {refuted}")
    expect(page.locator(".what")).to_have_text([*asked["moves"], asked["wrong"], *asked["refutation"]])
    taken = page.locator("duel-board .gone")
    expect(taken).to_have_count(len(asked["moves"]) + 1)
    page.keyboard.press("ArrowRight")
    expect(taken).to_have_count(len(asked["moves"]) + 2)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".lead")).to_contain_text("One move wins")
    click(page, asked["answer"])
    expect(page.locator(".lead")).to_contain_text("is right")


@pytest.mark.parametrize("right", [True, False], ids=["kept", "broken"])
def test_the_streak_is_kept_by_the_first_try_of_a_day(visit: Visit, served: RunningServer, right: bool) -> None:
    asked = puzzle(served, "/puzzles/daily")
    today = date.fromisoformat(asked["day"])
    before = {(today - timedelta(days=ago)).isoformat(): "right" for ago in (2, 1)}
    page = visit(prefs={"tried": before}).open("/puzzle/daily")
    streak = page.locator(".streak")
    expect(streak).to_have_text("Solved at the first try on 2 days in a row.")
    click(page, asked["answer" if right else "wrong"])
    expect(streak).to_have_text("Solved at the first try on 3 days in a row." if right else BEGIN)
    assert remembered(page)["tried"] == before | {asked["day"]: "right" if right else "wrong"}
    if not right:
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".lead")).to_contain_text("One move wins")
        click(page, asked["answer"])
        expect(page.locator(".lead")).to_contain_text("is right")
        expect(streak).to_have_text(BEGIN)


def test_a_day_that_was_left_out_breaks_the_streak(visit: Visit) -> None:
    long_ago = {"2020-02-28": "right", "2020-02-29": "right"}
    page = visit(prefs={"tried": long_ago}).open("/")
    expect(page.get_by_role("article", name="Puzzle of the day")).to_contain_text(BEGIN)


def test_values_stay_hidden_until_somebody_asks(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs={"values": True}).open(ASKED.replace("puzzles", "puzzle"))
    answer = page.locator(f'[data-move="{puzzle(served, ASKED)["answer"]}"]')
    expect(answer).to_be_visible()
    expect(page.get_by_label("Values")).not_to_be_checked()
    assert page.locator(".mark").count() == 0
    page.get_by_label("Values").check()
    expect(answer.locator(".mark")).to_contain_text("W")
    expect(page.locator('.mark[data-value="win"]')).to_have_count(1)


def test_another_puzzle_has_an_address_of_its_own(visit: Visit) -> None:
    page = visit().open(ASKED.replace("puzzles", "puzzle"))
    page.get_by_role("link", name="Another of Crystal Capture").click()
    expect(page).to_have_url(re.compile("/puzzle/crystal-capture[?]seed=[0-9]{3,}$"))
    shown = page.locator(".what").all_inner_texts()
    page.reload()
    expect(page.locator(".what")).to_have_text(shown)


def test_a_puzzle_that_comes_too_late_does_not_take_the_address(visit: Visit, served: RunningServer) -> None:
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
