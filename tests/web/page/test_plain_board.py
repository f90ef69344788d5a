"""Games from elsewhere: without a board, with a broken one, too large to solve, slow to solve, or with broken rules."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.support.broken_package import NARRATION, write_package
from tests.support.browser import PHONE, WIDE
from tests.support.games import TOYS
from tests.support.page_moves import (
    against_computer,
    choose_how,
    click_plain,
    match_of,
    play_out,
    view,
    wait_for_turn,
)
from tests.support.service.harness import RunningServer
from tests.support.service.seeded import SEEDED
from tests.support.toy import STAIRCASE
from tests.web.page.conftest import Visit

BOARDS = {
    "unreadable": "export default {{{",
    "nameless": "export const board = 1;",
    "throwing": 'export default { style: "", draw: (table) => table.nothing.at(0) };',
    "undrawable": 'export default { style: "", draw: (table, h) => [h("p", null, "Half"), h("1 p", null)] };',
}
EXPECTED = [
    "does not work.",  # of a broken board
    "500 (Internal Server Error)",  # of the game with broken rules
    "422 (Unprocessable",  # of a game that is too large to be solved
]
SOLVING = r"Solving the game: [\d,]+ states found, \d+ of 20 MB …"
REMEMBER = """
window.told = { progress: [], status: [] };
new MutationObserver(() => {
  for (const name in window.told) window.told[name].push(document.getElementById(name)?.textContent ?? "");
}).observe(document, { childList: true, characterData: true, subtree: true });
"""  # all that the two lines say, however short it is there
TOLD = "([line, pattern]) => window.told[line].some((text) => RegExp(pattern).test(text))"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with more games, for which the page has no board or one that does not work."""
    folder = tmp_path_factory.mktemp("toy")
    broken = [
        f"{name}={write_package(folder, name, script=board, narration=NARRATION)}" for name, board in BOARDS.items()
    ]
    others = ["tests.support.games.broken:NoMoves", "tests.support.games.slow_stones:SlowStones"]
    games = [*STAIRCASE.values(), "tests.support.games.number_row:NumberRow", *TOYS, *broken, *others]
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    settings = {
        "database_url": f"sqlite:///{folder / 'matches.sqlite'}",
        "solve_megabytes": 20,
    }  # so that memory counts
    server = RunningServer(
        folder, settings, SEEDED, environment={"DUELBOOK_GAMES": ",".join(games), "PYTHONPATH": path}
    ).start()
    yield server
    server.kill()


def test_a_new_game_has_a_card_a_board_values_and_a_review(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url, prefs={"level": "random"})
    visitor.expected += EXPECTED
    page = visitor.open("/")
    expect(page.get_by_role("article", name="Staircase").locator(".plain-text")).to_contain_text("of 7")
    page.get_by_role("button", name="Play Staircase", exact=True).click()
    expect(page.locator("duel-match .plain-text")).to_have_text("Step 0 of 7")
    page.get_by_label("Values").check()
    expect(page.locator('[data-move="climb 1"] .mark')).to_have_text("W3")
    play_out(toy, match_of(page), {"first": page}, click_plain)
    expect(page.locator(".lead")).to_have_text(view(toy, match_of(page))["result"])
    expect(page.locator("duel-match .plain-text")).to_have_text("Step 7 of 7")
    expect(page.locator(".review")).to_be_visible()


def test_a_board_that_does_not_work_is_replaced_by_the_plain_one(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url)
    visitor.expected += EXPECTED
    for game in BOARDS:
        page = against_computer(visitor, toy, game)
        note = page.locator("duel-match .plain-note")
        expect(note).to_have_text("This game's own board does not work. This is the plain one.")
        expect(page.locator("duel-match .plain-text")).to_have_text("Step 0 of 7")
        play_out(toy, match_of(page), {"first": page}, click_plain, moves=1)
        assert len([fault for fault in visitor.faults if f"The board of {game} does not work." in fault]) == 1, game
    play_out(toy, match_of(page), {"first": page}, click_plain)
    result = view(toy, match_of(page))["result"]
    assert " wins " in result, "by the general narration"
    expect(page.locator(".lead")).to_have_text(result)
    expect(page.locator("duel-match .plain-text")).to_have_text("Step 7 of 7")
    visitor.open("/")
    for game in BOARDS:
        card = page.get_by_role("article", name=game.capitalize())
        card.scroll_into_view_if_needed()  # further away, its picture waits
        expect(card.locator(".plain-text")).to_contain_text("of 7")


def test_that_the_rules_of_a_game_are_broken_is_said_where_it_is_seen(visit: Visit, toy: RunningServer) -> None:
    said = "This game does not work here: its own code failed. The reason is in the log."
    visitor = visit(toy.url, viewport=PHONE)
    visitor.expected += EXPECTED
    page = visitor.open("/")
    page.get_by_role("button", name="Play No Moves", exact=True).click()
    expect(page.locator("#status.fresh")).to_have_text(said)
    expect(page.locator("#status.fresh")).to_be_in_viewport(ratio=1)
    for screen in ("puzzle", "analysis"):
        visitor.open(f"/{screen}/no-moves")
        expect(page.locator(".notice")).to_contain_text(said)
        expect(page.locator(".notice")).to_be_in_viewport(ratio=1)


