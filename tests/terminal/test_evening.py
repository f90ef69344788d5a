"""An evening at a terminal, with every game from both seats: lesson, opponents, help, trouble, and what is kept."""

import random
import re
import shlex
import signal
import subprocess
from pathlib import Path
from typing import Any

import pexpect
import pytest

from duelbook import GAMES, make
from duelbook.game import AnyGame, Outcome, has_choices, offered_moves
from duelbook.history.store import History
from duelbook.narration import Seating, narration_for
from duelbook.records import load_record
from duelbook.records.record import state_after
from duelbook.solve import solved
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.lessons import accepted_moves
from tests.support.keyboard import DUELBOOK, at_terminal, environment, lines, run, spawn

OPTIONS: dict[str, dict[str, Any]] = {
    "alpha-chase": {"words": "PLANT,GHOST"},
    "flag-chase": {"cells": 15},
}  # so that no game is over at once
NEXT = "or Enter to leave: "
LEVELS = ["beginner", "easy", "medium"]


def look_alike(name: str) -> str:
    """Return the name of a move in letters and digits that look the same and are others."""
    return "".join(chr(ord(letter) + 0xFEE0) if letter.isalnum() else letter for letter in name)


class Player:
    """A person who plays one game from one seat, in a data folder of their own."""

    def __init__(self, name: str, seat: int, data: Path) -> None:
        self.game = make(name, **OPTIONS.get(name, {}))
        self.seat, self.rng = seat, random.Random(f"{name} {seat}")
        given = " ".join(f"--option {key}={value}" for key, value in OPTIONS.get(name, {}).items())
        self.command = f"play {name} {given} --first 1 --seed 5 --p{2 - seat} {LEVELS[0]}"
        self.variables = {"XDG_DATA_HOME": str(data)}
        self.history = History(data / "duelbook" / "history.sqlite")
        start = state_after(self.game, ())
        self.prompt = re.split(r"[,.\n] ?", next(narration_for(self.game, Seating()).ask(start)))[-1]
        self.child: Any = None

    def start(self, command: str) -> None:
        self.child = spawn(command, **self.variables)
        self.child.timeout = 20
        self.child.expect_exact(self.prompt)

    def type(self, text: str, awaited: str) -> None:
        """Type a line, and wait for the text and for the question after it."""
        self.child.sendline(text)
        self.child.expect_exact(awaited)
        self.child.expect_exact(self.prompt)

    def position(self, number: int) -> tuple[AnyGame, tuple[str, ...], Any]:
        """Return a game as it is kept: its rules, its moves and its state. One without a move is not kept."""
        known = any(game.number == number for game in self.history.games())
        game, moves = (
            (self.history.record(number).game, self.history.record(number).moves) if known else (self.game, ())
        )
        return game, moves, state_after(game, moves)

    def chosen(self, number: int) -> str:
        """Return the name of a move that is legal in the game as it is kept."""
        game, _, state = self.position(number)
        assert game.mover(state) == self.seat, "the question is meant for the other player"
        return game.move_name(state, self.rng.choice(offered_moves(game, state)))

    def lasting(self, number: int) -> str:
        """Return the name of the move after which the game lasts longest with best play."""
        game, _, state = self.position(number)
        last = max(solved(game).moves(state), key=lambda scored: scored.remoteness or 0)
        return game.move_name(state, last.move)

    def play_to_the_end(self, number: int) -> None:
        """Play from a question to what is offered after the game. Everything shown is kept."""
        over = False
        while not over:
            self.child.sendline(self.chosen(number))
            over = bool(self.child.expect_exact([self.prompt, NEXT]))
        game, _, state = self.position(number)
        assert game.outcome(state) != Outcome.UNDECIDED

    def meet_a_stronger_opponent(self, level: str) -> None:
        """Begin the next game. What is chosen before a game, such as a word, is chosen again."""
        self.child.sendline("stronger")
        self.child.expect_exact(f"Your opponent is {level} now.")
        if has_choices(self.game):
            self.child.expect_exact("choose your word (number or word): ")
            self.child.sendline("QUICK")
        self.child.expect_exact(self.prompt)


def learn(player: Player, name: str) -> None:
    """Pass the lesson, with bad input at its first question."""
    steps = usable_lesson(make(name))[0].steps
    right = [step.game.move_name(step.state, accepted_moves(step)[0]) for step in steps]
    player.start(f"learn {name}")
    for bad in ("x" * 5000, look_alike(right[0]), "\x1b[31m", "\x00\x01"):
        player.child.sendline(bad)
    player.type("?", "Type a move, or: ")
    for move in right[:-1]:
        player.child.sendline(move)
        player.child.expect_exact("Right! ")
        player.child.expect_exact("next step: ")
        player.child.sendline("")
        player.child.expect_exact(player.prompt)
    player.child.sendline(right[-1])
    player.child.expect_exact("What next (Enter to leave)? ")
    player.child.sendline("q")
    player.child.expect(pexpect.EOF)


