"""Replaying a record."""

import json
from pathlib import Path

import pexpect
import pytest

from tests.support.keyboard import DUELBOOK, environment, lines, run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The book's scenario of Crystal Capture, with Player 2 moving first."""
    file = tmp_path / "game.json"
    names = ["--name1", "Red", "--name2", "Blue"]
    run(["play", "crystal-capture", "--first", "2", "--record", str(file), *names], lines(*"87641"))
    return file


def test_a_record_is_the_json_that_it_prints(record: Path) -> None:
    assert json.loads(run(["replay", str(record), "--json"]).stdout) == json.loads(record.read_text())


@pytest.mark.parametrize("stdin", ["terminal", "nothing"])
def test_through_a_pipe_it_prints_the_whole_game(record: Path, stdin: str) -> None:
    if stdin == "nothing":
        output = run(["replay", str(record)]).stdout
    else:
        child: pexpect.spawn[str] = pexpect.spawn(
            *("sh", ["-c", f"{' '.join(DUELBOOK)} replay '{record}' | cat"]), env=environment(), encoding="utf-8"
        )
        output = child.read().replace("\r\n", "\n")
    assert [line.split()[1] for line in output.splitlines() if line.startswith("Position ")] == list("012345")
    assert output.endswith("Blue has exactly 15 points and wins the game!\n\n")
    assert "Enter for the next" not in output


def test_a_broken_record_is_an_error_of_one_line_that_names_the_place(record: Path) -> None:
    document = json.loads(record.read_text())
    document["moves"][2] = "9"
    record.write_text(json.dumps(document))
    done = run(["replay", str(record)])
    assert done.stderr == f"duelbook: {record}: Move 3: '9' is not legal here. Legal moves: 1, 2, 3, 4, 5, 6.\n"
    assert done.returncode == 2


def test_an_error_is_one_short_line_whatever_the_record_holds(record: Path) -> None:
    document = json.loads(record.read_text())
    for moves in (["8\nduelbook: all is well"], ["x" * 100_000]):
        record.write_text(json.dumps(document | {"moves": moves}))
        message = run(["replay", str(record)]).stderr
        assert message.count("\n") == 1
        assert len(message) < 300
    record.write_text(json.dumps(document | {"a\nb": 1}))
    assert run(["replay", str(record)]).stderr.count("\n") == 1


def test_moves_are_shown_by_the_names_that_the_game_gives_them(record: Path) -> None:
    document = json.loads(record.read_text())
    document["moves"][0] = "  8\n"
    record.write_text(json.dumps(document))
    assert "Blue played 8\n" in run(["replay", str(record), "--at", "1"]).stdout


def test_text_from_a_record_cannot_control_the_terminal(record: Path) -> None:
    document = json.loads(record.read_text())
    document["players"][0]["name"] = "\x1b]0;owned\x07"
    document["players"][1]["agent"] = "\x9b2J"
    record.write_text(json.dumps(document))
    assert run(["replay", str(record), "--at", "0"]).returncode == 0
    for arguments in (["replay", str(record)], ["replay", str(record), "--json"]):
        output = run(arguments).stdout
        assert not [character for character in output if not character.isprintable() and character != "\n"]
