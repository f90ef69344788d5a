"""The keys of a board: a few stops of Tab, arrows, letters and numbers that play, and phrases that are typed."""

import pytest
from playwright.sync_api import Page, expect

from duelbook import GAMES
from tests.support.page_moves import click_plain, type_move, typing_field, wait_for_board
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

MAX_TABS = 12
STOPS = """() => [...document.querySelectorAll("duel-board button, duel-board [tabindex]")]
  .filter((one) => one.tabIndex === 0).length"""

REACHED = """() => {
  const moves = document.querySelectorAll("duel-board button.move");
  const reached = new Set();
  moves[0].focus();
  for (const _ of moves) {
    const arrow = { key: "ArrowRight", bubbles: true, cancelable: true };
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", arrow));
    reached.add(document.activeElement);
  }
  return reached.size;
}"""  # how many moves the right arrow leads to


def played(page: Page, *moves: str) -> None:
    listed = page.locator(".log .ply")
    expect(listed).to_have_count(len(moves))
    labels = [f"Move {number}: {move}" for number, move in enumerate(moves, 1)]
    assert [one.get_attribute("aria-label") for one in listed.all()] == labels


@pytest.mark.parametrize("plain", [False, True], ids=["own board", "plain board"])
def test_a_board_is_a_few_stops_of_tab_and_arrows_reach_every_move(
    visit: Visit, served: RunningServer, plain: bool
) -> None:
    visitor = visit(prefs={"plain": plain})
    for game in GAMES:
        page = visitor.open(f"/analysis/{game}")
        expect(page.locator("duel-board button.move[tabindex='0']").first).to_be_visible()
        assert page.evaluate(STOPS) <= MAX_TABS, game
        assert page.evaluate(REACHED) == page.locator("duel-board button.move").count(), game
        expect(page.locator(".log li")).to_have_count(0)  # the arrows did not step through the game
        if plain:
            move = page.locator("duel-board button.move[data-legal]").last.get_attribute("data-move") or ""
            click_plain(page, move)
            page.mouse.move(0, 0)  # at a move that is still legal, the board would show what it does
            played(page, move)
            line = served.http.get(f"/api/positions/{game}", params={"after": move}).json()
            expect(page.locator(".plain-text")).to_have_text(line["positions"][-1]["text"].rstrip())


def test_arrows_step_through_the_game_unless_the_board_has_the_keyboard(visit: Visit) -> None:
    page = visit().open("/analysis/crystal-capture?after=5,6")
    wait_for_board(page)
    page.locator('[data-move="1"]').focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-move="2"]')).to_be_focused()
    page.keyboard.press("Enter")
    played(page, "5", "6", "2")
    page.locator('[data-move="9"]').click()
    played(page, "5", "6", "2", "9")
    page.keyboard.press("ArrowLeft")  # after a press of the mouse
    expect(page.locator("duel-board .gone")).to_have_count(3)


def test_letters_and_numbers_play_unless_they_are_turned_off(visit: Visit) -> None:
    visitor = visit(prefs={"keys": False})
    page = visitor.open("/analysis/alpha-chase")
    keys = page.locator(".words .by-keyboard")
    expect(keys).to_have_text("arrows move")
    page.keyboard.press("t")
    played(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Letter and number keys play moves").check()
    page.get_by_role("button", name="Done").click()
    page.keyboard.press("t")
    page.keyboard.press("Shift+G")
    played(page, "T", "G")
    page.mouse.move(0, 0)  # at a move, the line would speak of it
    expect(keys).to_contain_text("A–F, H–S and U–Z play")
    page.keyboard.press("t")  # taken
    page.keyboard.press("Control+b")
    played(page, "T", "G")
    visitor.open("/analysis/charge")
    expect(keys).to_contain_text("1–5 play")
    page.keyboard.press("5")
    played(page, "charge 5")


def test_a_number_of_two_digits_waits_for_the_second(visit: Visit) -> None:
    page = visit().open("/analysis/crystal-capture?option=crystals=12&option=goal=30")
    wait_for_board(page)
    page.keyboard.press("1")
    expect(page.locator('[data-move="1"]')).to_be_focused()
    page.keyboard.press("2")
    played(page, "12")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    played(page, "12", "1")


def test_a_letter_picks_and_a_number_goes_to_each_slot_in_turn(visit: Visit) -> None:
    page = visit().open("/analysis/word-clash")
    wait_for_board(page)
    page.keyboard.press("e")
    expect(page.locator(".cue")).to_have_text("E: what goes with it?")
    page.keyboard.press("3")
    expect(page.locator('[data-move="E opponent 3"]')).to_be_focused()
    page.keyboard.press("3")
    expect(page.locator('[data-move="E self 3"]')).to_be_focused()
    page.keyboard.press("Enter")
    played(page, "E self 3")


def test_the_letters_of_words_are_named_for_screen_readers(visit: Visit) -> None:
    page = visit().open("/analysis/alpha-chase?option=words=PLANT,GHOST&after=P,A,G")
    wait_for_board(page)
    words = {"PLANT": ("P, taken", "L, needed", "A, lost", "N, needed", "T, needed"), "GHOST": ("G, lost", "H, needed")}
    for word, labels in words.items():
        row = page.get_by_role("group", name=f"The word {word}")
        for label in labels:
            expect(row.get_by_role("img", name=label, exact=True)).to_have_count(1)


def test_a_slash_opens_the_field_that_understands_the_books_phrases(visit: Visit) -> None:
    visitor = visit()
    visitor.expected.append("422")
    page = visitor.open("/analysis/charge")
    expect(page.get_by_label("Type a move")).to_be_hidden()
    expect(page.locator("duel-board .move").first).to_be_visible()
    page.keyboard.press("/")
    expect(typing_field(page)).to_be_focused()
    page.keyboard.type("play charge 5")
    page.keyboard.press("Enter")
    played(page, "charge 5")
    type_move(page, "4")
    played(page, "charge 5", "charge 4")
    type_move(page, "charge")
    expect(page.locator("#status.fresh")).to_have_text(
        "A Charge Card adds 1 to 5 points; say how many. "
        "Legal moves: charge 1, charge 2, charge 3, charge 4, charge 5, block, steal."
    )
    played(page, "charge 5", "charge 4")


def test_the_line_below_the_board_names_only_keys_that_play(visit: Visit) -> None:
    page = visit().open("/analysis/crystal-capture?after=1,5,3")
    line = page.locator(".words .by-keyboard")
    expect(line.locator("kbd").first).to_have_text("2, 4 and 6–9")
    expect(line.locator(".arrows")).to_be_hidden()  # no move has the focus
    while not page.evaluate("document.activeElement.matches('duel-board button.move')"):
        page.keyboard.press("Tab")
    page.goto(page.url.replace("crystal-capture?after=1,5,3", "word-clash"))
    expect(line).to_contain_text("A–Z and 1–5 choose, in either order; again for the other one, Enter plays")


def test_the_focus_goes_to_the_nearest_move_when_its_own_one_is_no_button_any_more(visit: Visit) -> None:
    page = visit().open("/analysis/word-clash?option=length=3")
    wait_for_board(page)
    page.keyboard.press("e")
    page.locator('[data-move="E self 1"]').focus()
    page.keyboard.press("Enter")
    played(page, "E self 1")
    expect(page.locator('[data-pick="opponent 2"]')).to_be_focused()
