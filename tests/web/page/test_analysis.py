"""Analysis without a match: any game, options and moves at its own address, with the values of every move."""

from playwright.sync_api import Route, expect

from tests.support.page_table import click, tab, type_in
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

ADDRESS = "/analysis/crystal-capture?option=crystals%3D8&option=goal%3D12&after=3%2C4"


def test_an_address_holds_options_and_moves(visit: Visit, served: RunningServer) -> None:
    page = visit().open(ADDRESS)
    expect(page.locator(".what")).to_have_text(["3", "4"])
    expect(page.locator(".tally")).to_have_text(["4 of 12", "3 of 12"])
    page.get_by_label("Values").check()
    solution = study(served, "/api/solve/crystal-capture?option=crystals=8&option=goal=12&after=3,4")
    expect(page.locator("duel-board .mark")).to_have_count(len(solution["moves"]))
    for move, worth in solution["moves"].items():
        expect(page.locator(f'[data-move="{move}"]')).to_have_attribute("data-value", worth["value"])
        expect(page.locator(f'[data-move="{move}"] .mark')).to_contain_text(str(worth["remoteness"] + 1))


def test_both_sides_are_played_and_the_address_follows(visit: Visit, served: RunningServer) -> None:
    page = visit().open(ADDRESS)
    click(page, "1")
    tab(page, "2")
    type_in(page, "5")
    expect(page.locator(".what")).to_have_text(["3", "4", "1", "2", "5"])
    expect(page).to_have_url(f"{served.url}{ADDRESS}%2C1%2C2%2C5")
    page.get_by_role("button", name="First position").click()
    expect(page).to_have_url(f"{served.url}/analysis/crystal-capture?option=crystals%3D8&option=goal%3D12")
    click(page, "8")
    expect(page.locator(".what")).to_have_text(["8"])
    expect(page.get_by_role("button", name="Back to the game")).to_have_count(0)


def test_a_move_made_before_the_last_one_is_there_is_made_after_it(visit: Visit) -> None:
    page = visit().open(ADDRESS)
    held: list[Route] = []
    expect(page.locator(".what")).to_have_text(["3", "4"])
    page.route("**/api/positions/**", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/positions/**"):
        click(page, "1")
    click(page, "2")
    held[0].continue_()
    expect(page.locator(".what")).to_have_text(["3", "4", "1", "2"])


def test_options_and_game_are_changed(visit: Visit, served: RunningServer) -> None:
    page = visit().open(ADDRESS)
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("goal").fill("11")
    page.get_by_label("goal").press("Enter")
    expect(page).to_have_url(f"{served.url}/analysis/crystal-capture?option=crystals%3D8&option=goal%3D11")
    expect(page.locator(".tally")).to_have_text(["0 of 11", "0 of 11"])
    page.get_by_label("Game", exact=True).select_option("flag-chase")
    expect(page.get_by_role("heading", name="Flag Chase: analysis")).to_be_visible()
    expect(page.get_by_role("button", name="2 cells forward")).to_be_visible()


def test_the_browser_goes_back_and_forward(visit: Visit, served: RunningServer) -> None:
    page = visit().open("/")
    page.get_by_role("link", name="Analysis of Flag Chase").click()
    click(page, "1")
    expect(page).to_have_url(f"{served.url}/analysis/flag-chase?after=1")
    page.get_by_role("link", name="Watch").click()
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
    page.go_back()
    expect(page.locator(".what")).to_have_text(["1"])
    page.go_back()
    expect(page.get_by_role("button", name="Play Flag Chase")).to_be_visible()
    page.go_forward()
    expect(page.locator(".what")).to_have_text(["1"])


def test_a_move_that_comes_too_late_does_not_take_the_address(visit: Visit, served: RunningServer) -> None:
    page = visit().open("/analysis/flag-chase")
    expect(page.locator('[data-move="1"]')).to_be_visible()
    held: list[Route] = []
    page.route("**/api/positions/**", lambda route: held.append(route))
    click(page, "1")
    page.get_by_role("link", name="Watch").click()
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
    with page.expect_response("**/api/positions/**"):
        held[0].continue_()
    page.reload()
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
