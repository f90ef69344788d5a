"""A game from outside whose board does not work is played on the plain one, which says so."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.broken_package import NARRATION, write_package
from tests.support.page_moves import click_plain, play_out, start, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

BOARDS = {
    "unreadable": "export default {{{",
    "nameless": "export const board = 1;",
    "throwing": 'export default { style: "", draw: (table) => table.nothing.at(0) };',
}


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a game for each kind of broken board. Their narrations fail, too."""
    folder = tmp_path_factory.mktemp("broken")
    targets = [
        f"{name}={write_package(folder, name, board=board, narration=NARRATION)}" for name, board in BOARDS.items()
    ]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    environment = {"DUELBOOK_GAMES": ",".join(targets), "PYTHONPATH": path}
    server = RunningServer(folder, settings, environment=environment).start()
    yield server
    server.kill()


@pytest.mark.parametrize("game", BOARDS)
def test_a_board_that_does_not_work_is_replaced_by_the_plain_one(
    visit: Visit, broken: RunningServer, game: str
) -> None:
    visitor = visit(broken.url, prefs={"level": "random"})
    visitor.expected.append("does not work.")
    page = visitor.open("/")
    expect(page.get_by_role("article", name=game.capitalize()).locator(".plain-text")).to_contain_text("of 7")
    match = start(page, game)
    note = page.locator("duel-match .plain-note")
    expect(note).to_have_text("This game's own board does not work. This is the plain one.")
    play_out(broken, match, {"first": page}, click_plain)
    result = view(broken, match)["result"]
    assert " wins " in result, "by the general narration"
    expect(page.locator(".lead")).to_have_text(result)
