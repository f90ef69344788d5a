"""While the program works: nobody's clock runs, a terminal shows how far it is, and Ctrl-C stops it."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pexpect
import pytest

from duelbook.play.solve_progress import solve_status
from duelbook.solve import Progress, Stage
from duelbook.terminal import waiting
from tests.support.keyboard import run_process, spawn

SLOW = {"DUELBOOK_GAMES": "tests.support.games.slow_stones:SlowStones"}
COLOUR = SLOW | {"TERM": "xterm-256color"}
BAR = r"Looking for the best move.*[\d,]+ states.* of [\d,]+ MB"
LONG = "--option pause=10000 --memory 20M"  # for as long as somebody waits, with memory that counts


def test_a_hint_that_takes_long_shows_how_far_it_is_and_ctrl_c_returns_to_the_question() -> None:
    child = spawn(f"play slow-stones {LONG}", **COLOUR)
    child.expect_exact("Enter your move: ")
    child.sendline("hint")
    child.expect(BAR)
    child.sendintr()
    child.expect_exact("Stopped. Type a move, or hint to look for one again.")
    child.expect_exact("Enter your move: ")
    child.sendline("take 1")
    child.expect_exact("Stones: 8999")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_ctrl_c_while_a_level_is_prepared_lets_it_search() -> None:
    child = spawn(f"play slow-stones {LONG} --p2 easy", **COLOUR)
    child.expect_exact("Solving the game")
    child.expect_exact("(Press Ctrl-C to play on without the solution.)")
    child.sendintr()
    child.expect_exact("Stopped. This game is not solved: levels play by search, and values")
    child.expect_exact("Enter your move: ")
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_a_bar_is_one_line_on_a_narrow_terminal_without_unicode_and_not_broken_by_what_is_typed() -> None:
    locale = {"LANG": "C", "LC_ALL": "", "LC_CTYPE": "", "COLUMNS": "40", "NO_COLOR": "1"}
    child = spawn(f"play slow-stones {LONG}", **(COLOUR | locale))
    child.expect_exact("Enter your move: ")
    child.sendline("hint")
    child.expect_exact(" states")
    child.sendline("typed")
    shown = ""
    for _ in range(5):
        child.expect_exact(" states")
        shown += str(child.before) + str(child.after)
    drawn = re.split(r"\x1b\[\??[0-9]*[A-Za-z]|[\r\n]", shown)
    assert max(map(len, drawn)) <= 40, drawn
    assert "typed" not in shown
    child.sendintr()
    child.expect_exact("Enter your move: ")
    child.sendline("quit")
    child.expect(pexpect.EOF)


def test_ctrl_c_while_an_agent_thinks_asks_the_person_how_to_go_on() -> None:
    child = spawn("play charge --p1 mcts:1000000", **COLOUR)
    child.expect_exact("Player 1 is thinking")
    child.sendintr()
    child.expect_exact("Stopped. It is the turn of Player 1.")
    child.expect_exact("Press Enter to let it think again, or type a command: ")
    child.sendline("")
    child.expect_exact("Player 1 is thinking")
    child.close(force=True)


@pytest.mark.parametrize(
    "command",
    [
        "play slow-stones --p2 perfect",
        "solve slow-stones",
        "match --game slow-stones --p1 easy --p2 random",
    ],
)
def test_ctrl_c_ends_a_command_that_solves(command: str) -> None:
    child = spawn(f"{command} {LONG}", **COLOUR)
    child.expect(r"[\d,]+ states.* of [\d,]+ MB")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in str(child.before)
    assert str(child.before).count("\x1b[?25h") == str(child.before).count("\x1b[?25l") + 1, "the cursor stays hidden"


def test_nothing_is_shown_where_nobody_can_see_it() -> None:
    done = run_process(["solve", "slow-stones"], **SLOW)
    assert "the second player wins" in done.stdout
    assert done.stderr == ""


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch, kind: str) -> Iterator[int]:
    """Make a pseudo-terminal standard error; yield the descriptor of its other end."""
    ours, theirs = os.openpty()
    monkeypatch.setenv("TERM", kind)
    with open(theirs, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        yield ours
    os.close(ours)


def test_a_terminal_that_cannot_change_a_line_gets_one_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SHOW_SECONDS", "LINE_SECONDS"):
        monkeypatch.setattr(waiting, name, 0.01)
    with terminal(monkeypatch, "dumb") as screen, waiting.waiting("Solving the game"):
        shown = os.read(screen, 1000)
    assert shown.startswith("Solving the game …\r\n".encode())


def test_the_text_is_there_before_the_bar_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "SHOW_SECONDS", 0.01)
    with terminal(monkeypatch, "xterm") as screen, waiting.waiting("Solving the game"):
        shown = b""
        while b"\x1b[?25l" not in shown:  # the cursor is hidden while the bar moves
            shown += os.read(screen, 1000)
        assert shown.startswith("Solving the game …".encode())


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch, "xterm") as screen:
        with waiting.waiting("Solving the game"):
            pass
        os.set_blocking(screen, False)
        with pytest.raises(BlockingIOError):
            os.read(screen, 1000)


def test_several_compilations_in_one_solve_are_explained_once() -> None:
    display, seen = waiting.Display("Solving the game"), []

    def then(step: Progress | bool) -> None:
        if isinstance(step, Progress):
            display.report(solve_status(step))
        else:
            display.note_compiling(step)
        seen.append(display.detail())

    for step in (Progress(Stage.EXPLORING, 8_192), Progress(Stage.PREPARING), True, False, True, False):
        then(step)
    for step in (Progress(Stage.ESTIMATING), Progress(Stage.EXPLORING, 20_000), True, False):
        then(step)
    then(Progress(Stage.ANALYSING, 20_000, 5_000))
    then(Progress(Stage.SAVING, 20_000, 20_000, 40))
    assert seen == [
        "8,192 states",
        "preparing the solver",
        *[waiting.COMPILING] * 5,
        "20,000 states",
        "20,000 states, compiling",
        "20,000 states",
        "5,000 of 20,000 states",
        "saving 20,000 states, 40%",
    ]
