"""The plain board: for a game without a board of its own, and for every game if the player prefers it."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from duelbook import GAMES
from tests.support.browser import PHONE
from tests.support.game_folders import short_variants
from tests.support.games import TOYS
from tests.support.page_moves import click_plain, play_out, start, view
from tests.support.service.harness import RunningServer
from tests.support.toy import STAIRCASE
from tests.web.page.conftest import Visit

NO_VALUES = "422 (Unprocessable"  # a game that is too large to be solved has none


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with more games, for which the page has no board."""
    folder = tmp_path_factory.mktemp("toy")
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    games = {"DUELBOOK_GAMES": ",".join([*STAIRCASE.values(), *TOYS])}
    server = RunningServer(folder, settings | {"solve_megabytes": 20}, environment=games).start()
    yield server
    server.kill()


def test_a_new_game_has_a_card_a_board_values_and_a_review(visit: Visit, toy: RunningServer) -> None:
    page = visit(toy.url, prefs={"level": "random"}).open("/")
    expect(page.get_by_role("article", name="Staircase").locator(".plain-text")).to_contain_text("of 7")
    match = start(page, "staircase")
    expect(page.locator("duel-match .plain-text")).to_have_text("Step 0 of 7")
    page.get_by_label("Values").check()
    expect(page.locator('[data-move="climb 1"] .mark')).to_have_text("W3")
    play_out(toy, match, {"first": page}, click_plain)
    expect(page.locator(".lead")).to_have_text(view(toy, match)["result"])
    expect(page.locator(".plain-text")).to_have_text("Step 7 of 7")
    expect(page.locator(".review")).to_be_visible()


def test_players_have_their_names_and_a_player_who_moves_again_is_told_so(visit: Visit, toy: RunningServer) -> None:
    page = visit(toy.url, prefs={"level": "random", "name": "Ada"}).open("/")
    match = start(page, "pits")
    expect(page.locator(".lead")).to_have_text("It is your turn.")
    page.locator('[data-move="pit 3"]').click()
    expect(page.locator(".lead")).to_have_text("It is your turn again.")
    expect(page.locator(".to-move")).to_have_text("Your turn again")
    expect(page.locator(".plain-text")).to_have_text("Pits: 1 2 - 4 5 6 7\nAda: 3\nrandom: 0")
    assert view(toy, match)["view"] == {"mover": 0, "full": 0b1111011, "mine": 3, "theirs": 0}


def test_moves_are_grouped_by_the_words_of_their_names(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url)
    visitor.expected.append(NO_VALUES)
    page = visitor.open("/analysis/drop-four")
    board = page.locator("duel-board .plain-moves")
    expect(board.locator(".plain-word")).to_have_text(["column"])
    expect(board.locator(".move")).to_have_text(["1", "2", "3", "4", "5", "6", "7"])
    expect(board.get_by_role("button", name="column 4")).to_be_visible()
    page = visit(toy.url, prefs={"plain": True}).open("/analysis/word-clash")
    expect(page.locator(".plain-word")).to_have_text(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    expect(page.locator(".plain-group").first.locator(".move").last).to_have_text("opponent 5")


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("game", ["pits", "drop-four"])
def test_the_height_of_the_board_stands_still(visit: Visit, toy: RunningServer, game: str, viewport: Any) -> None:
    visitor = visit(toy.url, prefs={"level": "random"}, **({"viewport": viewport} if viewport else {}))
    visitor.expected.append(NO_VALUES)
    page = visitor.open("/")
    match, heights = start(page, game), set()
    for _ in range(3):
        play_out(toy, match, {"first": page}, click_plain, moves=1)
        heights.add(page.locator("duel-board .plain").bounding_box()["height"])  # type: ignore[index]
    assert len(heights) == 1
    assert page.locator("duel-board").evaluate("board => board.scrollWidth <= board.clientWidth")


def test_a_match_that_is_too_large_to_solve_has_hints_and_a_review_by_search(visit: Visit, toy: RunningServer) -> None:
    visitor = visit(toy.url)
    visitor.expected.append(NO_VALUES)
    page = visitor.open("/")
    match = start(page, "drop-four")  # at the level that the page offers first
    expect(page.locator(".place.second .named")).to_have_text("medium (search)")
    no_values = page.get_by_text("This game is too large to be solved, so its values are not known.")
    page.get_by_role("switch", name="Values").check()
    expect(no_values).to_have_count(1)
    for name in ("Hint", "Show the move", "Why?"):
        page.get_by_role("button", name=name).click()
    expect(page.locator(".hint")).to_contain_text("An estimate, since this game is not solved: ")
    play_out(toy, match, {"first": page}, click_plain, moves=1)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".review h2")).to_have_text("Review (estimated)")
    expect(page.locator(".review")).to_contain_text("a search has estimated the moves, and it can be wrong")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_on_the_plain_board(visit: Visit, served: RunningServer, game: str) -> None:
    prefs = {"level": "random", "plain": True, "options": {game: short_variants(game)[0]}}
    page = visit(prefs=prefs).open("/")
    match = start(page, game)
    play_out(served, match, {"first": page}, click_plain)
    over = view(served, match)
    expect(page.locator(".lead")).to_have_text(over["result"])
    shown = page.locator(".plain-text").inner_text().rstrip()
    for seat, name in over["names"].items():
        over["text"] = over["text"].replace(f"{seat.title()} player", name)
    assert shown == over["text"].rstrip()


def test_the_plain_board_is_a_setting(visit: Visit) -> None:
    page = visit().open("/analysis/flag-chase")
    expect(page.locator(".track")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Plain boards").check()
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".plain-text")).to_be_visible()
    expect(page.locator(".track")).to_have_count(0)
