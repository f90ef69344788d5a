"""A finished match: stepping, permalinks, verdicts, branches, the record, the shared text, and analysis."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page, WebSocketRoute, expect

from duelbook import Match, make, save_record
from duelbook.records.record import Note, Person
from tests.support.browser import HeldRequests
from tests.support.page_moves import click, reviewed_moves, typing_field, verdicts
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

MOVES = ["1", "9", "2", "6"]  # the second player reaches 15


def finish(served: RunningServer) -> str:
    players = served.new_pair("crystal-capture")
    for ply, move in enumerate(MOVES):
        players[ply % 2].play(ply, move)
    return players[0].match


def open_review(visit: Visit, match: str) -> Page:
    page = visit().open(f"/match/{match}")
    expect(page.locator(".accuracy li")).to_have_count(2)
    return page


def check_position(page: Page, ply: int) -> None:
    """Check that the position after this many moves is on the board, in the list and in the address."""
    current = page.locator(".ply[aria-current]")
    expect(current).to_have_count(1 if ply else 0)
    if ply:
        expect(current.locator(".number")).to_have_text(str(ply))
    taken = page.locator("duel-board .gone")
    expect(taken).to_have_count(ply)
    assert dict(parse_qsl(urlsplit(page.url).query)).get("ply", str(len(MOVES))) == str(ply)


def test_a_finished_match_is_stepped_through_and_other_moves_are_tried(visit: Visit, served: RunningServer) -> None:
    match = finish(served)
    page = open_review(visit, match)
    check_position(page, 4)
    for key, ply in [("ArrowLeft", 3), ("ArrowLeft", 2), ("ArrowRight", 3), ("Home", 0), ("ArrowLeft", 0), ("End", 4)]:
        page.keyboard.press(key)
        check_position(page, ply)
    for name, ply in [("First position", 0), ("Next move", 1), ("Last position", 4), ("Previous move", 3)]:
        page.get_by_role("button", name=name).click()
        check_position(page, ply)
    expect(page.locator("#status")).to_have_text("Move 3 of 4: 2.")
    page.get_by_role("button", name="Move 1: 1").click()
    check_position(page, 1)
    typing_field(page).press("ArrowRight")
    check_position(page, 1)
    page.get_by_label("Values").focus()
    page.keyboard.press("ArrowRight")
    check_position(page, 2)
    expect(page.get_by_label("Values")).to_be_focused()
    chart = page.locator(".chart")
    box = chart.bounding_box()
    assert box
    for ply in (1, 3, 0, 4):
        chart.click(position={"x": 8 + (box["width"] - 16) * ply / len(MOVES), "y": 20})
        check_position(page, ply)

    page.goto(f"{served.url}/match/{match}?ply=2")
    check_position(page, 2)
    expect(page.get_by_role("button", name="Crystal 9, just taken by")).to_be_visible()
    expect(page.locator(".ply .verdict")).to_have_count(len(MOVES))
    click(page, "3")
    expect(page.locator(".branch")).to_contain_text("You are trying other moves after move 2.")
    click(page, "6")
    expect(page.locator(".what")).to_have_text(["1", "9", "3", "6"])
    expect(page.locator(".ply .verdict")).to_have_count(2)
    assert "ply=2" in page.url
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator(".branch")).to_have_count(0)
    expect(page.locator(".what")).to_have_text(MOVES)
    check_position(page, 2)
    click(page, MOVES[2])
    expect(page.locator(".branch")).to_have_count(0)
    check_position(page, 3)
    page.goto(f"{served.url}/match/{match}?ply=99")
    expect(page.locator("duel-board .gone")).to_have_count(4)


def test_the_page_shows_the_review_of_the_server_the_values_and_a_way_to_analysis(
    visit: Visit, served: RunningServer
) -> None:
    match = finish(served)
    page = open_review(visit, match)
    review = study(served, f"/api/matches/{match}/review")
    assert verdicts(page) == reviewed_moves(review)
    worst = next(index for index, move in enumerate(review["moves"]) if move["verdict"] == "blunder")
    page.locator(".ply").nth(worst).click()
    judged = review["moves"][worst]
    assert f"Better was {judged['best']}: it " in judged["why"]
    text = f"Move {worst + 1}, {judged['move']}: a blunder. {judged['why']}"
    expect(page.locator(".judgement")).to_have_text(text)
    expect(page.locator(".decided")).to_have_text(review["decided"])
    assert review["decided"].startswith("The turning point was move ")
    expect(page.locator(".chart")).to_have_attribute("aria-label", chart_text(review))
    for player, line in zip(review["players"], page.locator(".accuracy li").all(), strict=True):
        share = f"{round(player['accuracy'] * 100)}% of the moves that mattered were right"
        expect(line).to_have_text(f"{player['name']}: {share}")
    page.get_by_label("Values").check()
    page.locator(".ply").nth(1).click()
    expect(page.locator('[data-move="6"] .mark')).to_contain_text("W")
    page.get_by_role("button", name="Last position").click()
    page.get_by_role("link", name="Analyse").click()
    expect(page).to_have_url(f"{served.url}/analysis/crystal-capture?after=1%2C9%2C2%2C6")
    expect(page.locator(".what")).to_have_text(MOVES)


def chart_text(review: dict[str, Any]) -> str:
    who = {"win": "the first player was winning", "draw": "it was a draw", "loss": "the second player was winning"}
    errors = [str(ply) for ply, move in enumerate(review["moves"], 1) if move["verdict"] in ("mistake", "blunder")]
    start = f"Chart of who was winning. At the start {who[review['values'][0]]}."
    return f"{start} Mistakes: move {', '.join(errors)}."


def test_a_record_is_downloaded_and_opened_again_with_what_a_program_said(
    visit: Visit, served: RunningServer, tmp_path: Path
) -> None:
    page = open_review(visit, finish(served))
    shown = page.locator(".accuracy li").all_inner_texts(), page.locator(".lead").inner_text(), verdicts(page)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download record").click()
    assert waiting.value.suggested_filename.endswith(".json")
    page.goto(f"{served.url}/record")
    (tmp_path / "bad.json").write_text("{")
    held = HeldRequests(page, "**/api/review", times=1)
    page.get_by_label("Record").set_input_files(tmp_path / "bad.json")
    expect(page.locator(".notice")).to_contain_text("This file is not a record.")
    page.get_by_label("Record").set_input_files(waiting.value.path())
    expect(page.locator(".notice")).to_have_text("Opening the file …")  # and no more about the other one
    held.let_go()
    expect(page.locator(".accuracy li")).to_have_text(shown[0])
    expect(page.locator(".notice")).to_have_count(0)
    expect(page.locator(".lead")).to_have_text(shown[1])
    assert verdicts(page) == shown[2]

    match = Match(make("flag-chase"))
    match.play("1")
    match.add_note(Note(0, 0.5, 4, "<b>the</b> plan"))
    save_record(match.record((Person("Ada"), Person("Bob", "process:./bob")), 1), tmp_path / "game.json")
    page.goto(f"{served.url}/record")
    page.get_by_label("Record").set_input_files(tmp_path / "game.json")
    page.keyboard.press("End")
    expect(page.locator(".judgement")).to_contain_text("The program expects +0.50 at depth 4: <b>the</b> plan.")


def connect(socket: WebSocketRoute) -> None:
    socket.connect_to_server()
