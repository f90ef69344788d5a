"""Every screen of the page, each reached as people reach it."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.browser import Visitor
from tests.support.page_table import click, start, titled, turn
from tests.support.service.harness import Player, RunningServer

LONG = "W" * 32
PREFS = {"level": "random", "values": True, "options": {"word-clash": {"length": 4}}}

Screen = Callable[[Visitor, RunningServer], Page]


def home(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/")
    expect(page.locator("duel-picture .board")).to_have_count(5)
    return page


def home_options(visitor: Visitor, served: RunningServer) -> Page:
    page = home(visitor, served)
    for summary in page.locator("details.options > summary").all():
        summary.click()
    return page


def waiting(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/")
    start(page, "crystal-capture", "Invite a friend to {}")
    expect(page.get_by_label("Link to the match")).to_be_visible()
    return page


def joining(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open(f"/match/{served.new_match('alpha-chase', choice='PLANT', name=LONG).match}")
    expect(page.get_by_label("Your name")).to_be_visible()
    return page


def running(game: str) -> Screen:
    """Answer the screen of a match that is being played against the computer, with values."""

    def screen(visitor: Visitor, served: RunningServer) -> Page:
        page = visitor.open("/")
        start(page, game)
        turn(page)
        expect(page.locator("duel-board .mark").first).to_be_visible()
        return page

    return screen


def finished(served: RunningServer) -> Player:
    """Play a match to its end, and answer who won it."""
    players = served.new_pair("crystal-capture", name=LONG)
    for ply, move in enumerate(["1", "9", "2", "6"]):
        players[ply % 2].play(ply, move)
    return players[1]


def over(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open(f"/match/{finished(served).match}?ply=3")
    expect(page.locator(".accuracy li")).to_have_count(2)
    return page


def analysis(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/analysis/charge?after=charge+3,block")
    page.get_by_text("Options", exact=True).click()
    expect(page.locator("duel-board .mark").first).to_be_visible()
    return page


def puzzle(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/puzzle/crystal-capture?seed=5")
    expect(page.locator(".lead")).to_contain_text("One move wins")
    return page


def puzzle_answered(visitor: Visitor, served: RunningServer) -> Page:
    page = puzzle(visitor, served)
    legal = page.locator("duel-board [data-move][data-legal]").first
    click(page, legal.get_attribute("data-move") or "")
    expect(page.locator(".lead")).not_to_contain_text("One move wins")
    return page


def record(visitor: Visitor, served: RunningServer) -> Page:
    match = finished(served).match
    file = Path(served.folder, f"{match}.json")
    file.write_bytes(served.http.get(f"/api/matches/{match}/record").content)
    page = visitor.open("/record")
    page.get_by_label("Record").set_input_files(file)
    expect(page.locator(".accuracy li")).to_have_count(2)
    return page


def watch(visitor: Visitor, served: RunningServer) -> Page:
    served.new_pair("flag-chase", name=LONG, public=True)
    page = visitor.open("/watch")
    expect(page.locator(".running a").first).to_be_visible()
    return page


def rules(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/analysis/charge")
    expect(page.locator("duel-board button").first).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name=f"Rules of {titled('charge')}")).to_be_visible()
    return page


def settings(visitor: Visitor, served: RunningServer) -> Page:
    page = visitor.open("/watch")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    return page


def nowhere(visitor: Visitor, served: RunningServer) -> Page:
    visitor.forgiven.append("404")
    page = visitor.open("/match/0123456789abcdef01234567")
    expect(page.locator(".notice")).to_be_visible()
    return page


SCREENS: dict[str, Screen] = {
    "home": home,
    "home-options": home_options,
    "waiting": waiting,
    "joining": joining,
    **{
        f"match-{game}": running(game)
        for game in ("alpha-chase", "word-clash", "crystal-capture", "charge", "flag-chase")
    },
    "over": over,
    "analysis": analysis,
    "puzzle": puzzle,
    "puzzle-answered": puzzle_answered,
    "record": record,
    "watch": watch,
    "rules": rules,
    "settings": settings,
    "nowhere": nowhere,
}
