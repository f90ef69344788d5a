"""Answers and commands at the prompts of a game: none costs the turn, bad input gets a sentence (ALL-2)."""

from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.game import move_names
from duelbook.narration import Seating, narration_for
from duelbook.records import load_record
from tests.support.game_folders import brought, short_variants
from tests.support.keyboard import lines, run, run_process

BAD_ANSWERS = ("", "no such move", "é", "\x1b[31m", "-1")  # in a game that brings none of its own


def arguments(game: str) -> list[str]:
    """Return the arguments for a game of two people in which Player 1 moves first and nothing is left to choose."""
    options = [part for key, value in short_variants(game)[0].items() for part in ("--option", f"{key}={value}")]
    return ["play", game, *options, "--first", "1"]


def prompt_and_answer(game: str) -> tuple[str, list[str]]:
    """Return the first question of a game, and what a person types to make a move and to end the turn."""
    rules = make(game, **short_variants(game)[0])
    narration, start = narration_for(rules, Seating()), rules.initial()
    return next(narration.ask(start)), [next(iter(move_names(rules, start))), *([""] if narration.pause() else [])]


@pytest.mark.parametrize("game", GAMES)
def test_bad_input_gets_a_sentence_and_the_same_question(game: str) -> None:
    prompt, good = prompt_and_answer(game)
    bad = brought(game, "answers", "BAD") or BAD_ANSWERS
    done = run(arguments(game), lines(*bad, *good, "quit", "quit"))
    _, *answers = done.stdout.split(prompt)
    assert len(answers) > len(bad)
    for typed, answer in zip(bad, answers, strict=False):
        echoed, *sentences = answer.rstrip("\n").split("\n")
        assert "\x1b" not in echoed
        assert len(sentences) == (2 if typed == bad[0] else 1)  # the first time, the command help is mentioned
        assert "Legal moves: " in sentences[0] or "not a" in sentences[0] or "Give a letter" in sentences[0]
    assert done.returncode == 0
    assert done.stderr == ""


def test_who_resigns_before_ending_the_turn_with_enter_resigns_for_themselves() -> None:
    done = run(["play", "word-clash"], lines("E self 3", "resign"))
    assert "Player 1 resigns.\n\nPlayer 2 wins!\n" in done.stdout


def test_stray_bytes_do_not_stop_a_game() -> None:
    done = run_process(["play", "charge"], b"\xff\xfe\x00\ncharge 3\n")
    assert "Total charge: 3." in done.stdout
    assert done.stderr == ""


def test_another_file_is_never_overwritten_but_the_same_game_may_be_saved_again(tmp_path: Path) -> None:
    other, file = tmp_path / "thesis.txt", tmp_path / "game.json"
    other.write_text("years of work")
    done = run(["play", "charge"], lines(f"save {other}", f"save {file}", "charge 1", f"save {file}"))
    assert "already exists" in done.stdout
    assert other.read_text() == "years of work"
    assert load_record(file).moves == ("charge 1",)


@pytest.mark.parametrize("name", ["~nobody-here/x", "x" * 300, "a\0b", "/no/where/x", "/dev/full/x", "."])
def test_a_file_that_cannot_be_written_does_not_end_the_game(name: str) -> None:
    done = run(["play", "charge"], lines(f"save {name}", "charge 3", "quit"))
    assert "Saved." not in done.stdout
    assert "Total charge: 3." in done.stdout
    assert (done.returncode, done.stderr) == (0, "")
