"""Two people play by link while a spectator watches; the server is killed and started again in between."""

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from duelbook import GAMES
from tests.support.game_folders import short_variants
from tests.support.page_moves import (
    click,
    expect_moves,
    gather,
    play_out,
    reviewed_moves,
    verdicts,
    view,
    wait_for_turn,
)
from tests.support.service.asking import study
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

DISCONNECTED = [
    "ERR_CONNECTION",
    "WebSocket",
    "ERR_EMPTY_RESPONSE",
    "ERR_SOCKET",
    "ERR_CONTENT_LENGTH_MISMATCH",  # of an answer that was cut off
]  # logged about a dead server


@pytest.mark.parametrize("game", GAMES)
def test_a_match_continues_after_the_server_was_killed(visit: Visit, served: RunningServer, game: str) -> None:
    match, seats, guests = gather(visit, served, game, {"options": {game: short_variants(game)[0]}})
    spectator = guests[2].page
    everybody = [*seats.values(), spectator]
    play_out(served, match, seats, click, moves=2)
    state = view(served, match)
    for guest in guests:
        guest.expected += DISCONNECTED
        guest.page.evaluate("window.notReloaded = true")
    served.kill()
    for page in everybody:
        expect(page.locator(".connection[data-lost]")).to_have_text("Connection lost. Reconnecting …")
    click(seats[state["mover"]], state["legal"][0])  # sent when the server is back
    waits = f"Your move {state['legal'][0]} is sent as soon as it is back."
    expect(seats[state["mover"]].locator(".connection[data-lost]")).to_contain_text(waits)
    served.start()
    for page in everybody:
        expect(page.locator(".connection[data-lost]")).to_have_count(0)
        expect_moves(page, [*state["moves"], state["legal"][0]])
    play_out(served, match, seats, click, moves=2)
    if view(served, match)["status"] == "playing":
        resign(seats["first"], "Resign")
        expect(spectator.locator(".lead")).to_contain_text("resigns")
    over = view(served, match)
    review = study(served, f"/api/matches/{match}/review")
    for page in everybody:
        expect(page.locator(".lead")).to_have_text(over["result"])
        assert verdicts(page) == reviewed_moves(review)
        assert page.evaluate("window.notReloaded")


def test_each_player_chooses_a_word(visit: Visit, served: RunningServer) -> None:
    match, seats, _ = gather(visit, served, "alpha-chase")
    assert view(served, match)["view"]["words"] == ["BRAVE", "CHARM"]
    for page in seats.values():
        words = [page.get_by_role("img", name=f"The word {word}") for word in ("BRAVE", "CHARM")]
        for word in words:
            expect(word).to_be_visible()


def test_a_spectator_sees_every_move_and_cannot_play(visit: Visit, served: RunningServer) -> None:
    match, seats, (_, _, watcher) = gather(visit, served, "crystal-capture")
    spectator = watcher.open("/lobby")
    spectator.locator(f'[href="/match/{match}"]').click()
    expect(spectator.locator(".lead")).to_have_text("It is Ada's turn.")
    for name in ("Take back", "Resign", "Play move", "Hint"):
        expect(spectator.get_by_role("button", name=name)).to_have_count(0)
    expect(spectator.locator("duel-board button:not([aria-disabled])")).to_have_count(0)
    spectator.locator('[data-move="9"]').dispatch_event("click")
    click(seats["first"], "8")
    expect(spectator.locator(".what")).to_have_text(["8"])
    expect(spectator.locator("#status")).to_have_text("Ada: 8. It is Bo's turn.")
    assert view(served, match)["moves"] == ["8"]


def test_a_move_is_taken_back_if_the_opponent_agrees(visit: Visit, served: RunningServer) -> None:
    _, seats, (_, _, spectator) = gather(visit, served, "crystal-capture")
    ada, bo = seats["first"], seats["second"]
    click(ada, "8")
    for answer, moves in (("Decline", ["8"]), ("Agree", [])):
        ada.get_by_role("button", name="Take back").click()
        expect(ada.locator(".ask")).to_have_text("You have asked to take back your last move.")
        expect(bo.locator("#status")).to_contain_text("Ada asks to take back their last move.")
        bo.get_by_role("button", name=answer).click()
        for page in (ada, bo, spectator.page):
            expect(page.locator(".ask")).to_have_count(0)
            expect(page.locator(".what")).to_have_text(moves)
    expect(bo.locator("#status")).to_contain_text("1 move taken back.")


def test_resigning_needs_a_confirmation_and_a_rematch_swaps_the_seats(visit: Visit, served: RunningServer) -> None:
    match, seats, _ = gather(visit, served, "flag-chase")
    ada, bo = seats["first"], seats["second"]
    resign(ada, "Cancel")
    assert view(served, match)["status"] == "playing"
    resign(ada, "Resign")
    for page in (ada, bo):
        expect(page.locator(".lead")).to_have_text("Ada resigns. Bo wins!")
    ada.get_by_role("button", name="Rematch", exact=True).click()
    bo.get_by_role("button", name="Join the rematch").click()
    wait_for_turn(bo)
    click(bo, "1")
    wait_for_turn(ada)
    again = view(served, ada.url.rsplit("/", 1)[1])
    assert again["names"] == {"first": "Bo", "second": "Ada"}
    assert ada.url == bo.url


def resign(page: Page, answer: str) -> None:
    """Press Resign and answer the question."""
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog", name="Resign?").get_by_role("button", name=answer).click()


def test_a_second_tab_has_the_same_seat(visit: Visit, served: RunningServer) -> None:
    _, seats, (host, _, _) = gather(visit, served, "crystal-capture")
    seats["first"].evaluate("localStorage.clear()")
    tab = host.context.new_page()
    tab.goto(seats["first"].url)
    wait_for_turn(tab)
    click(tab, "7")
    for page in (tab, *seats.values()):
        expect(page.locator(".what")).to_have_text(["7"])
    click(seats["second"], "3")
    for page in (tab, seats["first"]):
        wait_for_turn(page)


def test_a_player_is_shown_as_away_until_they_come_back(visit: Visit, served: RunningServer) -> None:
    _, seats, (_, guest, spectator) = gather(visit, served, "crystal-capture")
    address = guest.page.url
    guest.page.close()
    for page in (seats["first"], spectator.page):
        expect(page.locator(".place.second .away")).to_have_text("away")
        expect(page.locator(".place.first .away")).to_have_count(0)
    guest.context.new_page().goto(address)
    for page in (seats["first"], spectator.page):
        expect(page.locator(".away")).to_have_count(0)


def test_a_phone_that_slept_catches_up_when_it_wakes(visit: Visit, served: RunningServer) -> None:
    _, seats, (_, guest, _) = gather(visit, served, "crystal-capture")
    sockets: list[WebSocketRoute] = []
    dead: list[WebSocketRoute] = []  # without noticing

    def forward(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server().on_message(lambda message: None if socket in dead else socket.send(message))

    guest.reusable = False  # its clock and its sockets stay changed
    page = guest.page
    page.clock.install()
    page.route_web_socket("**/live", forward)
    page.reload()
    expect(page.locator(".lead")).to_have_text("It is Ada's turn.")
    expect(page.locator(".you")).to_be_visible()
    dead += sockets
    click(seats["first"], "8")
    expect(seats["first"].locator(".what")).to_have_text(["8"])
    page.clock.fast_forward(8_000)
    expect(page.locator(".what")).to_have_count(0)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.clock.run_for(7_000)
    wait_for_turn(page)
    expect(page.locator(".what")).to_have_text(["8"])
