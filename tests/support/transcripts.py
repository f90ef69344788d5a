"""Golden transcripts of the line dialogue: what a person types, and everything that is then shown.

A file in `tests/terminal/golden` is both the script and the transcript. What stands above the first command says what
the file is about. A line that begins with `$ ` is a command of the shell; what a person types stands between « and »,
as `tests.support.keyboard.at_terminal` reads it: `«charge 3»`, `«^C»`, or `«4 s … charge 3»` after four seconds.

`python -m tests.support.transcripts [NAME ...]` (part of `make golden`) types it again and writes what is shown now.
To add one, write only its commands and what is typed. The commands of a file share a data folder and a current folder.
Seeds that nobody gives are drawn from one.
"""

import random
import re
import secrets
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from duelbook.games import GAMES
from tests.support.keyboard import TYPED, at_terminal

FOLDER = Path(__file__).parents[1] / "terminal/golden"
COMMAND = re.compile(r"^\$ ((?:[A-Z_]+=\S+ )*)duelbook ?(.*)$", re.MULTILINE)
SHOWN_FOLDER = "/a/folder/of/the/games"  # as long as the name of a temporary folder, so that lines break alike
SHOWN_DAY = "YYYY-MM-DD"


def transcript(script: str) -> str:
    """Return the transcript with what is shown now."""
    about, *commands = COMMAND.split(script)
    with tempfile.TemporaryDirectory(prefix="duelbook-", dir="/tmp") as folder, pytest.MonkeyPatch.context() as patch:
        (Path(folder) / "data").mkdir()
        patch.chdir(folder)
        drawn = defaultdict[int, random.Random](lambda: random.Random(1))  # NumPy draws others where it is loaded
        patch.setattr(secrets, "randbits", lambda bits: drawn[bits].getrandbits(bits))
        patch.setattr(secrets, "randbelow", lambda limit: drawn[limit].randrange(limit))
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
    with _games(changes.get(GAMES.variable)):
        screen, code = at_terminal(arguments, *typed, before=None, XDG_DATA_HOME=f"{folder}/data", **changes)
    return screen + (f"[exit code {code}]\n" if code else "")


@contextmanager
def _games(names: str | None) -> Iterator[None]:
    """Know games from outside for a while."""
    if names is None:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(GAMES.variable, names)
        GAMES.reload()
        yield
    GAMES.reload()


def write_transcripts(*names: str) -> None:
    """Write the transcripts again: those that are named, or all."""
    for file in [FOLDER / f"{name}.txt" for name in names] or sorted(FOLDER.glob("*.txt")):
        file.write_text(transcript(file.read_text()))


if __name__ == "__main__":
    write_transcripts(*sys.argv[1:])
