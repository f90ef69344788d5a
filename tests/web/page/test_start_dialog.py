"""A match is set up in one dialog: opponents by strength, presets, options in words, and why it cannot start yet."""

import re

from playwright.sync_api import expect

from duelbook import GAMES, make
from duelbook.measurements import measurement_of, sentences
from duelbook.presets import presets_of
from tests.support.browser import PHONE
from tests.support.page_moves import choose_how, match_of, view
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit


def test_each_preset_says_what_was_measured_and_who_wins_is_worked_out_for_other_rules(visit: Visit) -> None:
    page = visit(viewport={"width": 1280, "height": 800}).open("/")
    dialog = choose_how(page, "charge")
    truth = dialog.locator(".truth")
    for preset in presets_of(GAMES["charge"]).values():
        dialog.get_by_role("radio", name=preset.title, exact=True).check()
        game = make("charge", preset=preset.name)
        found = measurement_of(game)
        assert found
        expect(truth).to_have_text(" ".join(sentences(found)))
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("goal").fill("12")  # which was measured, though no preset has it
    game = make("charge", preset="long", goal=12)
    found = measurement_of(game)
    assert found
    expect(truth).to_have_text(" ".join(sentences(found)))
    dialog.get_by_role("button", name="Cancel").click()
    dialog = choose_how(page, "flag-chase")
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("cells").fill("9")
    dialog.get_by_label("stride").fill("5")
    assert measurement_of(make("flag-chase", cells=9, stride=5)) is None
    expect(dialog.locator(".truth")).to_contain_text("Nobody has measured these rules yet.")
    dialog.get_by_role("button", name="Who wins with best play?").click()
    expect(dialog.locator(".truth")).to_contain_text("With best play, the first player wins in 1 move.")
    dialog.get_by_role("button", name="Cancel").click()

    for name in GAMES:  # everything but Custom fits
        dialog = choose_how(page, name)
        for part in (dialog.get_by_text("You move"), dialog.get_by_label("Clock"), dialog.get_by_label("Games")):
            expect(part).to_be_in_viewport(ratio=1)
        assert dialog.evaluate("one => one.scrollHeight <= one.clientHeight"), name
        dialog.get_by_role("radio", name="Perfect").check()
        expect(dialog.get_by_role("radio", name="Perfect")).to_have_accessible_description(
            re.compile("Never makes a mistake")
        )
        dialog.get_by_role("button", name="Cancel").click()


def test_a_phone_shows_every_section_and_what_is_wrong_stands_at_its_field(visit: Visit) -> None:
    page = visit(viewport=PHONE).open("/")
    dialog = choose_how(page, "charge")
    for section in ("Opponent", "Rules"):
        expect(dialog.get_by_text(section, exact=True)).to_be_in_viewport()
    dialog.get_by_label("Custom").check()
    expect(dialog.get_by_label("refresh").locator("option")).to_have_text(["no charges", "empty hand"])
    dialog.get_by_role("button", name="Cancel").click()
    dialog = choose_how(page, "crystal-capture")
    dialog.get_by_label("Custom").check()
    crystals, goal = dialog.get_by_label("crystals", exact=True), dialog.get_by_label("goal", exact=True)
    play = dialog.get_by_role("button", name="Play", exact=True)
    crystals.fill("31")  # which the catalogue tells
    expect(crystals).to_have_attribute("aria-invalid", "true")
    expect(crystals).to_have_accessible_description(re.compile("^Enter a whole number from 1 to 30[.] "))
    expect(play).to_have_accessible_description("Cannot start yet. Crystals: enter a whole number from 1 to 30.")
    play.click(force=True)  # Playwright would wait until it is enabled
    expect(crystals).to_be_focused()
    goal.fill("many")  # all that is wrong is told, not only the first
    expect(goal).to_have_attribute("aria-invalid", "true")
    expect(play).to_have_accessible_description(
        re.compile("Crystals: enter a whole number from 1 to 30[.] Goal: enter a whole number")
    )
    crystals.fill("5")
    goal.fill("16")  # which only the server knows: five crystals are worth 15
    expect(goal).to_have_attribute("aria-invalid", "true")
    expect(play).to_have_attribute("aria-disabled", "true")
    goal.press("Enter")
    expect(dialog).to_be_visible()
    goal.fill("14")
    expect(play).not_to_have_attribute("aria-disabled", "true")
    expect(dialog.locator(".problem")).to_have_count(1)  # the empty line beside Play
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("article", name="Crystal Capture")).to_contain_text("medium · you move first")


