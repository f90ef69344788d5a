"""The command line: lists, pages, replay, help, completion, exit codes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from duelbook import GAMES, __version__
from tests.support.keyboard import environment, lines, piped, session, without_colour

HEAVY = (
    "numpy",
    "numba",
    "choix",
    "fastapi",
    "sqlalchemy",
    "alembic",
    "ray",
    "gymnasium",
    "pettingzoo",
    "pyspiel",
    "httpx",
)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The book's scenario of Crystal Capture, with Player 2 moving first."""
    file = tmp_path / "game.json"
    names = ["--name1", "Red", "--name2", "Blue"]
    piped(["play", "crystal-capture", "--first", "2", "--record", str(file), *names], lines(*"87641"))
    return file


def test_games_lists_every_game_with_its_aim() -> None:
    done = piped(["games"])
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(GAMES)


def test_games_is_a_table_on_a_terminal() -> None:
    screen, code = session("games", "", TERM="xterm")
    assert "┃ game" in without_colour(screen)
    assert code == 0


@pytest.mark.parametrize("game", GAMES)
def test_rules_prints_the_page_and_the_options(game: str) -> None:
    done = piped(["rules", game])
    assert done.stdout.startswith("# ")
    assert "## Options" in done.stdout
    screen, code = session(f"rules {game}", "", TERM="xterm")
    assert "Options" in screen
    assert code == 0


def test_the_version_is_told() -> None:
    assert piped(["--version"]).stdout == f"duelbook {__version__}\n"


def test_without_a_command_it_shows_the_help() -> None:
    assert piped([]).stdout == piped(["--help"]).stdout
    assert (piped([]).stderr, piped([]).returncode) == ("", 0)


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["replay", "--help"], ["-h"]])
def test_help_is_there_with_examples(arguments: list[str]) -> None:
    done = piped(arguments)
    assert done.returncode == 0
    assert "Usage: duelbook" in done.stdout
    assert "replay" in arguments or "Examples:\n    duelbook play" in done.stdout


