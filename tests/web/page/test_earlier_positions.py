"""An earlier position of a game that is being played says so, and there is always a way back to the game."""

from playwright.sync_api import expect

from tests.support.page_moves import click, expect_moves, seated, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit
from tests.web.page.test_accessibility import check_accessibility


def test_an_earlier_position_of_a_live_game_says_so_and_leads_back(visit: Visit, served: RunningServer) -> None:
    page, bo = seated(visit(), served, "crystal-capture")
    wait_for_turn(page)
    with bo.live():  # or the status would say that Bo is away
        for ply, move in enumerate(["1", "9", "2"]):
            click(page, move) if ply % 2 == 0 else bo.play(ply, move)
            expect_moves(page, ["1", "9", "2"][: ply + 1])
        note, board = page.locator(".past"), page.locator("duel-board").bounding_box()
        expect(note).to_have_count(0)
        for key in ("End", "Escape", "button"):
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowLeft")
            expect(note).to_contain_text("You are looking at move 1.")
            expect(note).to_be_in_viewport(ratio=1)
            expect(page.locator("#status")).to_have_text("Move 1 of 3: 1. You are looking at move 1.")
            assert page.locator("duel-board").bounding_box() == board, "the board stays where it is"
            note.get_by_role("button", name="Back to the game").click() if key == "button" else page.keyboard.press(key)
            expect(note).to_have_count(0)
            expect(page.locator(".ply[aria-current] .number")).to_have_text("3")
        page.keyboard.press("Home")
        expect(note).to_contain_text("You are looking at the start.")
        check_accessibility(page)
        bo.play(3, "3")
        expect(page.locator("#status")).to_contain_text("Bo: 3. It is your turn.")
        expect(note).to_contain_text("You are looking at the start. It is your turn.")
        expect(page.locator("duel-board .gone")).to_have_count(0)
        page.locator('[data-move="7"]').click(force=True)
        expect(page.locator("#status.fresh")).to_have_text("You are looking at the start.")
        assert bo.view()["ply"] == 4, "nothing was played"
