"""A person at a real pseudo-terminal, and a pipe in their place."""

import os
import re
import subprocess
import sys

import pexpect

DUELBOOK = [sys.executable, "-m", "duelbook"]
TYPED = re.compile("«(.*?)»")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def environment(**changes: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return kept | {"TERM": "dumb", "COLUMNS": "80"} | changes


def session(arguments: str, script: str, **variables: str) -> tuple[str, int]:
    """Hold a session through a terminal: what stands between « and » is typed, the rest is awaited.

    Answers what was on the screen and the exit code.
    """
    command = [*DUELBOOK, *arguments.split()]
    child: pexpect.spawn[str] = pexpect.spawn(
        command[0], command[1:], env=environment(**variables), encoding="utf-8", timeout=20, dimensions=(24, 80)
    )
    child.delaybeforesend = None
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


def shown(script: str) -> str:
    """Answer a script as it looks on the screen."""
    return TYPED.sub(r"\1", script)


def piped(arguments: list[str], answers: str | bytes = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its answers from a pipe."""
    raw = answers.encode() if isinstance(answers, str) else answers
    done = subprocess.run(
        [*DUELBOOK, *arguments], input=raw, capture_output=True, env=environment(**variables), timeout=60, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def without_colour(text: str) -> str:
    return COLOUR.sub("", text)
