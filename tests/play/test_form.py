"""The choices before a match: what is offered, checked and remembered, whoever asks for it."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from duelbook.errors import RefusedError
from duelbook.games import GAMES
from duelbook.play.arguments import PlayArguments
from duelbook.play.data_folder import data_file, load
from duelbook.play.form import FILE, Form, LastChoice


@pytest.fixture(autouse=True)
def fresh_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No last choice is remembered."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def filled(answers: Mapping[str, str], **given: object) -> Form:
    """Return a form with these answers, given one after another."""
    form = Form(PlayArguments(**given))  # type: ignore[arg-type]
    for name, text in answers.items():
        form.set(name, text)
    return form


def names(form: Form) -> list[str]:
    return [field.name for field in form.fields()]


def entries(form: Form, name: str) -> list[str]:
    return list(form.field(name).entries)


def test_all_has_a_default_from_the_rule_book_or_its_suggestion() -> None:
    form = Form(PlayArguments())
    assert names(form) == ["game", "rules", "one", "two", "first", "time", "matches"]
    assert entries(form, "game") == list(GAMES)
    assert not form.has_last
    form.set("game", "flag-chase")
    assert form.field("rules").entries["long"].startswith("Long (suggested): ")
    arguments = form.arguments()
    assert arguments.options.items() == {"cells": 21}.items()
    assert (arguments.agents, arguments.first, arguments.time_limit, arguments.matches) == (
        ("human", "easy"),
        "1",
        None,
        1,
    )


def test_which_fields_there_are_depends_on_the_others() -> None:
    form = filled({"game": "charge", "rules": "custom", "two": "advanced"})
    assert {"option-goal", "two-kind", "two-parameter"} <= {*names(form)}
    form.set("two-kind", "greedy")
    assert "two-parameter" not in names(form)
    form.set("two", "hard")
    form.set("rules", "book")
    assert names(form) == ["game", "rules", "one", "two", "first", "time", "matches"]
    with pytest.raises(RefusedError, match="no field 'option-goal'"):
        form.set("option-goal", "3")


def test_options_hold_for_one_game_and_stay_as_in_the_book_unless_they_are_set() -> None:
    form = filled({"game": "charge", "rules": "custom", "option-goal": "21", "option-biggest_charge": "5"})
    assert form.arguments().options == {"goal": "21"}
    assert form.field("option-biggest_charge").default == "5"
    form.set("option-goal", "15")
    assert form.arguments().options == {}
    form.set("option-goal", "21")
    form.set("game", "crystal-capture")
    form.set("rules", "custom")
    assert form.field("option-goal").default == "15", "an option of the same name"


def test_only_values_that_the_rules_accept_are_listed_and_others_can_be_typed() -> None:
    cells = filled({"game": "flag-chase", "rules": "custom"}).field("option-cells")
    assert list(cells.entries.values())[:4] == ["5 (book rules)", "3", "7", "9"]
    assert cells.about == "How many cells the track has; an odd number, so that the flag is in the middle."
    form = filled({"game": "crystal-capture", "rules": "custom"})
    assert "2" in entries(form, "option-crystals"), "which needs another goal, too"
    form.set("option-crystals", "2")
    with pytest.raises(RefusedError, match="goal"):
        form.arguments()
    words = filled({"game": "alpha-chase", "rules": "custom"}).field("option-word_list")
    assert not words.entries
    assert words.values == "book, all or a file"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("game", "chess", "'chess' is not one of"),
        ("rules", "fiar", "Did you mean 'fair'?"),
        ("option-goal", "61", "goal must be from 1 to 60"),
        ("two", "medum", "Did you mean 'medium'?"),
        ("two-parameter", "99", "DEPTH must be a whole number from 1 to 12"),
        ("first", "3", "'3' is not one of 1, 2, random"),
        ("time", "soon", "The seconds for a turn must be a number, not 'soon'."),
        ("time", "-1", "more than 0"),
        ("time", "nan", "more than 0"),
        ("matches", "0", "The number of matches must be from 1 to 100, not '0'."),
        ("matches", "²", "from 1 to 100"),
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(name: str, text: str, problem: str) -> None:
    form = filled({"game": "charge", "rules": "custom", "two": "search:4", "option-goal": "21"})
    before = form.fields()
    assert not form.allows(name, text)
    with pytest.raises(RefusedError) as refused:
        form.set(name, text)
    assert problem in str(refused.value)
    assert form.fields() == before


def test_an_agent_is_named_as_a_whole_or_chosen_step_by_step() -> None:
    assert filled({"two": "search:4"}).fields() == filled({"two": "advanced", "two-parameter": "4"}).fields()
    form = filled({"two": "advanced", "two-kind": "process", "two-parameter": "process:true -X"})
    assert form.arguments().agents == ("human", "process:true -X")
    form.set("two-kind", "llm")
    with pytest.raises(RefusedError, match="MODEL is missing"):
        form.arguments()
    form.set("two-kind", "easy")
    assert form.arguments().agents == ("human", "easy")


def test_who_starts_is_said_as_the_person_sees_it() -> None:
    def starts(one: str, two: str) -> list[str]:
        return [*filled({"one": one, "two": two}).field("first").entries.values()][:2]

    assert starts("human", "human") == ["Player 1 starts.", "Player 2 starts."]
    assert starts("human", "hard") == ["You start.", "The computer starts."]
    assert starts("hard", "human") == ["The computer starts.", "You start."]
    assert starts("search:2", "random") == ["Player 1 starts.", "Player 2 starts."]


def test_what_the_command_line_gives_is_not_asked_and_holds() -> None:
    form = filled({"game": "charge"}, options={"goal": "21"}, time_limit=30.0, matches=3)
    assert names(form) == ["game", "one", "two", "first"]
    arguments = form.arguments()
    assert (arguments.options, arguments.time_limit, arguments.matches) == ({"goal": "21"}, 30.0, 3)
    assert form.remember() == ""
    assert not data_file(FILE).exists(), "only a choice that was made as a whole is remembered"
    with pytest.raises(RefusedError, match="Unknown option 'goal'"):
        form.set("game", "flag-chase")
    form = filled({"game": "charge"}, agents=("random", None))
    assert names(form) == ["game", "rules", "time", "matches"]
    assert form.arguments().agents == ("random", None)


def test_a_service_starts_no_program_and_a_friend_gets_a_link() -> None:
    form = filled({"game": "charge", "two": "advanced"}, server="https://play.example")
    assert names(form) == ["game", "rules", "two", "two-kind", "two-parameter", "first", "time"]
    assert form.field("two").entries["human"] == "a friend, to whom you send a link"
    assert not {"llm", "process"} & {*entries(form, "two-kind")}
    with pytest.raises(RefusedError, match="starts no program"):
        form.set("two", "process:/bin/true")
    assert form.command() == ("duelbook play charge --p2 search --first 1 --server https://play.example")


CHOICE = {
    "game": "charge",
    "rules": "custom",
    "option-goal": "12",
    "two": "search:2",
    "first": "random",
    "time": "30",
    "matches": "2",
}


def test_the_choice_is_remembered_and_told_in_words_and_as_a_command() -> None:
    assert filled(CHOICE).remember() == ""
    again = Form(PlayArguments())
    assert again.has_last
    assert again.fields() == filled(CHOICE).fields()
    assert (
        again.summary() == "Charge (goal=12), against search:2, chance decides who starts, 30 seconds a turn, 2 matches"
    )
    assert again.command() == (
        "duelbook play charge --option goal=12 --p2 search:2 --first random --time-limit 30 --matches 2"
    )
    again.reset_extras()
    assert (again.arguments().time_limit, again.arguments().matches) == (None, 1)
    again.set("game", "flag-chase")
    assert again.field("rules").value == "long", "the rules of another game are its own"
    assert again.field("two").value == "advanced", "the opponent stays"
    again.set("game", "charge")
    assert again.field("option-goal").value == "12"


def test_a_program_is_not_remembered_nor_who_plays_for_the_person() -> None:
    filled({"two": "process:true"}).remember()
    filled({"one": "easy", "two": "human"}).remember()
    assert not data_file(FILE).exists()


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "[]",
        '{"game": "gone"}',
        '{"game": "charge", "opponent": "process:true", "first": "1"}',
        '{"game": "charge", "first": "1", "time_limit": -1}',
        '{"game": "charge", "first": "1", "matches": 0}',
        '{"game": "charge", "first": "1", "options": {"preset": "gone"}}',
    ],
)
def test_a_damaged_or_impossible_choice_is_none(damage: str) -> None:
    data_file(FILE).parent.mkdir(parents=True, exist_ok=True)
    data_file(FILE).write_text(damage)
    assert not Form(PlayArguments()).has_last


def test_a_choice_that_cannot_be_kept_is_told() -> None:
    data_file(FILE).parent.write_text("no folder")
    assert "Your choice is not kept." in filled(CHOICE).remember()


@pytest.mark.parametrize("two", ["human", "easy", "process:true -X"])
def test_the_command_starts_the_match_that_was_chosen(two: str) -> None:
    """The words that it consists of are those that the shell gives to the command line."""
    words = shlex.split(filled({**CHOICE, "two": two}).command())
    options = dict(zip(words[3::2], words[4::2], strict=True))
    assert options.pop("--p2", "human") == two
    assert options == {"--option": "goal=12", "--first": "random", "--time-limit": "30", "--matches": "2"}


def test_fields_are_data() -> None:
    fields = json.loads(msgspec.json.encode(filled(CHOICE).fields()))
    assert (
        next(field for field in fields if field["name"] == "first")["entries"]["random"] == "Chance decides who starts."
    )
    assert load(data_file(FILE), LastChoice) == LastChoice()
