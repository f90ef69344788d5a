"""The line that a person types at a terminal: edited, remembered, completed, kept over Ctrl-Z, beside a clock."""

import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

import pexpect
import pytest

from duelbook.terminal.layout import cut, wrapped
from duelbook.terminal.line_editor import LineInterruptedError, clock_text, erase, read_once, ticking
from tests.support.keyboard import DUELBOOK, environment, run, run_process, session, spawn, without_colour

XTERM = {"TERM": "xterm", "NO_COLOR": "1"}
UP, LEFT, TAB = "\x1b[A", "\x1b[D", "\t"
PROMPT = "play a card: "


def at_first_prompt(arguments: str = "play charge", prompt: str = PROMPT, **variables: str) -> "pexpect.spawn[str]":
    child = spawn(arguments, **XTERM | variables)
    child.expect_exact(prompt)
    return child


def test_a_line_is_edited_with_the_arrow_keys_and_an_earlier_one_comes_back() -> None:
    child = at_first_prompt()
    child.sendline(f"chage 3{LEFT * 4}r")
    child.expect_exact("Total charge: 3.")
    child.expect_exact(PROMPT)
    child.sendline(UP)
    child.expect_exact("Player 2 plays a Charge Card adding 3 points.")
    child.close(force=True)


def test_tab_completes_moves_commands_and_files(tmp_path: Path) -> None:
    (tmp_path / "saved-games").mkdir()
    child = at_first_prompt()
    child.send(f"cha{TAB}")
    child.expect_exact("charge ")
    child.expect_exact("charge 5")  # one of the list
    child.send("\x15")
    child.sendline(f"RU{TAB}")
    child.expect_exact("Options")
    child.expect_exact(PROMPT)
    child.sendline(f"save {tmp_path}/sav{TAB}game.json")
    child.expect_exact("Saved.")
    assert (tmp_path / "saved-games" / "game.json").exists()
    child.close(force=True)


def test_tab_completes_each_question_of_a_dialogue_and_the_menu() -> None:
    child = at_first_prompt("play word-clash", "A-Z: ")
    child.sendline("E")
    child.expect_exact("'opponent'): ")
    child.sendline(f"o{TAB}")
    child.expect_exact("Choose position")
    child.close(force=True)
    child = at_first_prompt("play", "Choose a game (1-5)? ")
    child.sendline(f"fl{TAB}")
    child.expect_exact("flag-chase\r\n")
    child.close(force=True)


def test_after_ctrl_z_and_fg_the_prompt_and_what_was_typed_are_back() -> None:
    """At a shell with job control."""
    shell: pexpect.spawn[str] = pexpect.spawn(
        *("bash", ["--norc", "--noprofile", "-i"]),
        env=environment(**XTERM, PS1="ready> "),
        encoding="utf-8",
        timeout=60,
    )
    shell.delaybeforesend = None
    shell.expect_exact("ready> ")
    shell.sendline(" ".join([*DUELBOOK, "play", "charge"]))
    shell.expect_exact(PROMPT)
    shell.send("charge ")
    shell.expect_exact("charge ")
    shell.send("\x1a")
    shell.expect_exact("Stopped")
    shell.sendline("stty -a | tr ' ;' '\\n\\n' | grep -x -e echo -e icanon | sort | tr '\\n' '+'; fg")
    shell.expect_exact("echo+icanon+")  # the shell has its terminal as it was
    shell.expect_exact("Player 1, play a card: charge ")
    shell.sendline("4")
    shell.expect_exact("Total charge: 4.")
    shell.close(force=True)


def test_the_time_left_stands_before_the_prompt_and_runs() -> None:
    child = at_first_prompt("play charge --time-limit 90", "[1:30] Player 1, play a card: ")
    child.send("charge")
    child.expect_exact("\x1b7\r[1:29]\x1b8")
    child.sendline(" 2")
    child.expect_exact("Total charge: 2.")
    child.expect_exact("[1:30] Player 2")
    child.close(force=True)
    assert [clock_text(seconds) for seconds in (0, 0.2, 59.01, 600)] == ["[0:00]", "[0:01]", "[1:00]", "[10:00]"]


def test_half_a_line_is_dropped_when_the_time_is_up() -> None:
    child = at_first_prompt("play charge --time-limit 1")
    child.send("char")
    child.expect_exact("Player 1 has run out of time.")
    child.expect_exact("Enter to leave: ")
    child.sendline("")
    child.expect(pexpect.EOF)
    assert "char" not in str(child.before)


