"""A match of each game: from both seats, by mouse, keyboard and typing, with values and hints, and nothing shifts."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from duelbook import GAMES
from tests.support.browser import PHONE, WIDE, save_picture
from tests.support.game_folders import long_options, short_variants
from tests.support.page_moves import (
    against_computer,
    buttons,
    click,
    expect_moves,
    match_of,
    play_out,
    seated,
    short_game,
    tab,
    type_move,
    typing_field,
    view,
    wait_for_person,
    wait_for_turn,
)
from tests.support.screens import LONG_NAME
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit
from tests.web.page.test_accessibility import check_accessibility

REMEMBER = """status => {
  window.announced = [];
  const remember = () => window.announced.push(status.textContent);
  new MutationObserver(remember).observe(status, { childList: true, characterData: true, subtree: true });
}"""  # what screen readers are told; a review that takes long is announced after the result
PLACES = (".place.first", ".place.second")
PARTS = (".heading", ".table-area", "duel-board", *PLACES, ".move-input", ".moves", ".help", ".actions")
BOXES = """parts => parts.map((part) => {
  const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
  return [part, x + scrollX, y + scrollY, width, height].join(" ");
})"""
MAX_SHIFT = 0.02  # of a move; up to 0.1 counts as good, and a total that gets another digit shifts less than this
SHIFTS = """(() => {
  window.shifts = [];
  const parts = (entry) => entry.sources.map((source) => source.node?.className || source.node?.nodeName).join(" ");
  const note = (list) => list.getEntries().forEach((entry) => window.shifts.push([entry.value, parts(entry)]));
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
})()"""
TOUCH = {"has_touch": True, "forced_colors": "active"}
SIGNS = {"win": "W", "draw": "D", "loss": "L"}
VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}


def by_length(found: tuple[list[str], dict[str, Any]]) -> int:
    return len(found[0])


def touch_move(page: Page, move: str) -> None:
    for button in buttons(page, move):
        button.tap()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end_by_mouse_and_by_keyboard(
    visit: Visit, served: RunningServer, game: str
) -> None:
    moves, options = min(((short_game(game, options), options) for options in short_variants(game)), key=by_length)
    touch = game == sorted(GAMES)[len(GAMES) // 2]  # one game is also played by touch, in forced colours
    ada, bo = visit(prefs={"name": "Ada"}), visit(viewport=PHONE, **(TOUCH if touch else {}))
    wanted = {"game": game, "opponent": "friend", "seat": "first", "name": "Ada", "options": options}
    match = ada.context.request.post(f"{served.url}/api/matches", data=wanted).json()["id"]
    bo.context.request.post(f"{served.url}/api/matches/{match}/join", data={"name": "Bo"})
    pages = [(ada.open(f"/match/{match}"), click), (bo.open(f"/match/{match}"), touch_move if touch else tab)]
    for page, _ in pages:
        expect(page.locator(".lead")).to_contain_text("turn")
        page.locator("#status").evaluate(REMEMBER)
    for ply, move in enumerate(moves):
        mover = view(served, match)["mover"]
        page, make = pages[mover == "second"]
        wait_for_turn(page)
        make(page, move)
        for other, _ in pages:
            expect(other.locator(".log li")).to_have_count(ply + 1)
    over = view(served, match)
    assert (over["moves"], over["reason"]) == (moves, "rules")
    for page, _ in pages:
        expect(page.locator(".lead")).to_have_text(over["result"])
        page.wait_for_function("result => window.announced.some((text) => text.includes(result))", arg=over["result"])


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_accessible_and_nothing_shifts_when_a_move_arrives(
    visit: Visit, served: RunningServer, game: str
) -> None:
    visitor = visit(prefs={"name": LONG_NAME})
    page = against_computer(visitor, served, game, options=long_options(game), name=LONG_NAME)
    page.evaluate(SHIFTS)
    wait_for_turn(page)
    page.get_by_label("Values").check()
    for size, scheme in ((WIDE, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        expect(page.locator("duel-board .mark").first).to_be_visible()
        save_picture(page, f"match-{game}-{size['width']}-{scheme}")
        check_accessibility(page)
        before = page.evaluate(BOXES, PARTS)
        page.evaluate("window.shifts.splice(0)")
        play_out(served, match_of(page), {"first": page}, click, moves=1)
        if wait_for_person(served, match_of(page), {"first": page})["status"] == "over":
            break  # in a game that has no longer variant
        wait_for_turn(page)
        expect(page.locator("duel-board .mark").first).to_be_visible()
        assert page.evaluate(BOXES, PARTS) == before
        shifts = page.evaluate("window.shifts.splice(0)")
        assert sum(score for score, _ in shifts) < MAX_SHIFT, shifts


def mark(worth: dict[str, Any]) -> str:
    """Return the mark of a value: shape, letter, and the winner's moves to the end."""
    return f"{SIGNS[worth['value']]}{moves_left(worth)}"


