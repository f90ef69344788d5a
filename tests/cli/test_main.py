"""The command line itself: help, completion, errors, exit codes, streams."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import __version__
from duelbook.cli.agent_command import AgentCommand
from duelbook.cli.app import COMMANDS
from tests.support.keyboard import environment, run

HEAVY = (
    "duelbook.agents",
    "duelbook.solve",
    "duelbook.study",
    "duelbook.compiled",
    "msgspec",
    "numpy",
    "numba",
    "starlette",
    "sqlalchemy",
    "alembic",
    "ray",
    "gymnasium",
    "pettingzoo",
    "pyspiel",
    "httpx",
    "prompt_toolkit",
)


def test_the_version_is_shown() -> None:
    assert run(["--version"]).stdout == f"duelbook {__version__}\n"


class TestHelp:
    def test_it_is_shown_without_a_command(self) -> None:
        done = run([])
        assert done.stdout == run(["--help"]).stdout
        assert (done.stderr, done.returncode) == ("", 0)

    def test_it_begins_with_what_players_do(self) -> None:
        commands = [line.split()[0] for line in run(["--help"]).stdout.partition("Commands:\n")[2].splitlines()[:4]]
        assert commands == ["play", "learn", "puzzle", "history"]

    def test_help_with_a_command_is_its_help_page(self) -> None:
        assert run(["help"]).stdout == run(["--help"]).stdout
        assert run(["help", "solve"]).stdout == run(["solve", "--help"]).stdout
        assert run(["help", "db", "copy"]).stdout == run(["db", "copy", "--help"]).stdout

    @pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["-h"], ["replay", "--help"]])
    def test_it_has_examples(self, arguments: list[str]) -> None:
        done = run(arguments)
        assert done.returncode == 0
        assert "Usage: duelbook" in done.stdout
        assert "Examples:\n    duelbook " in done.stdout

    def test_it_lists_the_agents_once_each_time_it_is_formatted(self) -> None:
        command = AgentCommand("play", epilog="Examples", rich_markup_mode=None)
        context = command.make_context("play", [])
        pages = [command.get_help(context) for _ in range(2)]
        assert pages[0] == pages[1]
        assert pages[0].count("Agents:") == pages[0].count("Examples") == 1

    @pytest.mark.parametrize(
        "command",
        ["", *COMMANDS, "db upgrade", "db copy", "db backup", "db check", "history import", "history remove"],
    )
    def test_it_fits_80_columns_of_plain_ascii_and_no_word_is_cut(self, command: str) -> None:
        page = run([*command.split(), "--help"]).stdout
        assert page.isascii()
        assert all(len(line) <= 80 for line in page.splitlines())
        assert "..." not in re.sub(r"[]},A-Z]\.\.\.", "", page)  # a summary that was cut
        assert not [line for line in page.splitlines() if line.endswith("-")]  # a name that was split


def test_playing_loads_no_heavy_module() -> None:
    """Neither does it load agents or the solver, which two people do not need."""
    script = (
        "import sys; sys.argv = ['duelbook', 'play', 'charge']\n"
        "from duelbook.__main__ import run\n"
        "try: run()\n"
        f"finally: print([name for name in sys.modules if name.startswith({HEAVY!r})], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], input="", capture_output=True, text=True, check=False)
    assert "play a card: " in done.stdout
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("variables", [{}, {"_DUELBOOK_COMPLETE": "complete_bash", "COMP_WORDS": "duelbook pl"}])
def test_ctrl_c_while_the_program_loads_ends_it_quietly(tmp_path: Path, variables: dict[str, str]) -> None:
    slow = "import time; print('loading', flush=True); time.sleep(60)"
    (tmp_path / "tomllib.py").write_text(slow)  # which the games need
    running = subprocess.Popen(
        [sys.executable, "-m", "duelbook", "play", "charge"],
        env=environment(PYTHONPATH=str(tmp_path), **variables),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert running.stdout
    assert running.stdout.readline() == "loading\n"
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=60) == ("", "")
    assert running.returncode == 130


def test_an_interrupted_solve_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['numba'] = None\n"  # so that it takes long enough
        "sys.argv = ['duelbook', 'solve', 'charge', '--option', 'goal=16']\n"
        "from duelbook.__main__ import run\n"
        "from duelbook import study\n"
        "position_report = study.position_report\n"
        "def announced(*arguments):\n"
        "    print('solving', flush=True)\n"
        "    return position_report(*arguments)\n"
        "study.position_report = announced\n"
        "run()"
    )
    where = environment(XDG_CACHE_HOME=str(tmp_path))
    command = [sys.executable, "-c", script]
    running = subprocess.Popen(command, env=where, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert running.stdout
    assert running.stdout.readline() == "solving\n"
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=60)
    assert (output, errors) == ("", "duelbook: Solving charge was interrupted. Nothing was written.\n")
    assert running.returncode == 130
    assert not list(tmp_path.rglob("*.*"))


def test_a_bug_is_reported_in_one_line_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.cli.games.games_page", lambda screen: 1 / 0)
    done = run(["games"])
    reason = "ZeroDivisionError: division by zero"
    assert done.stderr == f"duelbook: This is a bug in Duelbook. Please report it ({reason}).\n"
    assert done.returncode == 70


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed: str) -> None:
    command = f"echo quit | {sys.executable} -m duelbook play charge {closed}"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""


def test_a_full_disk_is_an_error_of_one_line() -> None:
    command = f"{sys.executable} -m duelbook play charge >/dev/full"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.stderr == "duelbook: Cannot continue: No space left on device.\n"


@pytest.mark.parametrize("arguments", ["rules charge", "solve word-clash --json"])  # less than a buffer, and more
def test_a_reader_that_closes_the_pipe_is_no_error(arguments: str) -> None:
    command = f"{sys.executable} -m duelbook {arguments} | true"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.stderr == ""
