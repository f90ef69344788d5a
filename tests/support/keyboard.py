"""The command line as a person uses it: at a real terminal, in a process of its own, or within the tests."""

import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from subprocess import CompletedProcess
from typing import TextIO

import pexpect
import pytest

from duelbook.cli import main

DUELBOOK = [sys.executable, "-m", "duelbook"]
TYPED = re.compile("«(.*?)»")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PAUSE = re.compile(r"([\d.]+) s … ?")
ESCAPE = re.compile(r"\\x([0-9a-f]{2})")


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of the tests for a plain terminal of 80 columns, with changes."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return kept | {"TERM": "dumb", "COLUMNS": "80"} | changes


def run(arguments: list[str], answers: str = "", **variables: str) -> "CompletedProcess[str]":
    """Run a command in this process, with its answers from a pipe."""
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with tempfile.TemporaryFile("w+", encoding="utf-8") as script:
        script.write(answers)
        script.seek(0)
        code = call(arguments, script, stdout, stderr, **variables)
    return CompletedProcess(arguments, code, *map(_content, (stdout, stderr)))


def call(arguments: list[str], stdin: TextIO, stdout: TextIO, stderr: TextIO, **variables: str) -> int:
    """Run a command in this process with these streams, and return its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - environment(**variables).keys():
            patch.delenv(name)
        for name, value in environment(**variables).items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", ["duelbook", *arguments])
        for name, stream in (("stdin", stdin), ("stdout", stdout), ("stderr", stderr)):
            patch.setattr(sys, name, stream)
        return main()


def _content(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def at_terminal(
    arguments: str, *typed: str, before: Mapping[str, Callable[[], object]] | None = None, **variables: str
) -> tuple[str, int]:
    """Run a command in this process at a terminal of 80 columns. Return what was on the screen and the exit code.

    Each line is `typed` at a question: `^D` is the end of input, as after the last line, and `^C` is Ctrl-C. The clock
    stands still, but `4 s … charge 3` is typed after four seconds. `\\x1b` stands for the character with that number.
    On the screen, what is typed stands between « and ». `before` holds what happens before a line is typed.
    """
    screen = Screen()
    with open(os.devnull) as device, pytest.MonkeyPatch.context() as patch:
        keyboard = Keyboard(typed, screen, device.fileno(), before or {})
        patch.setattr(time, "monotonic", lambda: keyboard.seconds)
        patch.setattr("termios.tcflush", lambda device, queue: None)
        code = call(shlex.split(arguments), keyboard, screen, Errors(screen), **variables)
    return screen.getvalue(), code


class Screen(io.StringIO):
    """The standard output at a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Errors(io.StringIO):
    """The standard error, which goes to the same screen, but shows no bars."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self._screen = screen

    def write(self, text: str, /) -> int:
        return self._screen.write(text)


class Keyboard(io.StringIO):
    """The standard input at a terminal, at which the lines of a script are typed."""

    def __init__(
        self, typed: Iterable[str], screen: Screen, device: int, before: Mapping[str, Callable[[], object]]
    ) -> None:
        """Type at the screen. The device is one that can always be read."""
        super().__init__()
        self._typed, self._screen, self._device, self._before = iter(typed), screen, device, before
        self.seconds = 1000.0  # what the clock says

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._device

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override] # as StringIO itself does
        line = next(self._typed, "^D")
        self._before.get(line, bool)()
        self._screen.write(f"«{line}»\n")
        if pause := PAUSE.match(line):
            self.seconds += float(pause[1])
            line = line[pause.end() :]
        if line == "^C":
            raise KeyboardInterrupt
        return "" if line == "^D" else ESCAPE.sub(lambda code: chr(int(code[1], 16)), line) + "\n"


def run_process(arguments: list[str], answers: str | bytes = "", **variables: str) -> "CompletedProcess[str]":
    """Run a command in a process of its own, with its answers from a pipe."""
    raw = answers.encode() if isinstance(answers, str) else answers
    done = subprocess.run(
        [*DUELBOOK, *arguments], input=raw, capture_output=True, env=environment(**variables), timeout=60, check=False
    )
    return CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def session(arguments: str, script: str, **variables: str) -> tuple[str, int]:
    """Run a command at a pseudo-terminal. Return what was on the screen and the exit code.

    The script holds what is awaited, with what is then typed between « and ».
    """
    child = spawn(arguments, **variables)
    screen = ""
    *parts, _ = TYPED.split(script)
    for awaited, typed in zip(parts[::2], parts[1::2], strict=True):
        child.expect_exact(awaited.rpartition("\n")[2])
        screen += str(child.before) + str(child.after)
        if typed == "^C":
            child.sendintr()
        elif typed == "^D":
            child.sendeof()
        else:
            child.sendline(typed)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus is not None
    return (screen + str(child.before)).replace("\r\n", "\n"), child.exitstatus


def spawn(arguments: str, **variables: str) -> "pexpect.spawn[str]":
    command = [*DUELBOOK, *arguments.split()]
    child: pexpect.spawn[str] = pexpect.spawn(
        command[0], command[1:], env=environment(**variables), encoding="utf-8", timeout=60, dimensions=(24, 80)
    )
    child.delaybeforesend = None
    return child


def shown(script: str) -> str:
    """Return a script as it looks on the screen."""
    return TYPED.sub(r"\1", script)


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def without_colour(text: str) -> str:
    return COLOUR.sub("", text)
