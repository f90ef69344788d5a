"""A match against the computer: by mouse, by keyboard and by typing, with values and hints."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from duelbook import GAMES
from duelbook.presets import presets_of
from tests.support.game_folders import short_variants
from tests.support.page_moves import (
    MakeMove,
    choose_how,
    click,
    match_of,
    play_out,
    start,
    tab,
    type_move,
    view,
    wait_for_turn,
)
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

PREFS: dict[str, Any] = {"level": "random", "options": {game: short_variants(game)[0] for game in GAMES}}
REMEMBER = """status => {
  window.announced = [];
  const remember = () => window.announced.push(status.textContent);
  new MutationObserver(remember).observe(status, { childList: true, characterData: true, subtree: true });
}"""  # what screen readers are told; a review that takes long is announced after the result
SIGNS = {"win": "W", "draw": "D", "loss": "L"}
VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}


def finish(page: Page, served: RunningServer, match: str, make: MakeMove) -> None:
    """Play a match to its end, and check that the page says who won and why."""
    seat = next(seat for seat, who in view(served, match)["seats"].items() if who == "human")
    page.locator("#status").evaluate(REMEMBER)
    play_out(served, match, {seat: page}, make)
    result = view(served, match)["result"]
    assert result
    expect(page.locator(".lead")).to_have_text(result)
    page.wait_for_function("result => window.announced.some((text) => text.includes(result))", arg=result)


@pytest.mark.parametrize(("seat", "make"), [("first", click), ("second", tab)], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_played_to_its_end_from_both_seats(
    visit: Visit, served: RunningServer, game: str, seat: str, make: MakeMove
) -> None:
    page = visit(prefs=PREFS | {"seat": seat}).open("/")
    finish(page, served, start(page, game), make)


def test_moves_can_be_typed_in_any_case(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs=PREFS).open("/")
    finish(page, served, start(page, "alpha-chase"), lambda page, move: type_move(page, f" {move.lower()} "))


def test_level_seat_and_options_are_chosen_and_remembered(visit: Visit, served: RunningServer) -> None:
    page = visit().open("/")
    dialog = choose_how(page, "crystal-capture")
    dialog.get_by_label("beginner").check()
    dialog.get_by_label("Second").check()
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("crystals").fill("8")
    dialog.get_by_role("button", name="Play", exact=True).click()
    first = match_of(page)
    page.goto(f"{served.url}/")
    expect(page.get_by_text("beginner · you move second · your own rules")).to_be_visible()
    made = view(served, start(page, "crystal-capture"))
    assert made["id"] != first
    assert made["seats"] == {"first": "beginner", "second": "human"}
    assert made["options"]["crystals"] == 8
    wait_for_turn(page)
    page.goto(f"{served.url}/")
    page.get_by_role("link", name=f"Your turn · against {made['names']['first']}").first.click()
    wait_for_turn(page)


def test_a_preset_sets_all_options_and_is_remembered(visit: Visit, served: RunningServer) -> None:
    fair = presets_of(GAMES["charge"])["fair"]
    page = visit(prefs={"level": "random"}).open("/")
    dialog = choose_how(page, "charge")
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("goal").fill("7")
    dialog.get_by_label("Fair").check()
    expect(dialog.get_by_text(fair.about)).to_be_visible()
    dialog.get_by_role("button", name="Play", exact=True).click()
    made = view(served, match_of(page))
    page.goto(f"{served.url}/")
    expect(page.get_by_text("random · you move first · fair")).to_be_visible()
    assert {name: made["options"][name] for name in fair.options} == fair.options


def mark(worth: dict[str, Any]) -> str:
    """Return the mark of a value: shape, letter, and the winner's moves to the end."""
    return f"{SIGNS[worth['value']]}{moves_left(worth)}"


def moves_left(worth: dict[str, Any]) -> int:
    """Return how many of the winner's own moves are left, the marked move included."""
    return (int(worth["remoteness"]) + 2) // 2


@pytest.mark.parametrize("game", ["crystal-capture", "flag-chase"])
def test_values_mark_every_legal_move(visit: Visit, served: RunningServer, game: str) -> None:
    page = visit(prefs={"level": "random"}).open("/")
    start(page, game)
    wait_for_turn(page)
    expect(page.locator(".help")).not_to_contain_text("can only hope for a mistake")
    page.get_by_label("Values").check()
    solution = study(served, f"/api/solve/{game}")
    marks = page.locator("duel-board button .mark")
    expect(marks).to_have_count(len(solution["moves"]))
    for move, worth in solution["moves"].items():
        button = page.locator(f'[data-move="{move}"]')
        expect(button.locator(".mark")).to_have_text(mark(worth))
        moves = "1 move" if moves_left(worth) == 1 else f"{moves_left(worth)} moves"
        text = f", {VERBS[worth['value']]} in {moves}"
        assert (button.get_attribute("aria-label") or "").endswith(text)
    expect(page.locator(".help")).to_contain_text(
        f"From the start, the {solution['winner']} player wins in {(solution['remoteness'] + 1) // 2} move"
    )


def test_values_of_an_analysis_are_not_shown_in_the_next_match(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs={"level": "random"}).open("/analysis/crystal-capture")
    page.get_by_label("Values").check()
    expect(page.locator(".mark").first).to_be_visible()
    page.goto(served.url)
    start(page, "crystal-capture")
    wait_for_turn(page)
    expect(page.locator(".help")).to_contain_text("A game with help does not count for your rating.")
    expect(page.get_by_label("Values")).not_to_be_checked()
    expect(page.locator(".mark")).to_have_count(0)


def test_a_part_of_a_move_is_marked_with_its_best_move(visit: Visit, served: RunningServer) -> None:
    position = "word-clash?option=length=3&after=C self 1,A opponent 2"
    page = visit(prefs={"values": True}).open(f"/analysis/{position}")
    solution = study(served, f"/api/solve/{position}")["moves"]
    best = {move.split(" ", 1)[1]: mark(worth) for move, worth in reversed(solution.items())}
    assert {"self 3": "W1", "opponent 3": "L1"}.items() <= best.items()
    for spot, worth in best.items():
        expect(page.locator(f'[data-pick="{spot}"] .mark')).to_have_text(worth)
    page.locator('[data-pick="self 3"]').click()
    expect(page.locator(".cue")).to_contain_text("Pick a letter for")
    for move in ("T self 3", "Q self 3"):
        expect(page.locator(f'[data-move="{move}"] .mark')).to_have_text(mark(solution[move]))


def test_a_hint_is_a_nudge_then_the_move_then_the_reason(visit: Visit, served: RunningServer) -> None:
    page = visit(prefs=PREFS).open("/")
    start(page, "crystal-capture")
    wait_for_turn(page)
    expect(page.locator(".mark")).to_have_count(0)
    hint = study(served, "/api/solve/crystal-capture")["hint"]
    steps = {"Hint": hint["nudge"], "Show the move": f"Play {hint['move']}.", "Why?": f"{hint['move']}: {hint['why']}"}
    for name, text in steps.items():
        page.get_by_role("button", name=name).click()
        expect(page.locator(".hint")).to_have_text(text)
        expect(page.locator("#status")).to_have_text(text)
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    click(page, hint["move"])
    expect(page.locator(".hint")).to_have_text("")