def moves_left(worth: dict[str, Any]) -> int:
    """Return how many of the winner's own moves are left, the marked move included."""
    return (int(worth["remoteness"]) + 2) // 2


def test_values_and_hints_help_and_moves_are_typed_in_any_case(visit: Visit, served: RunningServer) -> None:
    visitor = visit(prefs={"values": True})  # from an analysis; in the next match they are not shown
    page = against_computer(visitor, served, "crystal-capture")
    wait_for_turn(page)
    expect(page.locator(".help")).to_contain_text("A game with help does not count for your rating.")
    expect(page.locator(".help")).not_to_contain_text("can only hope for a mistake")
    expect(page.get_by_label("Values")).not_to_be_checked()
    expect(page.locator(".mark")).to_have_count(0)
    solution = study(served, "/api/solve/crystal-capture")
    hint = solution["hint"]
    steps = {"Hint": hint["nudge"], "Show the move": f"Play {hint['move']}.", "Why?": f"{hint['move']}: {hint['why']}"}
    for name, text in steps.items():
        page.get_by_role("button", name=name).click()
        expect(page.locator(".hint")).to_have_text(text)
        expect(page.locator("#status")).to_have_text(text)
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    page.get_by_label("Values").check()
    expect(page.locator("duel-board button .mark")).to_have_count(len(solution["moves"]))
    for move, worth in solution["moves"].items():
        button = page.locator(f'[data-move="{move}"]')
        expect(button.locator(".mark")).to_have_text(mark(worth))
        moves = "1 move" if moves_left(worth) == 1 else f"{moves_left(worth)} moves"
        text = f", {VERBS[worth['value']]} in {moves}"
        assert (button.get_attribute("aria-label") or "").endswith(text)
    expect(page.locator(".help")).to_contain_text(
        f"From the start, the {solution['winner']} player wins in {(solution['remoteness'] + 1) // 2} move"
    )
    page.get_by_label("Values").focus()
    page.locator(f'[data-move="{hint["move"]}"]').dispatch_event("click")
    expect(page.locator(".hint")).to_have_text("")
    expect(page.locator(".log li")).to_have_count(2)
    wait_for_turn(page)
    expect(page.get_by_label("Values")).to_be_focused()
    page, _ = seated(visitor, served, "alpha-chase", options=short_variants("alpha-chase")[0])
    wait_for_turn(page)
    type_move(page, " t ")
    expect_moves(page, ["T"])


def test_a_part_of_a_move_is_marked_with_its_best_move(visit: Visit, served: RunningServer) -> None:
    position = "word-clash?option=length=3&after=C self 1,A opponent 2"
    page = visit(prefs={"values": True}).open(f"/analysis/{position}")
    solution = study(served, f"/api/solve/{position}")["moves"]
    best = {move.split(" ", 1)[1]: mark(worth) for move, worth in reversed(solution.items())}
    assert {"self 3": "W1", "opponent 3": "L1"}.items() <= best.items()
    for spot, worth in best.items():
        expect(page.locator(f'[data-pick="{spot}"] .mark')).to_have_text(worth)
    page.locator('[data-pick="self 3"]').click()
    expect(page.locator(".cue")).to_have_text("First player's slot 3: what goes with it?")
    for move in ("T self 3", "Q self 3"):
        expect(page.locator(f'[data-move="{move}"] .mark')).to_have_text(mark(solution[move]))


def test_focus_stays_where_it_was_when_a_move_arrives(visit: Visit, served: RunningServer) -> None:
    page, bo = seated(visit(), served, "crystal-capture", options={"crystals": 12, "goal": 40})
    for ply, control in enumerate((page.locator('[data-move="1"]'), typing_field(page))):
        wait_for_turn(page)
        control.focus()
        page.locator(f'[data-move="{12 - ply}"]').dispatch_event("click")
        expect_moves(page, ["12", "5", "11"][: 2 * ply + 1])
        expect(control).to_be_focused()
        bo.play(2 * ply + 1, str(5 - ply))
        wait_for_turn(page)
        expect(control).to_be_focused()
