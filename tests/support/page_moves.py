"""Play on the page: start a match, find a move on the board, and make it with the mouse, the keyboard or by typing."""

import random
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from duelbook import GAMES, Match, make
from duelbook.game import move_names
from tests.support.browser import TIMEOUT_MS, Visitor
from tests.support.service.harness import Player, RunningServer

MakeMove = Callable[[Page, str], None]
TAB_DISTANCE = """button => {
  const all = document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']");
  const stops = [...all].filter((one) => one.checkVisibility() && one.tabIndex === 0);
  const group = button.closest("[role=group]") ?? button.closest(".board");
  const stop = stops.find((one) => group.contains(one) && one.matches(".move"));
  return stops.indexOf(stop) - stops.indexOf(document.activeElement);
}"""  # how many times Tab has to be pressed to get to the group of the button
ARROW = """button => {
  const [to, from] = [button, document.activeElement].map((one) => one.getBoundingClientRect());
  const [dx, dy] = [to.left + to.width / 2 - from.left - from.width / 2, to.top - from.top];
  if (button === document.activeElement) return null;
  return Math.abs(dy) > 8 ? (dy > 0 ? "ArrowDown" : "ArrowUp") : dx > 0 ? "ArrowRight" : "ArrowLeft";
}"""  # the arrow that leads to the button
MAX_ARROWS = 40
PLAYOUTS = 200  # of which the shortest is played on the page


def match_of(page: Page) -> str:
    page.wait_for_url(re.compile("/match/[0-9a-f]{24}"))
    page.locator("duel-match").wait_for(state="attached")  # the screen before it is gone then
    return str(re.findall("[0-9a-f]{24}", page.url)[-1])


def view(served: RunningServer, match: str) -> dict[str, Any]:
    answer: dict[str, Any] = served.http.get(f"/api/matches/{match}").json()
    return answer


def start(page: Page, game: str, how: str = "Play {}") -> str:
    page.get_by_role("button", name=how.format(title_of(game)), exact=True).click()
    return match_of(page)


def choose_how(page: Page, game: str) -> Locator:
    """Open the dialog in which a match is set up, and return it."""
    page.get_by_role("button", name=f"Change how {title_of(game)} is played").click()
    dialog = page.get_by_role("dialog", name=f"Play {title_of(game)}")
    expect(dialog.get_by_role("button", name="Play", exact=True)).to_be_visible()
    return dialog


def title_of(game: str) -> str:
    return game.replace("-", " ").title()


def gather(
    visit: Callable[..., Visitor], served: RunningServer, game: str, prefs: dict[str, Any] | None = None
) -> tuple[str, dict[str, Page], list[Visitor]]:
    """Let Ada invite Bo by link, with a spectator. Return the match, the players' pages by seat, and the visitors."""
    rules: Any = GAMES[game]()
    chosen = {"choices": {game: rules.choices()[0]}} if hasattr(rules, "choices") else {}
    ada, bo, spectator = visit(prefs={"name": "Ada"} | chosen | (prefs or {})), visit(), visit()
    page = ada.open("/")
    match = start(page, game, "Invite a friend to {}")
    bo.page.goto(page.get_by_label("Link to the match").input_value())
    bo.page.get_by_label("Your name").fill("Bo")
    choose(bo.page, game, 2)
    bo.page.get_by_role("button", name="Join and move second").click()
    expect(bo.page.locator(".lead")).to_have_text("It is Ada's turn.")
    expect(spectator.open(f"/match/{match}").locator(".lead")).to_have_text("It is Ada's turn.")
    return match, {"first": page, "second": bo.page}, [ada, bo, spectator]


def seated(visitor: Visitor, served: RunningServer, game: str, **request: Any) -> tuple[Page, Player]:
    """Let the visitor play first against Bo, who has no page. Return the visitor's page and Bo."""
    wanted = {"game": game, "opponent": "friend", "seat": "first", **request}
    match = visitor.context.request.post(f"{served.url}/api/matches", data=wanted).json()["id"]
    joined = served.http.post(f"/api/matches/{match}/join", json={"name": "Bo"}).json()
    return visitor.open(f"/match/{match}"), Player(served, match, joined["seat"], joined["token"])


def against_computer(visitor: Visitor, served: RunningServer, game: str, **request: Any) -> Page:
    """Let the visitor play against the computer, and return the page that shows the match."""
    wanted = {"game": game, "opponent": "random", "seat": "first", **first_choice(game, request), **request}
    match = visitor.context.request.post(f"{served.url}/api/matches", data=wanted).json()["id"]
    return visitor.open(f"/match/{match}")


