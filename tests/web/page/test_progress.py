"""What the page shows while the server works: how far it is, and nothing once the person has left."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.page_moves import view, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

LONG = "/analysis/slow-stones?option=pause%3D400"
SOLVING = r"Solving the game: [\d,]+ states found, \d+ of 20 MB …"
REMEMBER = """
window.told = { progress: [], status: [] };
new MutationObserver(() => {
  for (const name in window.told) window.told[name].push(document.getElementById(name)?.textContent ?? "");
}).observe(document, { childList: true, characterData: true, subtree: true });
"""  # all that the two lines say, however short it is there


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service with a game that takes seconds to solve."""
    folder = tmp_path_factory.mktemp("slow page")
    games = {"DUELBOOK_GAMES": "tests.support.games.slow_stones:SlowStones"}
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}", "solve_megabytes": 20}  # so that it counts
    server = RunningServer(folder, settings, environment=games).start()
    yield server
    server.kill()


def expect_told(page: Page, line: str, pattern: str) -> None:
    """Wait until a line says this, or has said it."""
    said = "([line, pattern]) => window.told[line].some((text) => RegExp(pattern).test(text))"
    page.wait_for_function(said, arg=[line, pattern])


def test_a_long_study_shows_how_far_it_is_and_then_its_result(visit: Visit, slow: RunningServer) -> None:
    visitor = visit(slow.url, private=True, prefs={"values": True})
    visitor.page.add_init_script(REMEMBER)
    page = visitor.open(LONG)
    expect_told(page, "progress", f"^{SOLVING}$")
    expect_told(page, "status", "…")  # read aloud, but not every second
    expect(page.locator("duel-board .mark")).to_have_count(1)
    expect(page.locator("#progress")).to_be_hidden()


def test_a_match_whose_opponent_is_prepared_shows_how_far_that_is(visit: Visit, slow: RunningServer) -> None:
    options = {"slow-stones": {"pause": 500}}
    visitor = visit(slow.url, private=True, prefs={"options": options, "level": "easy"})
    visitor.page.add_init_script(REMEMBER)
    page = visitor.open("/")
    page.get_by_role("button", name="Play Slow Stones").click()
    expect_told(page, "progress", f"^{SOLVING}$")
    expect_told(page, "status", "…")  # also read aloud
    expect(page).to_have_url(re.compile("/match/"))
    expect(page.locator("#progress")).to_be_hidden()


def test_nobody_waits_for_a_study_on_a_screen_that_was_left(visit: Visit, slow: RunningServer) -> None:
    page = visit(slow.url, prefs={"values": True}).open(f"{LONG}0")
    progress = page.locator("#progress")
    expect(progress).to_contain_text("…")
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    expect(progress).to_be_hidden()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(1500)
    assert not [url for url in asked if "/api/solve/" in url]


@pytest.mark.parametrize(("asked", "pause"), [("hint", 2500), ("values", 2600)])  # of which each has to be solved
def test_a_players_clock_stands_still_during_a_long_study(
    visit: Visit, slow: RunningServer, asked: str, pause: int
) -> None:
    wanted = {"game": "slow-stones", "opponent": "random", "options": {"pause": pause}, "seat": "first"}
    visitor = visit(slow.url)
    created = visitor.context.request.post(f"{slow.url}/api/matches", data={**wanted, "time_limit": 10})
    match = created.json()["id"]
    page = visitor.open(f"/match/{match}")
    wait_for_turn(page)
    if asked == "hint":
        page.get_by_role("button", name="Hint").click()
    else:
        page.get_by_text("Values", exact=True).click()
    expect(page.locator("#progress")).to_contain_text("Solving the game")
    clock = page.locator(".place.first .clock")
    stopped = clock.inner_text()
    page.wait_for_timeout(1500)
    assert clock.inner_text() == stopped
    expect(page.locator("#progress")).to_be_hidden(timeout=60_000)
    assert view(slow, match)["status"] == "playing"
    expect(page.locator(".help .hint" if asked == "hint" else "duel-board .mark")).not_to_be_empty()
    expect(clock).to_have_text("0:00")  # it runs again