def test_the_shell_completes_commands_games_and_agents() -> None:
    def completed(words: str, current: int) -> list[str]:
        variables = {"_DUELBOOK_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(current)}
        return piped([], **variables).stdout.split()

    assert completed("duelbook rep", 1) == ["replay"]
    assert completed("duelbook play c", 2) == ["crystal-capture", "charge"]
    assert completed("duelbook play charge --p2 gr", 4) == ["greedy"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["play", "chess"],
            "unknown game 'chess'; valid: alpha-chase, word-clash, crystal-capture, charge, flag-chase",
        ),
        (["rules", "chess"], "unknown game 'chess'; valid: "),
        (["play", "charge", "--p1", "deep"], "Unknown agent 'deep'. Agents: random, greedy, search:DEPTH, "),
        (["play", "charge", "--option", "name=x"], "unknown option 'name'; valid: goal, "),
        (["play", "charge", "--option", "goal=1", "--option", "goal=2"], "option goal is given twice"),
        (["play", "word-clash", "--option", f"dictionary={'x' * 300}"], "dictionary cannot be 'xxxx"),
        (["play", "charge", "--record", f"/{'x' * 300}"], "cannot save to '/xxxx"),
        (["play", "charge", "--record", "~nobody-here/x"], "'~nobody-here/x' cannot be a file: "),
        (["replay", f"/{'x' * 300}"], "/xxxx"),
        (["play", "charge", "--option", "goal"], "an option is given as KEY=VALUE, not 'goal'"),
        (["play", "charge", "--option", "goal=0"], "goal must be from 1 to 60, not 0"),
        (["play", "charge", "--option", "gaol=9"], "unknown option 'gaol'; valid: goal, "),
        (["play", "charge", "--first", "3"], "Invalid value for '--first'"),
        (["play", "charge", "--seed", "x"], "Invalid value for '--seed'"),
        (["play", "charge", "--seed", "-1"], "Invalid value for '--seed'"),
        (["play", "charge", "--record", "/no/where/x"], "cannot save to '/no/where/x': No such file or directory"),
        (["play", "--resume", "/no/where/x"], "/no/where/x: No such file or directory"),
        (["play", "\x1b[31m"], "unknown game '\ufffd[31m'"),
        (["replay", "/no/where/x"], "/no/where/x: No such file or directory"),
        (["replay"], "Missing argument 'FILE'"),
        (["solve", "chess"], "unknown game 'chess'"),
        (["solve", "charge", "--option", "goal=0"], "goal must be from 1 to 60, not 0"),
        (["solve", "crystal-capture", "--after", "8,8"], "move 2: '8' is not legal here; legal: 1, 2"),
        (["audit", "chess"], "unknown game 'chess'"),
        (["review", "/no/where/x"], "/no/where/x: No such file or directory"),
        (["puzzle", "chess"], "unknown game 'chess'"),
        (["puzzle", "flag-chase", "--level", "5"], "no puzzle of level 5 was found in this game"),
        (["puzzle", "--level", "6"], "Invalid value for '--level'"),
        (["puzzle", "charge", "--daily"], "--daily is the same for everybody"),
        (["paly"], "No such command 'paly'"),
        (["games", "--all"], "No such option: --all"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    done = piped(arguments)
    assert done.stderr.startswith(f"duelbook: {message}")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert done.returncode == 2


class TestReplay:
    def test_steps_forwards_and_back(self, record: Path) -> None:
        done = piped(["replay", str(record)], lines("", "next", "back", "last", "first", "3", "quit"))
        numbers = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Position ")]
        assert numbers == ["0", "1", "2", "1", "5", "0", "3"]
        assert done.stdout.startswith(
            "Crystal Capture: Red against Blue\n\nPosition 0 of 5\n\nAvailable Crystals: 1, 2"
        )
        assert (
            "Position 1 of 5: Blue played 8\n\nAvailable Crystals: 1, 2, 3, 4, 5, 6, 7, 9\nRed Points: 0\n"
            in done.stdout
        )
        assert "Blue has exactly 15 points and wins the game!" in done.stdout
        assert done.returncode == 0

    def test_bad_steps_get_a_sentence(self, record: Path) -> None:
        done = piped(["replay", str(record)], lines("back", "6", "sideways", "last", "next"))
        assert "This is the first position." in done.stdout
        assert "This is the last position." in done.stdout
        assert "the record has positions 0 to 5, not 6" in done.stdout
        assert "'sideways' is neither a number nor one of next, back, first, last, quit" in done.stdout
        assert done.returncode == 0

    def test_at_shows_one_position(self, record: Path) -> None:
        done = piped(["replay", str(record), "--at", "5"])
        assert done.stdout.startswith("Position 5 of 5: Blue played 1\n")
        assert piped(["replay", str(record), "--at", "6"]).returncode == 2
        assert piped(["replay", str(record), "--at", "-1"]).returncode == 2

    def test_a_broken_record_is_refused_in_one_line_with_the_place(self, record: Path) -> None:
        document = json.loads(record.read_text())
        document["moves"][2] = "9"
        record.write_text(json.dumps(document))
        done = piped(["replay", str(record)])
        assert done.stderr == f"duelbook: {record}: move 3: '9' is not legal here; legal: 1, 2, 3, 4, 5, 6\n"
        assert done.returncode == 2

    def test_a_refusal_is_one_short_line_whatever_the_record_holds(self, record: Path) -> None:
        document = json.loads(record.read_text())
        for moves in (["8\nduelbook: all is well"], ["x" * 100_000]):
            record.write_text(json.dumps(document | {"moves": moves}))
            said = piped(["replay", str(record)]).stderr
            assert said.count("\n") == 1
            assert len(said) < 300
        record.write_text(json.dumps(document | {"a\nb": 1}))
        assert piped(["replay", str(record)]).stderr.count("\n") == 1

    def test_moves_are_shown_by_the_names_that_the_game_gives_them(self, record: Path) -> None:
        document = json.loads(record.read_text())
        document["moves"][0] = "  8\n"
        record.write_text(json.dumps(document))
        assert "Blue played 8\n" in piped(["replay", str(record), "--at", "1"]).stdout

    def test_what_a_record_holds_cannot_steer_the_terminal(self, record: Path) -> None:
        document = json.loads(record.read_text())
        document["players"][0]["name"] = "\x1b]0;owned\x07"
        document["players"][1]["agent"] = "\x9b2J"
        record.write_text(json.dumps(document))
        done = piped(["replay", str(record), "--at", "0"])
        assert done.returncode == 0
        for arguments in (["replay", str(record)], ["replay", str(record), "--json"]):
            shown = piped(arguments).stdout
            assert not [character for character in shown if not character.isprintable() and character != "\n"]

    def test_at_a_terminal(self, record: Path) -> None:
        prompt = "Enter for the next position, or back, first, last, a number, quit: "
        screen, code = session(f"replay {record}", f"{prompt}«»\n{prompt}«last»\n{prompt}«^C»\n")
        assert "Position 5 of 5" in screen
        assert code == 130


def test_playing_loads_no_heavy_part() -> None:
    script = (
        "import sys; sys.argv = ['duelbook', 'play', 'charge']\n"
        "from duelbook.__main__ import run\n"
        "try: run()\n"
        f"finally: print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], input="", capture_output=True, text=True, check=False)
    assert "play a card: " in done.stdout
    assert done.stderr == "[]\n"


def test_an_interrupted_solve_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['numba'] = None\n"  # so that it takes long enough
        "sys.argv = ['duelbook', 'solve', 'charge', '--option', 'goal=16']\n"
        "import duelbook.cli, duelbook.study.position, duelbook.terminal.values\n"
        "print('ready', flush=True)\n"
        "from duelbook.__main__ import run; run()"
    )
    where = environment(XDG_CACHE_HOME=str(tmp_path))
    command = [sys.executable, "-c", script]
    running = subprocess.Popen(command, env=where, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert running.stdout
    assert running.stdout.readline() == "ready\n"
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    said, complaint = running.communicate(timeout=60)
    assert (said, complaint) == ("", "duelbook: Solving charge was interrupted; nothing was written\n")
    assert running.returncode == 2
    assert not list(tmp_path.rglob("*.*"))


def test_long_work_shows_a_bar_on_a_terminal_and_leaves_no_trace_of_it() -> None:
    screen, code = session("solve alpha-chase", "", TERM="xterm-256color")
    assert "Solving alpha-chase" in screen
    assert "Alpha Chase, from the start: the first player wins in 15 plies." in without_colour(screen)
    assert "Solving" not in piped(["solve", "alpha-chase"]).stdout
    assert code == 0


def test_a_fault_inside_is_one_line_and_no_traceback() -> None:
    script = (
        "import sys; sys.argv = ['duelbook', 'games']\n"
        "from duelbook import cli\n"
        "cli.playing.games_page = lambda screen: 1 / 0\n"
        "sys.exit(cli.main())"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.stderr == "duelbook: a fault in Duelbook, please report it (ZeroDivisionError: division by zero)\n"
    assert done.returncode == 70


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(closed: str) -> None:
    command = f"echo quit | {sys.executable} -m duelbook play charge {closed}"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == ""


def test_a_full_disk_is_said_in_one_line() -> None:
    command = f"{sys.executable} -m duelbook play charge >/dev/full"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.stderr == "duelbook: cannot go on: No space left on device\n"


def test_a_reader_that_goes_away_is_no_fault() -> None:
    command = f"{sys.executable} -m duelbook rules charge | true"
    done = subprocess.run(["sh", "-c", command], env=environment(), capture_output=True, text=True, check=False)
    assert done.stderr == ""
