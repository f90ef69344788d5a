"""A game from a package that is installed: the service serves its board and its rules, and its workers play it."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.outside_package import install
from tests.support.page_moves import start, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with the package, and with a game that cannot be used."""
    folder = tmp_path_factory.mktemp("outside")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    broken = {"DUELBOOK_GAMES": "nowhere:Tower"}
    server = RunningServer(folder, settings, environment=broken, python=install(folder)).start()
    yield server
    server.kill()


def test_a_game_from_a_package_is_played_on_its_own_board(visit: Visit, outside: RunningServer) -> None:
    prefs = {"level": "perfect", "options": {"last-stone": {"stones": 5}}}
    page = visit(outside.url, prefs=prefs).open("/")
    expect(page.get_by_role("article", name="Last Stone").locator(".stone")).to_have_count(13)
    match = start(page, "last-stone")
    page.get_by_role("button", name="Take 1 stone", exact=True).click()
    expect(page.locator(".board.last-stone .stone:not(.gone)")).to_have_count(3)
    page.get_by_role("button", name="Take 3 stones").click()
    result = view(outside, match)["result"]
    assert result.endswith("takes the last stone and wins!")
    expect(page.locator(".lead")).to_have_text(result)
    expect(page.locator(".review")).to_be_visible()


def test_a_game_that_cannot_be_used_is_logged_once_and_hides_nothing(outside: RunningServer) -> None:
    games = outside.http.get("/api/games").json()["games"]
    assert games[-1]["name"] == "last-stone"
    assert games[-1]["rules"].startswith("# Last Stone\n")
    lines = [json.loads(line) for line in outside.log.read_text().splitlines() if "cannot be used" in line]
    assert [line["why"] for line in lines] == [
        "The game 'tower' (DUELBOOK_GAMES) cannot be used. ModuleNotFoundError: No module named 'nowhere'."
    ]
    assert "last-stone" in outside.http.get("/api/openapi.json").text