def test_players_have_their_names_and_a_player_who_moves_again_is_told_so(visit: Visit, toy: RunningServer) -> None:
    page = against_computer(visit(toy.url), toy, "pits", name="Ada")
    wait_for_turn(page)
    page.get_by_label("Values").check()
    expect(page.locator('[data-move="pit 6"] .mark')).to_have_text("W3")  # pits 6, 3 and 7: the first player's moves
    page.locator('[data-move="pit 3"]').click()
    expect(page.locator(".lead")).to_have_text("It is your turn again.")
    expect(page.locator("#status")).to_contain_text("It is your turn again.")
    expect(page.locator(".to-move")).to_have_text("Your turn again")
    expect(page.locator("duel-match .plain-text")).to_have_text("Pits: 1 2 - 4 5 6 7\nAda: 3\nrandom: 0")
    assert view(toy, match_of(page))["view"] == {"mover": 0, "full": 0b1111011, "mine": 3, "theirs": 0}
    play_out(toy, match_of(page), {"first": page}, click_plain)
    expect(page.locator(".lead")).to_have_text(view(toy, match_of(page))["result"])


def test_moves_are_grouped_by_the_words_of_their_names(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url, prefs={"plain": True})
    visitor.expected += EXPECTED
    page = visitor.open("/analysis/drop-four")
    board = page.locator("duel-board .plain-moves")
    expect(board.locator(".plain-word")).to_have_text(["column"])
    expect(board.locator(".move")).to_have_text(["1", "2", "3", "4", "5", "6", "7"])
    expect(board.get_by_role("button", name="column 4")).to_be_visible()
    visitor.open("/analysis/word-clash")
    expect(page.locator(".plain-word")).to_have_text(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    expect(page.locator(".plain-group").first.locator(".move").last).to_have_text("opponent 5")


@pytest.mark.parametrize("game", ["pits", "drop-four"])
def test_the_height_of_the_board_stands_still(visit: Visit, toy: RunningServer, game: str) -> None:
    visitor = visit(toy.url)
    visitor.expected += EXPECTED
    page = against_computer(visitor, toy, game)
    plain = page.locator("duel-board .plain")
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        wait_for_turn(page)
        height = plain.evaluate("board => board.offsetHeight")
        play_out(toy, match_of(page), {"first": page}, click_plain, moves=1)
        assert plain.evaluate("board => board.offsetHeight") == height
        assert page.locator("duel-board").evaluate("board => board.scrollWidth <= board.clientWidth")


def test_a_match_that_is_too_large_to_solve_has_hints_and_a_review_by_search(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url)
    visitor.expected += EXPECTED
    page = against_computer(visitor, toy, "drop-four", opponent="medium")
    expect(page.locator(".place.second .named")).to_have_text("medium (search)")
    no_values = page.get_by_text("This game is too large to be solved, so its values are not known.")
    page.get_by_role("switch", name="Values").check()
    expect(no_values).to_have_count(1)
    for name in ("Hint", "Show the move", "Why?"):
        page.get_by_role("button", name=name).click()
    expect(page.locator(".hint")).to_contain_text("An estimate, since this game is not solved: ")
    play_out(toy, match_of(page), {"first": page}, click_plain, moves=1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".review h2")).to_have_text("Review (estimated)")
    expect(page.locator(".review")).to_contain_text("a search has estimated the moves, and it can be wrong")


def test_the_board_shows_what_was_drawn_and_a_start_can_be_given(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url, prefs={"level": "random"})
    visitor.expected += EXPECTED
    page = visitor.open("/")
    dialog = choose_how(page, "number-row")
    dialog.get_by_label("Custom").check()
    field = dialog.get_by_role("textbox", name="row")
    expect(field).to_have_value("")
    expect(field).to_have_attribute("placeholder", "Drawn")
    expect(dialog.get_by_text("Drawn for each match unless you set it.")).to_be_visible()
    dialog.get_by_role("button", name="Play", exact=True).click()
    row = str(view(toy, match_of(page))["options"]["row"])
    expect(page.locator("duel-match .plain-text")).to_contain_text(f"Row: {row.replace(',', ' ')}")
    play_out(toy, match_of(page), {"first": page}, click_plain)
    expect(page.locator(".lead")).to_have_text(view(toy, match_of(page))["result"])
    visitor.open("/")
    choose_how(page, "number-row").get_by_label("Custom").check()
    field.fill("8,7,6,5,4,3,2,1")
    field.press("Enter")
    assert view(toy, match_of(page))["options"]["row"] == "8,7,6,5,4,3,2,1"


def test_the_plain_board_is_a_setting(visit: Visit) -> None:
    page = visit().open("/analysis/flag-chase")
    expect(page.locator(".track")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Plain boards").check()
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".plain-text")).to_be_visible()
    expect(page.locator(".track")).to_have_count(0)


def test_a_long_study_and_a_long_preparation_show_how_far_they_are(visit: Visit, toy: RunningServer) -> None:
    options = {"slow-stones": {"pause": 500}}
    visitor = visit(toy.url, private=True, prefs={"values": True, "options": options, "level": "easy"})
    visitor.expected += EXPECTED
    visitor.page.add_init_script(REMEMBER)
    page = visitor.open("/analysis/slow-stones?option=pause%3D400")
    page.wait_for_function(TOLD, arg=["progress", f"^{SOLVING}$"])
    page.wait_for_function(TOLD, arg=["status", "…"])  # read aloud, but not every second
    expect(page.locator("duel-board .mark")).to_have_count(1)
    expect(page.locator("#progress")).to_be_hidden()
    visitor.open("/")
    page.get_by_role("button", name="Play Slow Stones").click()
    page.wait_for_function(TOLD, arg=["progress", f"^{SOLVING}$"])
    page.wait_for_function(TOLD, arg=["status", "…"])
    expect(page).to_have_url(re.compile("/match/"))
    expect(page.locator("#progress")).to_be_hidden()
