"""What people do at the table: find a match's move on the screen and make it, with the mouse or the keyboard."""

import random
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import PATIENCE, Visitor
from tests.support.service.harness import RunningServer

Make = Callable[[Page, str], None]
DISTANCE = """button => {
  const all = document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']");
  const stops = [...all].filter((one) => one.checkVisibility());
  return stops.indexOf(button) - stops.indexOf(document.activeElement);
}"""  # how many times the tabulator has to be pressed


def match_of(page: Page) -> str:
    """Answer the id of the match that the page shows, once it shows one."""
    page.wait_for_url(re.compile("/match/[0-9a-f]{24}"))
    return str(re.findall("[0-9a-f]{24}", page.url)[-1])


def view(served: RunningServer, match: str) -> dict[str, Any]:
    """Answer the match as the server has it."""
    answer: dict[str, Any] = served.http.get(f"/api/matches/{match}").json()
    return answer


def start(page: Page, game: str, how: str = "Play {}") -> str:
    """Start a match from the home page, and answer its id."""
    page.get_by_role("button", name=how.format(titled(game)), exact=True).click()
    return match_of(page)


def titled(game: str) -> str:
    return game.replace("-", " ").title()


def gather(
    visit: Callable[..., Visitor], served: RunningServer, game: str, prefs: dict[str, Any] | None = None
) -> tuple[str, dict[str, Page], list[Visitor]]:
    """Let Ada invite Bo by link and somebody watch; answer the match, the players by seat, and all three."""
    ada, bo, watcher = visit(prefs={"name": "Ada"} | (prefs or {})), visit(), visit()
    page = ada.open("/")
    if game == "alpha-chase":
        page.get_by_label("Your word").select_option("PLANT")
    match = start(page, game, "Invite a friend to {}")
    bo.page.goto(page.get_by_label("Link to the match").input_value())
    bo.page.get_by_label("Your name").fill("Bo")
    if game == "alpha-chase":
        bo.page.get_by_label("Your word").select_option("GHOST")
    bo.page.get_by_role("button", name="Play second").click()
    expect(bo.page.locator(".lead")).to_have_text("It is Ada's turn.")
    watcher.open("/watch").locator(f'[href="/match/{match}"]').click()
    expect(watcher.page.locator(".lead")).to_have_text("It is Ada's turn.")
    return match, {"first": page, "second": bo.page}, [ada, bo, watcher]


def play_out(served: RunningServer, match: str, pages: dict[str, Page], make: Make, moves: int = 1000) -> None:
    """Play so many moves, or to the end: each person, by seat, makes a legal move when it is their turn."""
    chance = random.Random(7)
    for _ in range(moves):
        state = settled(served, match, pages)
        if state["status"] == "over":
            return
        page = pages[state["mover"]]
        shown = page.locator(".log li")
        expect(shown).to_have_count(state["ply"])
        turn(page)
        make(page, chance.choice(state["legal"]))
        expect(shown).not_to_have_count(state["ply"])


def settled(served: RunningServer, match: str, pages: dict[str, Page]) -> dict[str, Any]:
    """Answer the match as the server has it, once one of these people has to move."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        state = view(served, match)
        if state["mover"] in pages or state["status"] == "over":
            return state
    raise AssertionError(f"nobody moves: {state}")


def steps(page: Page, move: str) -> list[Locator]:
    """Answer the buttons that make the move: one, or a slot and then a letter."""
    board = page.locator("duel-board")
    spot = move.split(" ")[1:]
    if spot and spot[0] in ("self", "opponent"):
        return [board.locator(f'[data-pick="{" ".join(spot)}"]'), board.locator(f'[data-move="{move}"]')]
    return [board.locator(f'[data-move="{move}"]')]


def click(page: Page, move: str) -> None:
    """Make a move with the mouse."""
    for button in steps(page, move):
        button.click()


def tab(page: Page, move: str) -> None:
    """Make a move with nothing but the tabulator and the enter key."""
    for button in steps(page, move):
        for _ in range(3):  # the first time somebody comes from nowhere, or from a place that is no stop
            distance = button.evaluate(DISTANCE)
            for _ in range(abs(distance)):
                page.keyboard.press("Tab" if distance > 0 else "Shift+Tab")
        expect(button).to_be_focused()
        page.keyboard.press("Enter")


def type_in(page: Page, move: str) -> None:
    """Make a move by typing its name."""
    box = page.get_by_label("Type a move")
    box.fill(move)
    box.press("Enter")


def plain(page: Page, move: str) -> None:
    """Make a move on the general board."""
    page.locator(f'duel-board .plain [data-move="{move}"]').click()


def turn(page: Page) -> None:
    """Wait until it is this person's turn."""
    expect(page.locator(".lead")).to_have_text("It is your turn.")


def verdicts(page: Page) -> list[tuple[str, str]]:
    """Answer the moves in the list, each with its verdict."""
    expect(page.locator(".ply .verdict").first).to_be_visible()
    labels = [re.sub("^Move [0-9]+: ", "", one.get_attribute("aria-label") or "") for one in page.locator(".ply").all()]
    return [(move, verdict) for move, verdict in (label.split(", ", 1) for label in labels)]
