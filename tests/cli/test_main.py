"""The command line itself: help, completion, errors, exit codes, streams."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook import GAMES, __version__
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "chess"], f"Unknown game 'chess'. Games: {', '.join(GAMES)}"),
        (["rules", "chess"], "Unknown game 'chess'. Games: "),
        (["play", "charge", "--p1", "deep"], "Unknown agent 'deep'. Agents: beginner, easy, medium, "),
        (["play", "charge", "--option", "name=x"], "Unknown option 'name'. Options: goal, "),
        (["play", "charge", "--option", "goal=1", "--option", "goal=2"], "Option goal is given twice."),
        (["play", "word-clash", "--option", f"dictionary={'x' * 300}"], "dictionary cannot be 'xxxx"),
        (["play", "charge", "--record", f"/{'x' * 300}"], "Cannot save to '/xxxx"),
        (["play", "charge", "--record", "~nobody-here/x"], "'~nobody-here/x' cannot be a file: "),
        (["replay", f"/{'x' * 300}"], "/xxxx"),
        (["play", "charge", "--option", "goal"], "An option must be given as KEY=VALUE, not 'goal'"),
        (["play", "charge", "--option", "goal=0"], "goal must be from 1 to 60, not 0"),
        (["play", "charge", "--option", "gaol=9"], "Unknown option 'gaol'. Did you mean 'goal'? Options: goal, "),
        (["play", "charge", "--first", "3"], "Invalid value for '--first'"),
        (["play", "charge", "--seed", "x"], "Invalid value for '--seed': Input should be a valid integer"),
        (["play", "charge", "--time-limit", "x"], "Invalid value for '--time-limit': Input should be a valid number"),
        (["play", "charge", "--seed", "-1"], "--seed must be from 0 to 9223372036854775807, not -1."),
        (["play", "charge", "--record", "/no/where/x"], "Cannot save to '/no/where/x': No such file or directory"),
        (["play", "--resume", "/no/where/x"], "/no/where/x: No such file or directory"),
        (["play", "\x1b[31m"], "Unknown game '\ufffd[31m'"),
        (["replay", "/no/where/x"], "/no/where/x: No such file or directory"),
        (["replay", "999999"], "There is no game 999999 in your history. List the games with: duelbook history"),
        (["review", "9" * 15], f"There is no game {'9' * 15} in your history."),
        (["resume", "999999"], "There is no game 999999 in your history."),
        (["history", "remove", "999999"], "There is no game 999999 in your history."),
        (["history", "--since", "soon"], "A day must be written like 2026-11-17, not 'soon'."),
        (["history", "--game", "chess"], "There is no game of 'chess' in your history."),
        (["solve", "chess"], "Unknown game 'chess'"),
        (["solve", "charge", "--option", "goal=0"], "goal must be from 1 to 60, not 0"),
        (["solve", "crystal-capture", "--after", "8,8"], "Move 2: '8' is not legal here. Legal moves: 1, 2"),
        (["audit", "chess"], "Unknown game 'chess'"),
        (["review", "/no/where/x"], "/no/where/x: No such file or directory"),
        (["puzzle", "chess"], "Unknown game 'chess'"),
        (["puzzle", "flag-chase", "--level", "5"], "This game has no puzzle of level 5. It has: win (level 1)."),
        (["puzzle", "--level", "6"], "Invalid value for '--level': Input should be less than or equal to 5"),
        (["puzzle", "--level", "0"], "Invalid value for '--level': Input should be greater than or equal to 1"),
        (["puzzle", "charge", "--daily"], "--daily cannot be combined with GAME, --level, --kind, --seed or --number."),
        (["charge"], "charge is a game. Play it with: duelbook play charge; its rules: duelbook rules charge"),
        (["help", "charge"], "charge is a game. Play it with: duelbook play charge; "),
        (["play", "chrage"], "Unknown game 'chrage'. Did you mean 'charge'? Games: "),
        (["play", "Flag Chase"], "Unknown game 'Flag Chase'. Did you mean 'flag-chase'? Games: "),
        (["play", "charge", "--p2", "exprt"], "Unknown agent 'exprt'. Did you mean 'expert'? Agents: "),
        (["play", "charge", "--p2", "grandmaster"], "Unknown agent 'grandmaster'. Agents: "),
        (["play", "--sed", "1"], "No such option: --sed (Possible options: "),
        (["paly"], "No such command 'paly'. Did you mean 'play', 'replay'? See: duelbook --help"),
        (["helpp"], "No such command 'helpp'. Did you mean 'help'? See: duelbook --help"),
        (["help", "paly"], "No such command 'paly'. Did you mean 'play', 'replay'? See: duelbook --help"),
        (["games", "--all"], "No such option: --all. See: duelbook games --help"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    done = run(arguments)
    assert done.stderr.startswith(f"duelbook: {message}")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert done.returncode == 2


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
