"""A game that starts from a shuffle on the page: the board shows what was drawn, and the options say that it is."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.page_moves import choose_how, click_plain, match_of, play_out, view
from tests.support.service.harness import RunningServer
from tests.web.match.test_draws import NUMBER_ROW
from tests.web.page.conftest import Visit


@pytest.fixture(scope="module")
def number_row_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with the game."""
    folder = tmp_path_factory.mktemp("draws")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    server = RunningServer(folder, settings, environment=NUMBER_ROW).start()
    yield server
    server.kill()


def test_the_board_shows_what_was_drawn_and_a_start_can_be_given(
    visit: Visit, number_row_server: RunningServer
) -> None:
    visitor = visit(number_row_server.url, prefs={"level": "random"})
    page = visitor.open("/")
    dialog = choose_how(page, "number-row")
    dialog.get_by_label("Custom").check()
    field = dialog.get_by_role("textbox", name="row")
    expect(field).to_have_value("")
    expect(field).to_have_attribute("placeholder", "Drawn")
    expect(dialog.get_by_text("Drawn for each match unless you set it.")).to_be_visible()
    dialog.get_by_role("button", name="Play", exact=True).click()
    match = match_of(page)
    row = str(view(number_row_server, match)["options"]["row"])
    expect(page.locator(".plain-text")).to_contain_text(f"Row: {row.replace(',', ' ')}")
    play_out(number_row_server, match, {"first": page}, click_plain)
    expect(page.locator(".lead")).to_have_text(view(number_row_server, match)["result"])

    visitor.open("/")
    choose_how(page, "number-row").get_by_label("Custom").check()
    field.fill("8,7,6,5,4,3,2,1")
    field.press("Enter")
    match = match_of(page)
    assert view(number_row_server, match)["options"]["row"] == "8,7,6,5,4,3,2,1"