def first_choice(game: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return what the player chooses before the start, unless the options say it."""
    rules: Any = GAMES[game]() if game in GAMES else None
    return {"choice": rules.choices()[0]} if hasattr(rules, "choices") and not request.get("options") else {}


def short_game(game: str, options: dict[str, Any], min_moves: int = 4) -> list[str]:
    """Return the moves of a short game, always the same."""
    found: list[list[str]] = []
    for seed in range(PLAYOUTS):
        rng, match, moves = random.Random(seed), Match(make(game, **options)), list[str]()
        while not match.over:
            moves.append(rng.choice(list(move_names(match.game, match.state))))
            match.play(moves[-1])
        if len(moves) == min_moves:
            return moves
        found.append(moves)
    return min((moves for moves in found if len(moves) >= min_moves), key=len)


def choose(page: Page, game: str, number: int) -> None:
    """Choose what is listed at this place, if the players of the game choose something before the start."""
    if hasattr(GAMES[game], "choices"):
        page.locator(f"select#choice-{game}").select_option(index=number)


def play_out(served: RunningServer, match: str, pages: dict[str, Page], make: MakeMove, moves: int = 1000) -> None:
    """Play this many moves, or to the end: the person whose turn it is makes a random legal move."""
    rng = random.Random(7)
    for _ in range(moves):
        state = wait_for_person(served, match, pages)
        if state["status"] == "over":
            return
        page = pages[state["mover"]]
        shown = page.locator(".log li")
        expect(shown).to_have_count(state["ply"])
        wait_for_turn(page)
        make(page, rng.choice(state["legal"]))
        expect(shown).not_to_have_count(state["ply"])


def wait_for_person(served: RunningServer, match: str, pages: dict[str, Page]) -> dict[str, Any]:
    """Wait until one of these people is to move or the match is over, and return the view."""
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    while time.monotonic() < deadline:
        state = view(served, match)
        if state["mover"] in pages or state["status"] == "over":
            return state
        time.sleep(0.01)
    raise AssertionError(f"none of these people is to move: {state}")


def buttons(page: Page, move: str) -> list[Locator]:
    """Return the buttons that make the move: one, or a slot and then a letter."""
    board = page.locator("duel-board")
    spot = move.split(" ")[1:]
    if spot and spot[0] in ("self", "opponent"):
        return [board.locator(f'[data-pick="{" ".join(spot)}"]'), board.locator(f'[data-move="{move}"]')]
    return [board.locator(f'[data-move="{move}"]')]


def click(page: Page, move: str) -> None:
    for button in buttons(page, move):
        button.click()


def tab(page: Page, move: str) -> None:
    wait_for_board(page)
    for button in buttons(page, move):
        for _ in range(3):  # at first the focus may be nowhere, or on something that Tab skips
            distance = button.evaluate(TAB_DISTANCE)
            if distance == 0:
                break
            for _ in range(abs(distance)):
                page.keyboard.press("Tab" if distance > 0 else "Shift+Tab")
        for _ in range(MAX_ARROWS):
            arrow = button.evaluate(ARROW)
            if arrow is None:
                break
            page.keyboard.press(arrow)
        expect(button).to_be_focused()
        page.keyboard.press("Enter")


def typing_field(page: Page) -> Locator:
    """Open the menu with the field for typed moves if it is closed, and return the field."""
    field = page.get_by_label("Type a move")
    if not field.is_visible():
        page.locator(".move-input summary").click()
    return field


def type_move(page: Page, move: str) -> None:
    box = typing_field(page)
    box.fill(move)
    box.press("Enter")


def click_plain(page: Page, move: str) -> None:
    page.locator(f'duel-board .plain [data-move="{move}"]').click()


def wait_for_board(page: Page) -> None:
    """Wait until the board answers to keys and to pointing, which it does a moment after it is drawn."""
    expect(page.locator("duel-board button.move[tabindex]").first).to_be_visible()


def wait_for_turn(page: Page) -> None:
    expect(page.locator(".lead")).to_have_text(re.compile("^It is your turn( again)?[.]$"))


def expect_moves(page: Page, moves: list[str]) -> None:
    """Wait until the list has these moves, by the names that it has for screen readers."""
    expect(page.locator(".ply")).to_have_count(len(moves))
    for number, move in enumerate(moves, 1):
        label = re.compile(f"^Move {number}: {re.escape(move)}(,|$)")
        expect(page.locator(".ply").nth(number - 1)).to_have_attribute("aria-label", label)


def verdicts(page: Page) -> list[tuple[str, str]]:
    """Return the moves in the list, each with its verdict."""
    expect(page.locator(".ply .verdict").first).to_be_visible()
    labels = [re.sub("^Move [0-9]+: ", "", one.get_attribute("aria-label") or "") for one in page.locator(".ply").all()]
    return [(move, verdict) for move, verdict in (label.split(", ", 1) for label in labels)]


def reviewed_moves(review: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the moves of the server's review, each with its verdict as the page writes it."""
    return [(move["move"], move["verdict"].replace("lost anyway", "already lost")) for move in review["moves"]]
