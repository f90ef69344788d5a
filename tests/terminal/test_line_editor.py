"""The line that a person types at a terminal: edited, remembered, completed, kept over Ctrl-Z, beside a clock."""

import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from duelbook.terminal.layout import cut, wrapped
from tests.support.keyboard import DUELBOOK, environment, run, run_process, session, spawn, without_colour

XTERM = {"TERM": "xterm", "NO_COLOR": "1"}
UP, LEFT, TAB, CTRL_U, CTRL_Z = "\x1b[A", "\x1b[D", "\t", "\x15", "\x1a"
PROMPT = "play a card:"
EDITORS = pytest.mark.parametrize("clock", ["", " --time-limit 900"], ids=["readline", "prompt_toolkit"])


def at_first_prompt(arguments: str = "play charge", prompt: str = PROMPT) -> "pexpect.spawn[str]":
    child = spawn(arguments, **XTERM)
    child.expect_exact(prompt)
    return child


@EDITORS
def test_a_line_is_edited_with_the_arrow_keys_and_an_earlier_one_comes_back(clock: str) -> None:
    child = at_first_prompt(f"play charge{clock}")
    child.sendline(f"chage 3{LEFT * 4}r")
    child.expect_exact("Total charge: 3.")
    child.expect_exact(PROMPT)
    child.sendline(UP)
    child.expect_exact("Player 2 plays a Charge Card adding 3 points.")
    child.close(force=True)


@EDITORS
def test_tab_completes_moves_commands_and_files(tmp_path: Path, clock: str) -> None:
    (tmp_path / "saved-games").mkdir()
    (tmp_path / "saved-games" / "old.json").touch()
    child = at_first_prompt(f"play charge{clock}")
    child.send(f"cha{TAB}")
    child.expect_exact("charge 5")  # one of the list
    child.send(CTRL_U)
    child.send(f"MOV{TAB}")
    child.expect_exact("moves")
    child.sendline("")
    child.expect_exact("Legal moves: ")
    child.expect_exact(PROMPT)
    child.send(f"save {tmp_path}/sav{TAB}")
    child.expect_exact("ed-games/")
    child.sendline("game.json")
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


@EDITORS
def test_after_ctrl_z_and_fg_the_prompt_and_what_was_typed_are_back(clock: str) -> None:
    """At a shell with job control."""
    shell: pexpect.spawn[str] = pexpect.spawn(
        *("bash", ["--norc", "--noprofile", "-i"]),
        env=environment(**XTERM, PS1="ready> "),
        encoding="utf-8",
        timeout=60,
    )
    shell.delaybeforesend = None
    shell.expect_exact("ready> ")
    shell.sendline(" ".join([*DUELBOOK, "play", f"charge{clock}"]))
    shell.expect_exact(PROMPT)
    shell.send("charge ")
    shell.expect_exact("charge")
    shell.send(CTRL_Z)
    shell.expect_exact("Stopped")
    shell.sendline("stty -a | tr ' ;' '\\n\\n' | grep -x -e echo -e icanon | sort | tr '\\n' '+'; fg")
    shell.expect_exact("echo+icanon+")  # the shell has its terminal as it was
    shell.expect_exact("Player 1, play a card: charge")
    shell.sendline("4")
    shell.expect_exact("Total charge: 4.")
    shell.close(force=True)


@EDITORS
def test_ctrl_z_does_nothing_where_the_parent_process_lets_it_be_ignored(clock: str) -> None:
    command = " ".join([*DUELBOOK, "play", f"charge{clock}"])
    child: pexpect.spawn[str] = pexpect.spawn(
        "sh", ["-c", f"trap '' TSTP; {command}"], env=environment(**XTERM), encoding="utf-8", timeout=60
    )
    child.delaybeforesend = None
    child.expect_exact(PROMPT)
    child.sendline(f"charge{CTRL_Z} 4")
    child.expect_exact("Total charge: 4.")
    child.close(force=True)


@EDITORS
def test_several_pasted_lines_are_several_answers(clock: str) -> None:
    child = at_first_prompt(f"play charge{clock}")
    child.send("charge 1\rcharge 2\rresign\ry\r")
    child.expect_exact("Player 2 plays a Charge Card adding 2 points.")
    child.expect_exact("Player 1 resigns.")
    child.close(force=True)


@EDITORS
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_a_game_can_be_left_with_a_key(clock: str, key: str, code: int) -> None:
    child = at_first_prompt(f"play charge{clock}")
    child.send(key)
    child.expect_exact("No move was played, so there is nothing to keep.")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == code


def test_the_time_left_stands_before_the_prompt_and_runs() -> None:
    child = at_first_prompt("play charge --time-limit 900", "] Player 1, play a card:")
    child.send("charge")
    child.expect(r"\x1b\[[0-9]+D\x1b\[0m[0-9]{1,2}\x1b\[[0-9]+C")  # only a digit changes
    child.sendline(" 2")
    child.expect_exact("Total charge: 2.")
    child.expect_exact("[15:00] Player 2")
    child.close(force=True)


ASKING = """
import sys, time
from pathlib import Path
from duelbook.terminal import interruptible_prompt
from duelbook.terminal.line_editor import LineInterruptedError, TimeUpError
from duelbook.terminal.screen import Screen

screen = Screen()
"""


def asking(script: str, *arguments: str, **variables: str) -> "pexpect.spawn[str]":
    """Return a program at a pseudo-terminal, whose `screen` can ask as soon as it runs."""
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable, ["-c", ASKING + script, *arguments], env=environment(**variables), encoding="utf-8", timeout=60
    )
    child.delaybeforesend = None
    return child


