"""What the shell completes."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from duelbook import GAMES
from duelbook.cli import load_commands
from duelbook.cli.app import COMMANDS, app
from duelbook.cli.completion import whole_words
from duelbook.online.seats import Seat, SeatStore
from tests.support.keyboard import environment, lines, run

PERSONAL = ("name1", "name2", "oracle", "name", "out", "command")  # values that only the person knows


def completed(line: str, shell: str = "bash") -> list[str]:
    """Return what the shell is offered for a line that ends where the cursor is."""
    words = line.replace("=", " = ").split() + [""] * line.endswith((" ", "="))
    if shell == "bash":
        variables = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    else:
        variables = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = run([], **variables, _DUELBOOK_COMPLETE=f"complete_{shell}")
    assert done.returncode == 0
    return done.stdout.split("\n")[:-1] if shell != "bash" else done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("duelbook rep", ["replay"]),
        ("duelbook play c", [name for name in GAMES if name.startswith("c")]),
        ("duelbook play charge --p2 gr", ["greedy"]),
        ("duelbook play charge --show", ["--show-values"]),
        ("duelbook play charge --option block", ["block_cards=0", "block_cards=1"]),
        ("duelbook play charge --option refresh=", ["no-charges", "empty-hand"]),
        ("duelbook play charge --option refresh=e", ["empty-hand"]),
        ("duelbook play charge --preset bo", ["book"]),
        ("duelbook play charge --first ", ["1", "2", "random"]),
        ("duelbook tournament --agents random,gr", ["random,greedy"]),
        ("duelbook match --games charge,fl", ["charge,flag-chase"]),
        ("duelbook lab charge --sweep refresh=e", ["empty-hand"]),
        ("duelbook puzzle --kind o", ["only-move"]),
        ("duelbook tournament --backend s", ["serial"]),
    ],
)
def test_bash_is_offered_options_and_their_values(line: str, offered: list[str]) -> None:
    assert completed(line)[: len(offered)] == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_offered_whole_words(shell: str) -> None:
    assert "refresh=empty-hand" in "".join(completed("duelbook play charge --option refresh=e", shell))


def test_servers_and_matches_in_which_the_person_has_a_seat_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert completed("duelbook play --join ", "fish") == [""]
    code = "0123456789abcdef01234567"
    SeatStore().add(Seat("https://play.example", code, "first", "secret", "charge"))
    assert completed("duelbook play --server h", "fish") == ["https://play.example"]
    assert completed("duelbook play --join ", "fish") == [f"https://play.example/match/{code}"]
    SeatStore().path.write_text("damaged")
    assert completed("duelbook play --watch ", "fish") == [""]


def test_the_numbers_of_kept_games_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert completed("duelbook review ", "fish") == [""]
    run(["play", "flag-chase"], lines("2"))
    run(["play", "charge"], lines("charge 1", "quit"))
    for command in ("review", "replay", "history remove"):
        assert completed(f"duelbook {command} ") == ["2", "1"]
        assert completed(f"duelbook {command} ", "fish") == [
            "2\tcharge, unfinished, 1 move",
            "1\tflag-chase, Player 1 won in 1 move",
        ]
        assert '"2":"charge, unfinished, 1 move"' in "".join(completed(f"duelbook {command} ", "zsh"))
    assert completed("duelbook resume ") == ["2"]
    (tmp_path / "duelbook" / "history.sqlite").write_text("damaged")
    assert completed("duelbook review ", "fish") == [""]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("duelbook puzzle word-clash --level ", ["1", "2"]),
        ("duelbook puzzle word-clash --kind win --level ", ["1"]),
        ("duelbook puzzle --level ", [*"12345"]),
    ],
)
def test_the_levels_that_a_game_has_are_offered(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("duelbook solve flag-chase --after 1,", ["1,1", "1,2"]),
        ("duelbook solve charge --after block,st", ["block,steal"]),
        ("duelbook solve charge --option steal_cards=0 --after block,st", []),
        ("duelbook solve charge --preset quick --after bl", []),
        ("duelbook certify crystal-capture --after 8,7,6,4,1,", []),  # the game is over
        ("duelbook solve charge --after dance,", []),
        ("duelbook solve chess --after ", []),
    ],
)
def test_the_next_move_completes_a_position(line: str, offered: list[str]) -> None:
    """In fish, whose lines are whole words."""
    assert completed(line, "fish") == (offered or [""])


def test_a_move_with_a_space_is_one_word_in_bash() -> None:
    def offered(*last: str) -> str:
        words = ["duelbook", "solve", "charge", "--after", *last]
        variables = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
        return run([], **variables, _DUELBOOK_COMPLETE="complete_bash").stdout.split("\n")[0]

    assert offered("ch") == r"charge\ 1"
    assert offered('"ch') == "charge 1"
    assert offered(r"charge\ 5,bl") == r"charge\ 5,block"


@pytest.mark.parametrize(("line", "code"), [("duelbook play ch", 0), ("duelbook review ga", 1)])
def test_fish_completes_files_where_there_is_nothing_else(line: str, code: int) -> None:
    variables = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "is-args"}
    assert run([], **variables, _DUELBOOK_COMPLETE="complete_fish").returncode == code


def test_words_that_bash_breaks_are_put_together() -> None:
    assert whole_words(["duelbook", "play", "--option", "goal", "=", "2"], 5) == (
        ["duelbook", "play", "--option", "goal=2"],
        *(3, "goal="),
    )
    assert whole_words(["duelbook", "play", "--p2", "mcts", ":", ""], 5)[1:] == (3, "mcts:")
    assert whole_words(["duelbook", "play", "c"], 2) == (["duelbook", "play", "c"], 2, "")


def test_every_value_that_can_be_listed_is() -> None:
    """Names of files and values that the type lists complete by themselves."""
    load_commands([])
    commands: dict[str, Any] = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert set(COMMANDS) <= set(commands)
    missing = [
        f"{name} {parameter.name}"
        for name, command in commands.items()
        if name not in ("db", "serve")
        for parameter in command.params
        if parameter.type_descriptor.annotation is str
        and not parameter._custom_shell_complete
        and parameter.name not in PERSONAL
        and parameter.metavar not in ("NUMBER", "DAY", "DATE")
    ]
    assert missing == []


def test_bash_itself_completes_a_value(tmp_path: Path) -> None:
    command = tmp_path / "duelbook"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m duelbook "$@"\n')
    command.chmod(0o755)
    script = (
        f'PATH="{tmp_path}:$PATH"; eval "$(_DUELBOOK_COMPLETE=source_bash duelbook)"\n'
        "COMP_WORDS=(duelbook play charge --option refresh = e); COMP_CWORD=6; _duelbook_completion duelbook\n"
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", script], env=environment(), capture_output=True, text=True, check=False)
    assert done.stdout == "empty-hand\n"
