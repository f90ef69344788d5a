"""Presets: rule options under a name, from the folder of a game, wherever options are given."""

import json
from importlib import import_module
from pathlib import Path

import gymnasium
import pyspiel
import pytest

from duelbook import RefusedError, make
from duelbook.arena.entries import read_entry
from duelbook.envs import aec, gymnasium_id
from duelbook.game_errors import BrokenGameError
from duelbook.games import GAMES, find_rules
from duelbook.options import write_options
from duelbook.presets import BOOK, presets_of
from duelbook.records.document import from_json
from duelbook.testing import check_game
from duelbook.web.http.catalogue import catalogue
from tests.support.keyboard import lines, run

GOOD = """
[small]
title = "Small"
about = "Three stones."
options = { stones = 3 }
"""


def write(heap: Path, text: str) -> None:
    (heap / "presets.toml").write_text(text)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_the_book_rules_first(name: str) -> None:
    preset = next(iter(presets_of(find_rules(name)).values()))
    assert (preset.name, preset.title) == (BOOK, "Book rules")
    assert make(name, preset=BOOK) == make(name)


def test_a_game_from_outside_brings_its_own(heap: Path) -> None:
    write(heap, GOOD)
    assert make("last-stone", preset="small") == make("last-stone", stones=3)
    assert check_game("last-stone", positions=10, skip=["compiled"]) == []


def test_one_can_be_suggested_to_who_has_not_chosen(heap: Path) -> None:
    write(heap, f"{GOOD}suggested = true\n")
    assert [preset.suggested for preset in presets_of(find_rules("last-stone")).values()] == [False, True]
    assert make("last-stone") != make("last-stone", preset="small"), "the rule book's options stay the default"


def test_an_option_beside_a_preset_prevails(heap: Path) -> None:
    write(heap, GOOD)
    assert make("last-stone", preset="small", stones=5) == make("last-stone", stones=5)


@pytest.mark.parametrize("name", ["huge", "", 3])
def test_an_unknown_preset_is_answered_with_those_that_exist(heap: Path, name: object) -> None:
    write(heap, GOOD)
    with pytest.raises(RefusedError, match=rf"^Unknown preset '{name}'; valid: book, small\.$"):
        make("last-stone", preset=name)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[small", "presets.toml: "),
        ('[small]\ntitle = "Small"', "[small] about is missing."),
        ('[small]\ntitle = "Small"\nabout = "S."\noption = {}', "[small] 'option' is not a known field."),
        ('[Small]\ntitle = "Small"\nabout = "S."', "A preset cannot be named 'Small'"),
        ('[book]\ntitle = "Small"\nabout = "S."', "A preset cannot be named 'book'"),
        ('[small]\ntitle = "Sm\\nall"\nabout = "S."', "must be one printable line each"),
        ('[small]\ntitle = "Small"\nabout = "S."\noptions = { stones = 3.5 }', "must be a whole number or text"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_fault(heap: Path, text: str, sentence: str) -> None:
    write(heap, text)
    with pytest.raises(BrokenGameError) as error:
        make("last-stone", preset="small")
    assert sentence in str(error.value)
    assert make("last-stone")  # which needs no preset


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("{ stones = 0 }", "The preset 'small' cannot be played: stones must be from 1 to 99, not 0."),
        ("{ piles = 1 }", "The preset 'small' cannot be played: Unknown option 'piles'."),
        ("{}", "The presets 'book' and 'small' have the same options."),
    ],
)
def test_check_finds_presets_that_cannot_be_played(heap: Path, options: str, sentence: str) -> None:
    write(heap, GOOD.replace("{ stones = 3 }", options))
    [failure] = check_game("last-stone", positions=10, skip=["compiled"])
    assert failure.check == "presets"
    assert failure.reason.startswith(sentence)


def test_no_option_may_be_named_preset(heap: Path) -> None:
    rules = heap / "heap.py"
    rules.write_text(rules.read_text().replace("stones", "preset"))
    assert "last-stone" not in GAMES
    assert "cannot be named preset" in str(GAMES.problem("last-stone"))


def test_every_command_and_environment_takes_them(heap: Path) -> None:
    write(heap, GOOD)
    wanted = make("last-stone", stones=3)
    assert read_entry("last-stone:preset=small").game == wanted
    assert aec("last-stone", preset="small").unwrapped.game == wanted
    import_module("duelbook.envs").register_gymnasium()
    made = gymnasium.make(gymnasium_id("last-stone"), preset="small")
    assert made.unwrapped.game == wanted  # type: ignore[attr-defined]
    import_module("duelbook.envs.openspiel").register("last-stone")
    assert pyspiel.load_game("duelbook_last_stone(preset=small)").rules == wanted
    document = json.loads(run(["solve", "last-stone", "--preset", "small", "--json"]).stdout)
    assert document["options"] == write_options(wanted)
    entry = next(game for game in catalogue({}).games if game.name == "last-stone")
    assert [(preset.name, preset.options) for preset in entry.presets] == [("book", {}), ("small", {"stones": 3})]


def test_the_terminal_plays_one_and_the_record_has_its_options(heap: Path, tmp_path: Path) -> None:
    write(heap, GOOD)
    record = tmp_path / "game.json"
    run(["play", "last-stone", "--preset", "small", "--record", str(record)], lines("3"))
    document = json.loads(record.read_text())
    assert document["options"] == {"stones": 3, "most": 3}
    with pytest.raises(RefusedError, match="Unknown option 'preset'"):
        from_json({**document, "options": {"preset": "small", "stones": 3, "most": 3}})
    twice = run(["play", "last-stone", "--preset", "small", "--option", "preset=book"])
    assert twice.stderr == "duelbook: The preset is given twice. Leave out --preset or --option preset=NAME.\n"
