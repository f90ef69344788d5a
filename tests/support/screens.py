"""Every screen of the page: each function opens one, the way a person gets there."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from duelbook import GAMES
from tests.support.browser import Visitor
from tests.support.game_folders import short_variants
from tests.support.page_moves import choose_how, click, start, title_of
from tests.support.service.harness import RunningServer

LONG_NAME = "W" * 32
PREFS = {"level": "random", "values": True, "options": {game: short_variants(game)[0] for game in GAMES}}

Screen = Callable[[Visitor, RunningServer], Page]


def home(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/")
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
    return page


def new_match(visitor: Visitor, served: RunningServer) -> Page:
    page = home(visitor, served)
    dialog = choose_how(page, "charge")
    dialog.get_by_text("Advanced").click()
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("goal").fill("99")
    expect(dialog.get_by_text("Cannot start yet.")).to_be_visible()
    return page


def invitation(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/")
    start(page, "crystal-capture", "Invite a friend to {}")
    expect(page.get_by_label("Link to the match")).to_be_visible()
    return page


def joining(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open(f"/match/{served.new_match('alpha-chase', choice='PLANT', name=LONG_NAME).match}")
    expect(page.get_by_label("Your name")).to_be_visible()
    return page


def finished_match(served: RunningServer) -> str:
    players = served.new_pair("crystal-capture", name=LONG_NAME)
    for ply, move in enumerate(["1", "9", "2", "6"]):
        players[ply % 2].play(ply, move)
    return players[1].match


def over(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open(f"/match/{finished_match(served)}?ply=3")
    expect(page.locator(".accuracy li")).to_have_count(2)
    return page


def analysis(visitor: Visitor, served: RunningServer) -> Page:
    moves = "charge+3,block,charge+1,charge+1,charge+2,charge+2,block,block,charge+4,charge+3"  # numbers of two digits
    page = visitor.open(f"/analysis/charge?after={moves}")
    page.get_by_text("Options", exact=True).click()
    expect(page.locator("duel-board .mark").first).to_be_visible()
    return page


def puzzle(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/puzzle/crystal-capture?seed=5")
    expect(page.locator(".lead")).to_contain_text("Only one move wins")
    return page


def puzzle_answered(visitor: Visitor, served: RunningServer) -> Page:
    page = puzzle(visitor, served)
    legal = page.locator("duel-board [data-move][data-legal]").first
    click(page, legal.get_attribute("data-move") or "")
    expect(page.locator(".lead")).not_to_contain_text("Only one move wins")
    return page


def daily_puzzle(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/puzzle/daily")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_have_count(1)
    expect(page.locator(".calendar")).to_be_visible()
    return page


def puzzle_run(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/puzzle/run")
    page.locator("button.main:not([aria-disabled])").click()
    expect(page.locator("duel-board .board")).to_be_visible()
    expect(page.locator("#progress")).to_be_empty()
    return page


def games(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/games")
    page.get_by_role("button", name="Play Charge against beginner").click()
    page.wait_for_url("**/match/*")
    page.goto(f"{served.url}/games")
    expect(page.locator(".played li")).to_have_count(1)
    return page


def record(visitor: Visitor, served: RunningServer) -> Page:
    match_id = finished_match(served)
    file = Path(served.folder, f"{match_id}.json")
    file.write_bytes(served.http.get(f"/api/matches/{match_id}/record").content)
    page = visitor.open("/record")
    page.get_by_label("Record").set_input_files(file)
    expect(page.locator(".accuracy li")).to_have_count(2)
    return page


def lobby(visitor: Visitor, served: RunningServer) -> Page:
    maker = served.new_match("flag-chase", name=LONG_NAME, open=True, options={"cells": 21}, best_of=2)
    players = served.new_pair("flag-chase", name=LONG_NAME, public=True)
    with maker.live(), players[0].live(), players[1].live():
        page = visitor.open("/lobby")
        for name in ("Open challenges", "Being played now"):
            expect(page.get_by_role("list", name=name)).to_contain_text(LONG_NAME)
    return page


def rules(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/analysis/charge")
    expect(page.locator("duel-board button").first).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name=f"Rules of {title_of('charge')}")).to_be_visible()
    return page


def learn(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/learn")
    expect(page.locator(".lessons .button")).to_have_count(len(GAMES))
    return page


def lesson(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/learn/crystal-capture")
    click(page, "5")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    return page


def settings(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/lobby")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    return page


def not_found(visitor: Visitor, served: RunningServer) -> Page:
    visitor.expected.append("404")
    page = visitor.open("/match/0123456789abcdef01234567")
    expect(page.get_by_role("heading", name="This match cannot be shown")).to_be_visible()
    return page


SCREENS: dict[str, Screen] = {
    "home": home,
    "new-match": new_match,
    "invitation": invitation,
    "joining": joining,
    "over": over,
    "analysis": analysis,
    "puzzle": puzzle,
    "puzzle-answered": puzzle_answered,
    "daily-puzzle": daily_puzzle,
    "puzzle-run": puzzle_run,
    "games": games,
    "record": record,
    "lobby": lobby,
    "rules": rules,
    "learn": learn,
    "lesson": lesson,
    "settings": settings,
    "not-found": not_found,
}
