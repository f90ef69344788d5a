"""A game from outside that does not work: a board is replaced by the plain one, and broken rules are told in view."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.broken_package import NARRATION, write_package
from tests.support.browser import PHONE
from tests.support.page_moves import click_plain, play_out, start, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

BOARDS = {
    "unreadable": "export default {{{",
    "nameless": "export const board = 1;",
    "throwing": 'export default { style: "", draw: (table) => table.nothing.at(0) };',
    "undrawable": 'export default { style: "", draw: (table, h) => [h("p", null, "Half"), h("1 p", null)] };',
}
NO_DEMONSTRATION = "500 (Internal Server Error)"  # of the game with broken rules


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a game for each kind of broken board, whose narrations fail, too, and one with broken rules."""
    folder = tmp_path_factory.mktemp("broken")
    targets = [
        f"{name}={write_package(folder, name, board=board, narration=NARRATION)}" for name, board in BOARDS.items()
    ]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    targets.append("tests.support.games.broken:NoMoves")
    environment = {"DUELBOOK_GAMES": ",".join(targets), "PYTHONPATH": path}
    server = RunningServer(folder, settings, environment=environment).start()
    yield server
    server.kill()


@pytest.mark.parametrize("game", BOARDS)
def test_a_board_that_does_not_work_is_replaced_by_the_plain_one(
    visit: Visit, broken: RunningServer, game: str
) -> None:
    visitor = visit(broken.url, prefs={"level": "random"})
    visitor.expected += ["does not work.", NO_DEMONSTRATION]
    page = visitor.open("/")
    expect(page.get_by_role("article", name=game.capitalize()).locator(".plain-text")).to_contain_text("of 7")
    match = start(page, game)
    note = page.locator("duel-match .plain-note")
    expect(note).to_have_text("This game's own board does not work. This is the plain one.")
    play_out(broken, match, {"first": page}, click_plain)
    result = view(broken, match)["result"]
    assert " wins " in result, "by the general narration"
    expect(page.locator(".lead")).to_have_text(result)
    expect(page.locator("duel-match .plain-text")).to_have_text("Step 7 of 7")
    assert len([fault for fault in visitor.faults if f"The board of {game} does not work." in fault]) == 1


def test_that_the_rules_of_a_game_are_broken_is_said_where_it_is_seen(visit: Visit, broken: RunningServer) -> None:
    said = "This game does not work here: its own code failed. The reason is in the log."
    visitor = visit(broken.url, viewport=PHONE)
    visitor.expected += ["does not work.", NO_DEMONSTRATION]
    page = visitor.open("/")
    page.get_by_role("button", name="Play No Moves", exact=True).click()
    expect(page.locator("#status.fresh")).to_have_text(said)
    expect(page.locator("#status.fresh")).to_be_in_viewport(ratio=1)
    for screen in ("puzzle", "analysis"):
        visitor.open(f"/{screen}/no-moves")
        expect(page.locator(".notice")).to_contain_text(said)
        expect(page.locator(".notice")).to_be_in_viewport(ratio=1)