TIMED = """
try:
    screen.ask("question: ", time.monotonic() + 2)
except TimeUpError:
    print("time is up")
print(repr(sys.stdin.readline()))
"""


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_half_a_line_is_dropped_when_the_time_is_up(terminal: str) -> None:
    child = asking(TIMED, TERM=terminal)
    child.expect_exact("[0:02] question:")
    child.send("half")
    child.expect_exact("time is up")
    child.sendline("rest")
    child.expect_exact("'rest\\n'")


def test_the_time_of_a_script_is_up_while_its_line_is_waited_for() -> None:
    command = [*DUELBOOK, "play", "charge", "--time-limit", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as script:
        assert script.stdin
        assert script.stdout
        script.stdin.write(b"help\nchar")
        script.stdin.flush()
        assert b"Player 1 has run out of time.\n" in list(script.stdout)
        assert script.wait() == 0


INTERRUPTED = """
news, typed, number = Path(sys.argv[1]), "", 0
while typed != "end":
    try:
        line = screen.ask("question: ", interrupts=news.exists, typed=typed)
        print(f"answer: {line}.")
        typed = ""
    except LineInterruptedError as interrupted:
        typed = interrupted.typed
        news.unlink()
        print("news")
"""


@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_news_appear_above_the_prompt_and_what_was_typed_stays(tmp_path: Path, terminal: str) -> None:
    """On a plain terminal, the system keeps what is typed."""
    news = tmp_path / "news"
    child = asking(INTERRUPTED, str(news), TERM=terminal)
    child.expect_exact("question:")
    child.send("half ")
    child.expect_exact("half")
    for _ in range(3):
        news.touch()
        child.expect_exact("news\r\n")
        child.expect_exact("question: half" if terminal == "xterm" else "question:")
    child.sendline("a line")
    child.expect_exact("answer: half a line.")
    child.close(force=True)


def test_no_line_is_lost_when_the_prompt_is_interrupted_all_the_time(tmp_path: Path) -> None:
    news = tmp_path / "news"
    child = asking(INTERRUPTED, str(news), TERM="dumb")
    child.expect_exact("question:")
    child.send("".join(f"{number}\n" for number in range(100)))
    for number in range(100):
        news.touch()
        child.expect_exact(f"answer: {number}.")
    child.close(force=True)


TYPED_MEANWHILE = """
import select, termios

def news():  # at the moment at which keys have come that were not read yet
    if termios.tcgetattr(sys.stdin)[3] & termios.ECHO:
        return False
    print("(listening)", flush=True)
    return bool(select.select([sys.stdin], [], [], 60)[0])

try:
    print("finished:", screen.ask("one: ", interrupts=news, typed="ab"))
except LineInterruptedError as interrupted:
    print("begun:", interrupted.typed)
print("second:", screen.ask("two: ", interrupts=lambda: False))
"""


@pytest.mark.parametrize(("keys", "first"), [("cd", "begun: abcd"), ("cd\rx", "finished: abcd")])
def test_what_was_typed_for_a_question_answers_no_other(keys: str, first: str) -> None:
    child = asking(TYPED_MEANWHILE, TERM="xterm")
    child.expect_exact("(listening)")
    child.send(keys)
    child.expect_exact(first)
    child.expect_exact("two:")
    child.waitnoecho()
    child.sendline("y")
    child.expect_exact(f"second: {'x' if 'x' in keys else ''}y")
    child.close(force=True)


REMEMBERED = """
screen.ask("first: ")
screen.ask("second: ", time.monotonic() + 900)
screen.ask("secret: ", time.monotonic() + 900, remember=False)
for _ in range(2):
    print(screen.ask("again: ", time.monotonic() + 900), "is back")
"""


def test_lines_come_back_in_either_editor_unless_they_are_not_to_be_remembered() -> None:
    child = asking(REMEMBERED, **XTERM)
    for question, typed in (("first:", "one"), ("second:", "two"), ("secret:", "three")):
        child.expect_exact(question)
        child.sendline(typed)
    child.expect_exact("again:")
    child.sendline(UP)
    child.expect_exact("two is back")
    child.expect_exact("again:")
    child.sendline(f"{UP}{UP}")
    child.expect_exact("one is back")
    child.close(force=True)


def test_a_prompt_that_nothing_can_interrupt_does_not_load_prompt_toolkit() -> None:
    script = "import sys; from duelbook.terminal.screen import Screen; Screen().ask('question: '); print(sys.modules)"
    child: pexpect.spawn[str] = pexpect.spawn(
        sys.executable, ["-c", script], env=environment(**XTERM), encoding="utf-8", timeout=60
    )
    child.expect_exact("question: ")
    child.sendline("")
    child.expect(pexpect.EOF)
    assert "line_editor" in str(child.before)
    assert "prompt_toolkit" not in str(child.before)


@EDITORS
def test_hostile_input_changes_nothing(clock: str) -> None:
    child = at_first_prompt(f"play charge{clock}")
    for typed in ("x" * 5000, "\x1b[31m", "\x00\x01\x02", "ｃｈａｒｇｅ ９"):
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
    script = "(1 or 2 cells\nforward):«quit»\n"
    screen, _ = session("play flag-chase --time-limit 60", script, TERM="xterm", COLUMNS="40", NO_COLOR="1")
    assert "for\nward" not in without_colour(screen).replace("\r", "")


def test_an_error_of_the_command_line_breaks_between_words_at_a_terminal() -> None:
    screen, code = session("play charg --p2 nobody", "", COLUMNS="40")  # where standard error is a terminal
    assert code == 2
    assert screen.startswith("duelbook: Unknown agent 'nobody'.")
    assert max(map(len, screen.splitlines())) <= 40
    assert " ".join(screen.split()) == run(["play", "charg", "--p2", "nobody"]).stderr.strip()


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
