"""A match while it is played: recording, passing, the time limit, leaving."""

import json
import shutil
import signal
from pathlib import Path

import pexpect
import pytest

from duelbook.agents import KINDS, AgentKind, StoppedError
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch
from duelbook.records import load_record
from tests.support.keyboard import Hesitant, lines, run, session, spawn


class TestRecording:
    def test_a_finished_game_says_how_to_review_it(self, tmp_path: Path) -> None:
        file = tmp_path / "my game.json"
        done = run(["play", "flag-chase", "--record", str(file), "--name1", "Red"], lines("2"))
        assert done.stdout.endswith(
            f"Red wins!\n\nReview this game with: duelbook review '{file}' (or step through it with duelbook replay)\n"
        )
        record = load_record(file)
        assert (record.moves, record.people[0].name) == (("2",), "Red")

    def test_every_move_is_saved_at_once(self, tmp_path: Path) -> None:
        """A kill loses nothing."""
        file = tmp_path / "game.json"
        child = spawn(f"play charge --record {file}")
        child.expect_exact("Player 1, play a card: ")
        child.sendline("charge 3")
        child.expect_exact("Player 2, play a card: ")
        child.kill(signal.SIGKILL)
        child.expect(pexpect.EOF)
        assert load_record(file).moves == ("charge 3",)

    @pytest.mark.parametrize(("key", "code"), [("quit", 0), ("^D", 0), ("^C", 130)])
    def test_leaving_saves_the_game_and_says_how_to_resume_it(self, tmp_path: Path, key: str, code: int) -> None:
        file = tmp_path / "game.json"
        script = f"Player 1, play a card: «charge 3»\nPlayer 2, play a card: «{key}»\n"
        screen, exit_code = session(f"play charge --record {file}", script)
        assert f"The game is saved. Resume it with:\nduelbook play --resume {file}\n" in screen
        assert exit_code == code
        assert load_record(file).moves == ("charge 3",)

    def test_a_game_that_could_not_be_saved_is_not_called_saved(self, tmp_path: Path) -> None:
        folder = tmp_path / "gone"
        folder.mkdir()
        child = spawn(f"play charge --record {folder / 'x'}")
        child.expect_exact("Player 1, play a card: ")
        shutil.rmtree(folder)
        child.sendline("charge 3")
        child.expect_exact("Cannot save to")
        child.expect_exact("Player 2, play a card: ")
        child.sendline("quit")
        child.expect(pexpect.EOF)
        assert "The game is saved" not in str(child.before)
        assert "The game is kept. Resume it with: duelbook resume " in str(child.before)

    def test_a_record_is_the_json_that_replay_prints(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        run(["play", "flag-chase", "--record", str(file)], lines("2"))
        assert json.loads(run(["replay", str(file), "--json"]).stdout) == json.loads(file.read_text())


def test_a_pass_is_played_and_announced_by_the_program(tmp_path: Path) -> None:
    """CC-1."""
    file = tmp_path / "game.json"
    arguments = ["play", "crystal-capture", "--first", "1", "--record", str(file)]
    done = run(arguments, lines("9", "1", "5", "2", "quit"))
    assert (
        "Available Crystals: 3, 4, 6, 7, 8\nPlayer 1 Points: 14\nPlayer 2 Points: 3\n\n"
        "Player 1 cannot capture any crystal without exceeding 15 and passes.\n\n"
        "------------------------\n" in done.stdout
    )
    assert load_record(file).moves == ("9", "1", "5", "2", "pass")


@pytest.mark.slow
class TestTimeLimit:
    """ALL-3."""

    def test_running_out_of_time_loses_the_game(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        screen, code = session(
            f"play charge --time-limit 0.5 --once --record {file}", "Player 1, play a card: «help»\n"
        )
        assert "Player 1 has run out of time.\n\nPlayer 2 wins!\n" in screen
        assert code == 0
        record = load_record(file)
        assert (record.reason, record.moves) == ("time", ())

    def test_the_clock_stops_while_the_other_player_is_asked_to_agree(self) -> None:
        """ALL-6."""
        typist = Hesitant(lines("charge 1", "undo", "no", "charge 2", "quit"), {"no": 3.3})
        done = run(["play", "charge", "--time-limit", "3"], typist)
        assert "Not taken back." in done.stdout
        assert "Total charge: 2." in done.stdout
        assert "out of time" not in done.stdout

    def test_the_clock_stops_while_a_turn_waits_for_enter(self) -> None:
        """ALL-6."""
        done = run(["play", "word-clash", "--time-limit", "3"], Hesitant(lines("E self 3", "", "F self 3"), {"": 3.3}))
        assert "You placed 'F' in position 3 on your board." in done.stdout
        assert "out of time" not in done.stdout

    def test_the_clock_runs_while_the_mover_thinks(self) -> None:
        done = run(["play", "charge", "--time-limit", "0.2"], Hesitant(lines("help", "charge 1"), {"charge 1": 1.0}))
        assert "Player 1 has run out of time." in done.stdout

    def test_the_clock_runs_while_a_player_is_asked_whether_they_resign(self) -> None:
        child = spawn("play charge --time-limit 1 --once")
        child.expect_exact("Player 1, play a card: ")
        child.sendline("resign")
        child.expect_exact("do you want to resign (y/n)? ")
        child.expect_exact("Player 1 has run out of time.")
        child.expect(pexpect.EOF)

    def test_a_turn_that_is_resumed_has_its_whole_time_again(self, tmp_path: Path) -> None:
        """ALL-6."""
        file = tmp_path / "game.json"
        run(["play", "charge", "--time-limit", "3", "--record", str(file)], Hesitant(lines("quit"), {"quit": 1.7}))
        done = run(["play", "--resume", str(file)], Hesitant(lines("charge 1", "quit"), {"charge 1": 1.7}))
        assert "Total charge: 1." in done.stdout
        assert "out of time" not in done.stdout

    def test_it_is_off_by_default(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        run(["play", "charge", "--record", str(file)])
        assert load_record(file).time_limit is None

    @pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "1e18", "soon"])
    def test_it_is_a_positive_number(self, limit: str) -> None:
        done = run(["play", "charge", f"--time-limit={limit}"])
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


class Unreachable(RandomAgent):
    """An agent whose endpoint is down."""

    def choose(self, match: ReadOnlyMatch) -> Move:
        raise StoppedError("The endpoint does not answer.")


def test_a_game_that_an_error_ends_is_kept_and_has_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "unreachable", AgentKind(Unreachable, "is down"))
    done = run(["play", "charge", "--p2", "unreachable"], lines("charge 3"))
    assert "The game is kept. Resume it with: duelbook resume " in done.stdout
    assert (done.stderr, done.returncode) == ("duelbook: The endpoint does not answer.\n", 1)