def test_a_match_starts_as_chosen_and_what_is_chosen_for_a_game_is_remembered_for_it(
    visit: Visit, served: RunningServer
) -> None:
    page = visit().open("/")
    dialog = choose_how(page, "crystal-capture")
    dialog.get_by_role("radio", name="Easy").check()
    dialog.get_by_role("radio", name="Second").check()
    dialog.get_by_label("Games").select_option("2")
    dialog.get_by_role("button", name="Play", exact=True).click()
    match_of(page)
    page.goto(f"{served.url}/")
    how = page.locator(".how > :first-child")
    expect(page.locator("#how-crystal-capture")).to_have_text("easy · you move second · best of two")
    expect(how.filter(has_text="you move first")).to_have_count(len(GAMES) - 1)
    expect(how.filter(has_text="easy")).to_have_count(len(GAMES))  # the level that was chosen last, for a first time
    dialog = choose_how(page, "charge")
    expect(dialog.get_by_role("radio", name="First")).to_be_checked()
    dialog.get_by_role("radio", name="Hard").check()
    dialog.get_by_role("button", name="Play", exact=True).click()
    match_of(page)
    page.goto(f"{served.url}/")
    expect(page.locator("#how-crystal-capture")).to_have_text("easy · you move second · best of two")
    expect(page.locator("#how-charge")).to_have_text("hard · you move first")

    dialog = choose_how(page, "alpha-chase")
    expect(dialog.get_by_label("Your word").locator("option")).to_have_text(
        ["Random", "BRAVE", "CHARM", "GHOST", "PLANT", "QUICK"]
    )
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("word list").select_option("all")
    word = dialog.locator("input#choice-alpha-chase")
    word.fill("HELLO")
    expect(word).to_have_accessible_description(re.compile("repeats the letter L"))
    word.fill("house")
    expect(word).not_to_have_attribute("aria-invalid", "true")
    dialog.get_by_role("button", name="Play", exact=True).click()
    made = view(served, match_of(page))
    assert made["options"]["word_list"] == "all"
    assert str(made["options"]["words"]).startswith("HOUSE,")


def test_a_program_with_a_number_a_clock_and_a_series_and_then_anybody_are_asked_for(
    visit: Visit, served: RunningServer
) -> None:
    page = visit().open("/")
    dialog = choose_how(page, "flag-chase")
    levels = dialog.locator("fieldset").first.get_by_role("radio").evaluate_all("all => all.map((one) => one.value)")
    assert levels[:6] == ["beginner", "easy", "medium", "hard", "expert", "perfect"]
    dialog.get_by_text("Advanced").click()
    dialog.get_by_role("radio", name="search").check()
    dialog.get_by_label("depth").fill("99")
    expect(dialog.get_by_text("Cannot start yet. Depth: enter a whole number from 1 to 8.")).to_be_visible()
    dialog.get_by_label("depth").fill("2")
    dialog.get_by_label("Clock").select_option("60")
    dialog.get_by_label("Games").select_option("2")
    long = presets_of(GAMES["flag-chase"])["long"]
    dialog.get_by_label("Custom").check()
    dialog.get_by_label("cells").fill("9")  # a preset sets all options
    dialog.get_by_label("Long").check()
    expect(dialog.get_by_text(long.about)).to_be_visible()
    dialog.get_by_role("button", name="Play", exact=True).click()
    made = view(served, match_of(page))
    assert {name: made["options"][name] for name in long.options} == long.options
    assert made["seats"]["second"] == "search:2"
    assert made["clocks"]["limit"] == 60
    assert made["series"]["best_of"] == 2
    page.goto(f"{served.url}/")
    line = "search:2 · you move first · long · 1 minute per move · best of two"
    expect(page.get_by_role("article", name="Flag Chase")).to_contain_text(line)
    dialog = choose_how(page, "flag-chase")
    dialog.get_by_label("Anybody").check()
    dialog.get_by_role("button", name="Offer the match").click()
    assert view(served, match_of(page))["seats"]["second"] == "free"