def solve_a_puzzle(player: Player, name: str) -> None:
    """Ask for help in a puzzle, answer nonsense, and give up."""
    player.start(f"puzzle {name} --seed 4")
    player.type("hint", "(Type hint again for ")
    player.child.sendline(look_alike("a 1"))
    player.type("?", "Type a move, or: ")
    player.child.sendline("answer")
    player.child.expect_exact("The answer: ")
    player.child.expect_exact("Solved at the first try: 0 of 1.")
    player.child.sendline("q")
    player.child.expect(pexpect.EOF)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seat"),
    [
        pytest.param(name, seat, marks=() if (name, seat) == ("crystal-capture", 0) else pytest.mark.long)
        for name in GAMES
        for seat in (0, 1)
    ],
)
def test_an_evening_with_a_game(name: str, seat: int, tmp_path: Path) -> None:
    player, saved = Player(name, seat, tmp_path / "data"), tmp_path / "saved.json"
    if seat == 0:
        learn(player, name)
        solve_a_puzzle(player, name)

    player.start(player.command)  # bad input, help, a move taken back, a file, and a crash
    before = player.position(1)[1]
    for bad in ("x" * 5000, look_alike(player.chosen(1)), "\x1b[31m", "\x00\x01"):
        player.child.sendline(bad)
    player.type("?", "Answer the question, or type:")
    assert player.position(1)[1] == before, "bad input is no move"
    player.type("hint", "(Type hint again for the move.)")
    player.type("hint", "(Type hint again for the reason.)")
    player.child.sendline(player.chosen(1))
    player.child.expect_exact(player.prompt)
    player.type("undo", "Taken back.")
    assert player.position(1)[1] == before
    player.child.sendline(player.chosen(1))
    player.child.expect_exact(player.prompt)
    player.type(f"save {saved}", str(saved.name))
    shown = player.position(1)[1]
    player.child.kill(signal.SIGKILL)
    player.child.expect(pexpect.EOF)
    assert len(shown) == seat + 2
    assert player.position(1)[1] == load_record(saved).moves == shown

    player.start("resume")  # to the end; then two stronger opponents
    player.play_to_the_end(1)
    player.child.sendline("review")
    player.child.expect_exact("accuracy")
    player.child.expect_exact(NEXT)
    for number in (2, 3):
        player.meet_a_stronger_opponent(LEVELS[number - 1])
        if number == 2:
            player.play_to_the_end(number)
    player.child.sendline(player.lasting(3))
    player.child.expect_exact(player.prompt)
    player.child.sendeof()  # the end of input in the middle of a game
    player.child.expect(pexpect.EOF)
    player.child.close()
    assert player.child.exitstatus == 0

    listed = player.history.games()
    assert [(game.opponent, game.helped) for game in reversed(listed)] == list(
        zip(LEVELS, (True, False, False), strict=True)
    )
    assert "accuracy" in run(["review", "1"], **player.variables).stdout
    assert "unfinished" in run(["history"], **player.variables).stdout
    statistics = run(["history", "statistics"], **player.variables)
    assert all(level in statistics.stdout for level in LEVELS[:2])
    assert (statistics.returncode, statistics.stderr) == (0, "")
    assert run(["replay", "2"], **player.variables).returncode == 0


def test_a_history_that_is_damaged_during_a_game_does_not_stop_it(tmp_path: Path) -> None:
    player = Player("charge", 0, tmp_path)
    file = tmp_path / "duelbook" / "history.sqlite"

    def damage() -> None:
        for part in file.parent.glob("history.sqlite*"):
            part.write_bytes(b"scribbles " * 1000)

    screen, code = at_terminal(player.command, "charge 1", "1", "quit", before={"1": damage}, **player.variables)
    assert "not kept" in screen
    assert code == 0
    damaged = run(["history"], **player.variables)
    assert re.fullmatch(r"duelbook: The history '.+' cannot be used: .+: duelbook history repair\n", damaged.stderr)
    assert run(["history", "repair"], **player.variables).returncode == 0
    assert run(["play", "flag-chase"], lines("2"), **player.variables).returncode == 0
    assert run(["review"], **player.variables).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "answers", "said"),
    [
        ("learn flag-chase", lines("2", "", "q"), "Right! "),
        ("puzzle flag-chase", lines("2", "q"), "Right: 2 wins"),
    ],
)
def test_on_a_full_disk_everything_goes_on_and_says_what_is_lost(
    tmp_path: Path, command: str, answers: str, said: str
) -> None:
    """A limit for the size of files stands for the disk."""
    variables = environment(XDG_DATA_HOME=str(tmp_path / "data"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 0; exec {shlex.join(DUELBOOK)} {command}"],
        input=answers,
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said in done.stdout
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert re.search("not (be )?(kept|saved|written)", done.stdout + done.stderr)
