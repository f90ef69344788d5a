"""Golden transcripts of the line dialogue: what a person types, and everything that is then shown.

A file in `tests/terminal/golden` is both the script and the transcript. What stands above the first command says what
the file is about. A line that begins with `$ ` is a command of the shell; what the person types stands between « and »:

- `«charge 3»` is a line, `«^D»` the end of input, `«^C»` Ctrl-C,
- `«4 s … charge 3»` is typed after four seconds, by a clock that stands still otherwise,
- `\\x1b` between them is the character with that number.

`python -m tests.support.transcripts [NAME ...]` (part of `make golden`) plays what is typed again and writes what is
shown now. To add one, write only its commands and what is typed. The commands of a file share a data folder and a
current folder. The terminal is 80 columns wide and has no colours; a seed that nobody gives is always the same.
"""

import io
import os
import random
import re
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from duelbook.agents import AGENTS
from duelbook.games import GAMES
from tests.support.keyboard import call

FOLDER = Path(__file__).parents[1] / "terminal/golden"
COMMAND = re.compile(r"^\$ ((?:[A-Z_]+=\S+ )*)duelbook ?(.*)$", re.MULTILINE)
TYPED = re.compile("«(.*?)»")
PAUSE = re.compile(r"([\d.]+) s … ?")
ESCAPE = re.compile(r"\\x([0-9a-f]{2})")
SHOWN_FOLDER = "/a/folder/of/the/games"  # as long as the name of a temporary folder, so that lines break alike
SHOWN_DAY = "YYYY-MM-DD"


class Keyboard(io.StringIO):
    """The standard input at a terminal, at which the lines of a script are typed."""

    def __init__(self, typed: Sequence[str], screen: io.StringIO, device: int) -> None:
        super().__init__()
        self._typed, self._screen, self._device = iter(typed), screen, device
        self.seconds = 1000.0  # what the clock says

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._device

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override] # as StringIO itself does
        line = next(self._typed, "^D")
        self._screen.write(f"«{line}»\n")
        if pause := PAUSE.match(line):
            self.seconds += float(pause[1])
            line = line[pause.end() :]
        if line == "^C":
            raise KeyboardInterrupt
        return "" if line == "^D" else ESCAPE.sub(lambda code: chr(int(code[1], 16)), line) + "\n"


class Output(io.StringIO):
    """The standard output at a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Errors(io.StringIO):
    """The standard error, which is shown between the lines of the output."""

    def __init__(self, screen: Output) -> None:
        super().__init__()
        self._screen = screen

    def write(self, text: str, /) -> int:
        return self._screen.write(text)


def transcript(script: str) -> str:
    """Return the transcript with what is shown now."""
    about, *commands = COMMAND.split(script)
    with tempfile.TemporaryDirectory(prefix="duelbook-", dir="/tmp") as folder, pytest.MonkeyPatch.context() as patch:
        (Path(folder) / "data").mkdir()
        patch.chdir(folder)
        patch.setattr(secrets, "randbits", lambda bits: random.Random(1).getrandbits(bits))
        patch.setattr(secrets, "randbelow", lambda limit: random.Random(1).randrange(limit))
        patch.setattr("termios.tcflush", lambda device, queue: None)
        days = _days()
        shown = "".join(
            f"$ {variables}duelbook {arguments}\n{_shown(variables, arguments, TYPED.findall(part), folder)}"
            for variables, arguments, part in zip(commands[::3], commands[1::3], commands[2::3], strict=True)
        )
    for day in days | _days():
        shown = shown.replace(day, SHOWN_DAY)
    assert len(folder) == len(SHOWN_FOLDER)
    return about + shown.replace(folder, SHOWN_FOLDER)


def _days() -> set[str]:
    """Return what day it is, here and where the day changes at another hour."""
    return {date.today().isoformat(), datetime.now(UTC).date().isoformat()}


def _shown(variables: str, arguments: str, typed: Sequence[str], folder: str) -> str:
    """Return what a command and the person show, and the exit code if it is not 0."""
    changes = dict(one.split("=", 1) for one in variables.split())
    screen = Output()
    with (
        open(os.devnull) as nothing,  # which can always be read
        pytest.MonkeyPatch.context() as patch,
        _registered(patch, changes),
    ):
        keyboard = Keyboard(typed, screen, nothing.fileno())
        patch.setattr(time, "monotonic", lambda: keyboard.seconds)
        words = [word.replace("\\ ", " ") for word in re.split(r"(?<!\\) ", arguments)] if arguments else []
        code = call(words, keyboard, screen, Errors(screen), XDG_DATA_HOME=f"{folder}/data", **changes)
    return screen.getvalue() + (f"[exit code {code}]\n" if code else "")


@contextmanager
def _registered(patch: pytest.MonkeyPatch, changes: dict[str, str]) -> Iterator[None]:
    """Know the games and agents that the variables name."""
    registries = [registry for registry in (GAMES, AGENTS) if registry.variable in changes]
    for registry in registries:
        patch.setenv(registry.variable, changes[registry.variable])
        registry.reload()
    yield
    patch.undo()
    for registry in registries:
        registry.reload()


def write_transcripts(*names: str) -> None:
    """Write the transcripts again: those that are named, or all."""
    for file in [FOLDER / f"{name}.txt" for name in names] or sorted(FOLDER.glob("*.txt")):
        file.write_text(transcript(file.read_text()))


if __name__ == "__main__":
    write_transcripts(*sys.argv[1:])
