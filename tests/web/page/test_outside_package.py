"""A game from a package that is installed: the service serves its board and its rules, and its workers play it."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.outside_package import install
from tests.support.page_moves import start, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

HEXAPAWN = Path(__file__).parents[3] / "examples/packages/hexapawn"


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with the package, a game that the variable names, and a game that cannot be used."""
    folder = tmp_path_factory.mktemp("outside")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}", "solve_megabytes": 20}
    games = {
        "DUELBOOK_GAMES": ",".join(["nowhere:Tower", "hexapawn_game.rules:Hexapawn"]),
        "PYTHONPATH": os.pathsep.join([str(HEXAPAWN), str(HEXAPAWN.parents[2])]),
    }
    server = RunningServer(folder, settings, environment=games, python=install(folder)).start()
    yield server
    server.kill()


def test_a_game_from_a_package_is_played_on_its_own_board(visit: Visit, outside: RunningServer) -> None:
    prefs = {"level": "perfect", "options": {"last-stone": {"stones": 5}}}
    page = visit(outside.url, prefs=prefs).open("/")
    expect(page.get_by_role("article", name="Last Stone").locator(".stone")).to_have_count(13)
    match = start(page, "last-stone")
    page.get_by_role("button", name="Take 1 stone", exact=True).click()
    expect(page.locator(".board.last-stone .pile .stone:not(.gone)")).to_have_count(3)
    expect(page.locator(".board.last-stone .taken .stone")).to_have_count(2)
    page.get_by_role("button", name="Take 3 stones").click()
    expect(page.locator(".headline")).to_be_visible()
    result = view(outside, match)["result"]
    assert result.endswith("takes the last stone and wins!")
    expect(page.locator(".lead")).to_have_text(result)
    expect(page.locator(".review")).to_be_visible()


def test_a_game_that_cannot_be_used_is_logged_once_and_hides_nothing(outside: RunningServer) -> None:
    assert outside.http.get("/api/games/last-stone/rules").json()["text"].startswith("# Last Stone\n")
    lines = [json.loads(line) for line in outside.log.read_text().splitlines() if "cannot be used" in line]
    assert [line["why"] for line in lines] == [
        "The game 'tower' (DUELBOOK_GAMES) cannot be used. ModuleNotFoundError: No module named 'nowhere'. "
        "Modules are looked for in the current folder and among the installed packages: change to the folder that has "
        "nowhere in it, or install its package."
    ]
    assert "last-stone" in outside.http.get("/api/openapi.json").text


@pytest.mark.parametrize(("seat", "lowest"), [("first", "a1"), ("second", "c3")])
def test_a_grid_from_outside_is_pressed_and_turned_for_the_second_player(
    visit: Visit, outside: RunningServer, seat: str, lowest: str
) -> None:
    page = visit(outside.url, prefs={"seat": seat, "level": "beginner"}).open("/")
    match = start(page, "hexapawn")
    expect(page.locator(".place.turn .to-move")).to_contain_text("Your turn")
    cells = page.locator(".board.hexapawn .grid .move")
    expect(cells.nth(6)).to_have_attribute("aria-label", re.compile(f"{lowest}, a pawn of"))
    legal = view(outside, match)["legal"]
    start_cell, target = legal[0].split()
    page.get_by_role("button", name=f"{start_cell}, a pawn of").click()
    if sum(move.startswith(start_cell) for move in legal) > 1:  # or else the only move of the pawn is played at once
        page.get_by_role("button", name=f"{target}, ").click()
    expect(page.locator(".ply").filter(has_text=legal[0])).to_be_visible()
