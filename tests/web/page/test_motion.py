"""Motion: pieces travel to where they belong, quickly interrupted, and not at all for people who prefer that."""

from playwright.sync_api import Page, expect

from tests.support.page_moves import wait_for_board
from tests.web.page.conftest import Visit

SLOWLY = """() => {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const animation = animate.call(this, frames, { ...options, duration: 60_000 });
    const changed = Object.keys(Object.assign({}, ...frames)).sort().join();
    if (!options.pseudoElement) (window.animated ??= []).push([this.dataset.piece ?? "", changed]);
    return animation;
  };
}"""  # every motion takes a minute, and is noted
SPOT = "piece => { const box = piece.getBoundingClientRect(); return [Math.round(box.x), Math.round(box.y)]; }"
WAYS = {
    "crystal-capture": ("8", ".place.first .portion", "crystal 8"),
    "flag-chase": ("2", ".track .token.first[data-piece]", "token 0"),
    "alpha-chase": ("T", ".place.first .cell.own", "letter T"),
    "charge": ("charge 5", ".place.first .cell.signed.last", "charge 5 by 0"),
}


def animated(page: Page) -> dict[str, str]:
    """Return the pieces that have moved, each with what changed."""
    return dict(page.evaluate("window.animated?.splice(0) ?? []"))


def test_a_move_travels_by_transforms_only(visit: Visit) -> None:
    visitor = visit(reduced_motion="no-preference")
    for game, (move, where, piece) in WAYS.items():
        page = visitor.open(f"/analysis/{game}")
        expect(page.locator(f'[data-move="{move}"]')).to_be_visible()
        wait_for_board(page)
        page.locator(f'button[data-move="{move}"]').hover()
        expect(page.locator("duel-board .words:not([data-help])")).to_be_visible()  # the board shows what would be
        page.evaluate(SLOWLY)
        page.locator(f'button[data-move="{move}"]').dispatch_event("click")
        page.mouse.move(0, 0)  # so that no further move is pointed at
        expect(page.locator(where)).to_have_attribute("data-moving", "")
        on_the_way = page.locator(where).evaluate(SPOT)
        moved = animated(page)
        assert moved[piece] == "scale,translate"
        assert set(moved.values()) <= {"scale,translate", "opacity,scale", "rotate"}
        page.evaluate("document.getAnimations().forEach((one) => one.finish())")
        assert page.locator(where).evaluate(SPOT) != on_the_way
        expect(page.locator(where)).not_to_have_attribute("data-moving", "")


def test_the_next_move_interrupts_and_every_piece_arrives(visit: Visit) -> None:
    page = visit(reduced_motion="no-preference").open("/analysis/crystal-capture")
    expect(page.locator('[data-move="8"]')).to_be_visible()
    page.evaluate(SLOWLY)
    for move in ("8", "2", "3"):
        page.locator(f'[data-move="{move}"]').dispatch_event("click")
        expect(page.locator("duel-board .gone.last")).to_contain_text(move)
    page.keyboard.press("Home")  # far away: shown at once
    expect(page.locator("duel-board .gone")).to_have_count(0)
    assert page.evaluate("document.querySelectorAll('[data-moving]').length") == 0
    assert page.evaluate("document.querySelector('duel-board').getAnimations({subtree: true}).length") == 0


def test_nothing_moves_for_people_who_prefer_reduced_motion(visit: Visit) -> None:
    page = visit().open("/analysis/crystal-capture")
    expect(page.locator('[data-move="8"]')).to_be_visible()
    page.evaluate(SLOWLY)
    page.locator('[data-move="8"]').click()
    expect(page.locator("duel-board .gone.last")).to_have_count(1)
    assert animated(page) == {}