def test_hostile_input_changes_nothing() -> None:
    child = at_first_prompt()
    for typed in ("x" * 5000, "\x1b[31m", "\x00\x01\x02", "ｃｈａｒｇｅ １"):
        child.sendline(typed)
        child.expect_exact("Legal moves:")
        child.expect_exact(PROMPT)
    child.sendline("charge 1")
    child.expect_exact("Total charge: 1.")
    child.close(force=True)


def test_at_40_columns_lines_break_between_words() -> None:
    script = "play a card: «help»\nplay a card: «nonsense»\nplay a card: «quit»\n"
    screen, _ = session("play charge", script, **XTERM, COLUMNS="40")
    text = without_colour(screen)
    assert max(map(len, text.splitlines())) <= 40
    assert "save FILE   save the game; resume it\n              later with --resume FILE\n" in text
    assert "'nonsense' is not legal here. Legal\nmoves: charge 1, " in text


def test_a_question_with_a_clock_breaks_between_words() -> None:
    script = "(1 or 2 cells\nforward): «quit»\n"
    screen, _ = session("play flag-chase --time-limit 60", script, TERM="xterm", COLUMNS="40", NO_COLOR="1")
    assert "for\nward" not in without_colour(screen).replace("\r", "")


def test_an_error_of_the_command_line_breaks_between_words_at_a_terminal() -> None:
    screen, code = session("play charg --p2 nobody", "", COLUMNS="40")  # where standard error is a terminal
    assert code == 2
    assert screen.startswith("duelbook: Unknown agent 'nobody'.")
    assert max(map(len, screen.splitlines())) <= 40
    assert " ".join(screen.split()) == run(["play", "charg", "--p2", "nobody"]).stderr.strip()


def test_a_line_is_erased_at_a_terminal_that_says_it_has_no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, stream = os.openpty()
    with open(stream, "w") as screen:
        monkeypatch.setattr("sys.stdout", screen)
        erase("play a card: charge")
        assert os.read(terminal, 100) == b"\r\x1b[J"
    os.close(terminal)


def test_wide_characters_count_twice() -> None:
    assert wrapped("ab １２３ cd", 8) == "ab\n１２３\ncd"
    assert cut("１２３４", 6, sys.stdout) == "１２…"


@pytest.mark.parametrize("variable", ["LANG", "LC_ALL"])
def test_a_terminal_in_the_c_locale_gets_ascii(variable: str) -> None:
    arguments = "play flag-chase --name1 Zoë --name2 «–» --p2 random"
    locale = {"LANG": "", "LC_ALL": "", "LC_CTYPE": "", variable: "C"}
    screen, _ = session(arguments, "forward): «quit»\n", **locale)
    assert screen.isascii()
    assert "Zoe, you are at position 1." in screen
    assert run_process(["games"], **locale).stdout.isascii()
    other, _ = session(arguments, "forward): «quit»\n", LANG="C.UTF-8", LC_ALL="", LC_CTYPE="")
    assert "Zoë, you are" in other


def test_a_line_that_is_complete_is_not_lost_when_the_prompt_is_interrupted_at_the_same_moment() -> None:
    read = partial(str.replace, "ab" * 20_000_000, "ab")  # longer than a poll; no signal is handled before it returns
    with ticking(None, lambda left: None, lambda: True) as stop:
        assert read_once(read, "cde", stop)[:3] == "cde"
    with pytest.raises(LineInterruptedError), ticking(None, lambda left: None, lambda: True) as stop:
        read_once(sleep, 60.0, stop)


def test_a_prompt_is_interrupted_although_one_alarm_came_before_it_began_to_wait() -> None:
    with pytest.raises(LineInterruptedError), ticking(None, lambda left: None, lambda: True):
        miss_alarm()


def miss_alarm() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    signal.sigwait([signal.SIGALRM])  # no handler runs
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
    time.sleep(20)


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return ""


INTERRUPTED = """
from duelbook.terminal import line_editor
from duelbook.terminal.screen import Screen

line_editor.POLL_SECONDS = line_editor.AGAIN_SECONDS = 0.003
screen, lines = Screen(), []
print("ready", flush=True)
while "end" not in lines:
    try:
        lines.append(screen.ask("", interrupts=lambda: True))
    except line_editor.LineInterruptedError:
        pass
print(len(lines) - 1, "lines")
"""


def test_no_line_is_lost_at_a_plain_terminal_that_is_interrupted_while_it_is_read() -> None:
    child = pexpect.spawn(
        sys.executable, ["-c", INTERRUPTED], env=environment(TERM="dumb"), encoding="utf-8", echo=False, timeout=60
    )
    child.expect_exact("ready")
    child.delaybeforesend = None
    for number in range(300):
        child.send(f"{number}\n")
        time.sleep(0.004)
    time.sleep(0.5)
    child.send("end\n")
    child.expect_exact("300 lines")
