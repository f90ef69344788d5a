"""Lessons and rules on the page: do it, see why, go on; and the rules of a match are those of its options."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from duelbook import GAMES
from duelbook.study.lessons import accepted_moves, own_lesson
from tests.support.browser import PHONE
from tests.support.page_moves import against_computer, click, seated, title_of, typing_field, wait_for_turn
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit
from tests.web.page.test_phone_layout import expect_all_in_view


def teacher(page: Page, stage: str) -> None:
    expect(page.locator(".teacher")).to_have_attribute("data-stage", stage)


def test_a_new_player_takes_a_lesson_and_is_led_to_a_match(visit: Visit) -> None:
    page = visit().open("/learn")
    page.get_by_role("link", name="Start: Flag Chase").click()
    expect(page.get_by_role("heading", name="Learn Flag Chase")).to_be_visible()
    ticks = page.locator(".steps-done [data-done]")
    page.get_by_role("button", name="Step 5: ").click()
    expect(page.locator(".task")).to_contain_text("This time you move second.")
    expect(ticks).to_have_count(0)
    click(page, "2")
    teacher(page, "right")
    expect(page.locator("duel-board .to-move")).to_have_count(0)  # it is nobody's turn while the answer is read
    expect(ticks).to_have_count(1)
    page.get_by_role("button", name="Next").click()  # what was left out comes next
    teacher(page, "task")
    click(page, "1")
    teacher(page, "right")
    page.keyboard.press("Enter")  # the next step has the focus
    expect(page.get_by_role("heading", name="Take the flag")).to_be_focused()
    click(page, "1")
    teacher(page, "wrong")
    expect(page.locator(".teacher")).to_contain_text("One cell short. Your opponent replies 2 and wins.")
    expect(page.locator("#status")).to_contain_text("Not quite. One cell short.")
    expect(page.locator("duel-board .place.second")).to_contain_text("on the flag")  # the reply is shown, too
    page.keyboard.press("Enter")  # try again
    click(page, "2")
    teacher(page, "right")
    page.reload()  # progress is kept
    expect(page.get_by_role("heading", name="No further than the flag")).to_be_visible()
    expect(page.get_by_role("button", name="Step 5: Use a mistake, solved")).to_be_visible()
    expect(ticks).to_have_count(3)
    for _ in range(2):
        click(page, "2")
        teacher(page, "right")
        page.keyboard.press("Enter")
    teacher(page, "task")  # the last step again, although it is solved
    click(page, "2")
    page.get_by_role("button", name="Finish").press("Enter")
    expect(page.get_by_role("heading", name="You can play Flag Chase")).to_be_focused()
    kept = json.loads(page.evaluate("localStorage.duelbook"))["lessons"]
    assert kept == {"flag-chase": {"solved": [0, 1, 2, 3, 4], "steps": 5, "done": True}}
    next_lesson = page.get_by_role("link", name=re.compile("Next lesson: "))
    expect(next_lesson).not_to_have_attribute("href", "/learn/flag-chase")
    page.get_by_role("button", name="Play against beginner").click()
    expect(page).to_have_url(re.compile("/match/[0-9a-f]{24}"))
    page.goto(page.url.split("/match")[0] + "/learn")
    expect(page.get_by_role("link", name="Do it again: Flag Chase")).to_be_visible()


@pytest.mark.parametrize("name", GAMES)
def test_a_match_fits_on_a_phone_and_so_does_the_lesson_which_can_be_passed(
    visit: Visit, served: RunningServer, name: str
) -> None:
    lesson = own_lesson(GAMES[name])
    assert lesson
    visitor = visit(viewport=PHONE)
    page = against_computer(visitor, served, name)
    wait_for_turn(page)
    expect_all_in_view(page)
    visitor.open(f"/learn/{name}")
    for step in lesson.steps:
        expect(page.get_by_role("heading", name=step.title, exact=True)).to_be_visible()
        expect_all_in_view(page)
        if step.title == "Refresh":  # in the lesson of Charge, all cards come back
            expect(page.locator("duel-board .place.first").get_by_label("0 charge cards")).to_be_visible()
        click(page, step.game.move_name(step.state, accepted_moves(step)[-1]))
        teacher(page, "right")
        if step.title == "Refresh":
            expect(page.locator("duel-board .place.first").get_by_label("5 charge cards")).to_be_visible()
        page.locator(".teacher button.main").click()
    expect(page.get_by_role("heading", name=f"You can play {title_of(name)}")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("innerWidth")


def test_a_question_mark_shows_the_rules_of_the_match_with_pictures_and_letters_do_nothing(
    visit: Visit, served: RunningServer
) -> None:
    page, _ = seated(visit(), served, "charge", options={"goal": 21})
    wait_for_turn(page)
    page.keyboard.type("rhuvn")
    typing_field(page).press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("h1").click()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Rules of Charge")
    expect(dialog).to_contain_text("exactly 21 points wins")
    expect(dialog).not_to_contain_text("Type")
    expect(dialog.locator("figure .board.small")).to_have_count(2)
    assert dialog.evaluate("one => one.scrollTop") == 0
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
