"""The command line as a person uses it: at a real terminal, in a process of its own, or within the tests."""

import io
import os
import re
import subprocess
import sys
import time
from subprocess import CompletedProcess
from typing import TextIO

import pexpect
import pytest

from duelbook.cli import main

DUELBOOK = [sys.executable, "-m", "duelbook"]
TYPED = re.compile("«(.*?)»")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of the tests for a plain terminal of 80 columns, with changes."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return kept | {"TERM": "dumb", "COLUMNS": "80"} | changes


class Hesitant(io.StringIO):
    """The standard input of a person who thinks for some seconds before the answers given in `pauses`."""

    def __init__(self, answers: str, pauses: dict[str, float]) -> None:
        super().__init__(answers)
        self._pauses = pauses

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override] # as StringIO itself does
        line = super().readline(size)
        time.sleep(self._pauses.get(line.strip(), 0))
        return line


def run(arguments: list[str], answers: str | Hesitant = "", **variables: str) -> "CompletedProcess[str]":
    """Run a command in this process, with its answers from a pipe."""
    stdin = io.StringIO(answers) if isinstance(answers, str) else answers
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code = call(arguments, stdin, stdout, stderr, **variables)
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
    """Return a command that runs at a pseudo-terminal."""
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
    """Return the answers, each on a line of its own."""
    return "".join(f"{answer}\n" for answer in answers)


def without_colour(text: str) -> str:
    return COLOUR.sub("", text)
