"""The analysis board: any game, options and moves at their own address, with the value of every move."""

from playwright.sync_api import expect

from tests.support.browser import HeldRequests
from tests.support.page_moves import click, tab, type_move
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

ADDRESS = "/analysis/crystal-capture?option=crystals%3D8&option=goal%3D12&after=3%2C4"


def test_an_address_holds_options_and_moves_and_follows_what_is_played(visit: Visit, served: RunningServer) -> None:
    page = visit().open(ADDRESS)
    expect(page.locator(".what")).to_have_text(["3", "4"])
    expect(page.locator(".tally")).to_have_text(["4 of 12", "3 of 12"])
    page.get_by_label("Values").check()
    solution = study(served, "/api/solve/crystal-capture?option=crystals=8&option=goal=12&after=3,4")
    expect(page.locator("duel-board .mark")).to_have_count(len(solution["moves"]))
    for move, worth in solution["moves"].items():
        expect(page.locator(f'[data-move="{move}"]')).to_have_attribute("data-value", worth["value"])
        expect(page.locator(f'[data-move="{move}"] .mark')).to_contain_text(str((worth["remoteness"] + 2) // 2))
    tab(page, "1")
    held = HeldRequests(page, "**/api/positions/**", times=1)
    with page.expect_request("**/api/positions/**"):
        click(page, "2")
    type_move(page, "5")  # before the answer
    held.let_go()
    expect(page.locator(".what")).to_have_text(["3", "4", "1", "2", "5"])
    expect(page).to_have_url(f"{served.url}{ADDRESS}%2C1%2C2%2C5")
    page.get_by_role("button", name="First position").click()
    expect(page).to_have_url(f"{served.url}/analysis/crystal-capture?option=crystals%3D8&option=goal%3D12")
    click(page, "8")
    expect(page.locator(".what")).to_have_text(["8"])
    expect(page.get_by_role("button", name="Back to the game")).to_have_count(0)
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Custom").check()
    page.get_by_label("goal").fill("11")
    page.get_by_label("goal").press("Enter")
    expect(page).to_have_url(f"{served.url}/analysis/crystal-capture?option=crystals%3D8&option=goal%3D11")
    expect(page.locator(".tally")).to_have_text(["0 of 11", "0 of 11"])
    page.get_by_label("Game", exact=True).select_option("flag-chase")
    expect(page.get_by_role("heading", name="Flag Chase: analysis")).to_be_visible()
    expect(page.get_by_role("button", name="2 cells forward")).to_be_visible()


def test_the_back_and_forward_buttons_work_and_a_late_answer_changes_no_other_screen(
    visit: Visit, served: RunningServer
) -> None:
    page = visit().open("/")
    page.get_by_role("link", name="Flag Chase analysis").click()
    click(page, "1")
    expect(page).to_have_url(f"{served.url}/analysis/flag-chase?after=1")
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    page.go_back()
    expect(page.locator(".what")).to_have_text(["1"])
    page.go_back()
    expect(page.get_by_role("button", name="Play Flag Chase")).to_be_visible()
    page.go_forward()
    expect(page.locator(".what")).to_have_text(["1"])
    held = HeldRequests(page, "**/api/positions/**")
    click(page, "1")
    page.get_by_role("link", name="Lobby").click()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
    with page.expect_response("**/api/positions/**"):
        held.let_go()
    page.reload()
    expect(page.get_by_role("heading", name="Lobby")).to_be_visible()
