"""The list of moves is in short notation where names are long, and never breaks."""

from playwright.sync_api import expect

from duelbook import GAMES
from duelbook.narration import Seating, narration_for
from tests.support.page_modules import loading
from tests.support.page_moves import seated, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

WIDTHS = (360, 768, 1280, 1920)
DRAW = f"""async (short) => {{
  const [{{ draw }}, {{ moveList }}] = [await {loading("dom.js")}, await {loading("moves.js")}];
  const history = short.map((move, index) => ({{ move, seat: index % 2 ? "second" : "first" }}));
  const judged = history.map(({{ move }}) => ({{ move, verdict: "blunder" }}));
  const place = document.querySelector(".moves");
  draw(place, moveList(history, short, 1, () => {{}}, judged));
  place.querySelector(".log").style.paddingInlineEnd = "15px"; // as a scroll bar takes, which this browser hides
}}"""
BROKEN = """() => [...document.querySelectorAll(".ply")].filter((ply) => {
  const [row, what, verdict] = [ply, ...[".what", ".verdict"].map((part) => ply.querySelector(part))];
  const box = (one) => one.getBoundingClientRect();
  const cut = what.scrollWidth > what.clientWidth + 1 || row.scrollWidth > row.clientWidth + 1;
  const outside = box(verdict).right > box(row).right || box(verdict).bottom > box(row).bottom + 1;
  return cut || outside || box(verdict).left < box(what).right - 1 || box(verdict).height > 30;
}).map((ply) => ply.innerText)"""


def test_moves_have_a_short_notation_and_their_full_name(visit: Visit, served: RunningServer) -> None:
    page, bo = seated(visit(), served, "charge")
    wait_for_turn(page)
    page.locator('[data-move="charge 5"]').click()
    expect(page.locator(".lead")).to_have_text("It is Bo's turn.")
    bo.play(1, "block")
    expect(page.locator(".what")).to_have_text(["+5", "block"])
    first = page.locator(".ply").first
    expect(first).to_have_attribute("title", "charge 5")
    expect(first).to_have_accessible_name("Move 1: charge 5")
    page.reload()
    expect(page.locator(".what")).to_have_text(["+5", "block"])
    page.goto(f"{served.url}/analysis/word-clash?after=E self 3,B opponent 1")
    expect(page.locator(".what")).to_have_text(["E3", "B1 opp"])


def test_the_list_never_breaks(visit: Visit) -> None:
    page = visit().open("/analysis/flag-chase?after=1,1")
    expect(page.locator(".what")).to_have_text(["1", "1"])
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        for names in (*map(short_names, GAMES), ["add 3", "W" * 60, "a move of a game from outside with many words"]):
            for shown in (names, sorted(names, key=len)[-9:]):
                page.evaluate(DRAW, shown)
                expect(page.locator(".verdict")).to_have_count(len(shown))
                assert page.evaluate(BROKEN) == [], width


def short_names(game: str) -> list[str]:
    rules = GAMES[game]()
    narration = narration_for(rules, Seating())
    return sorted({narration.short_name(rules.initial(), move) for move in range(rules.num_moves)})
