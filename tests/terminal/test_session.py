"""A match while it is played: recording, and what ends it early."""

import json
import shutil
from pathlib import Path

import pytest

from duelbook.agents import KINDS, AgentKind, StoppedError
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch
from tests.support.keyboard import at_terminal, lines, run


class TestRecording:
    def test_a_game_that_could_not_be_saved_is_not_called_saved(self, tmp_path: Path) -> None:
        folder = tmp_path / "gone"
        folder.mkdir()
        gone = {"charge 3": lambda: shutil.rmtree(folder)}
        screen, _ = at_terminal(f"play charge --record {folder / 'x'}", "charge 3", "quit", before=gone)
        assert "Cannot save to" in screen
        assert "The game is saved" not in screen
        assert "The game is kept. Resume it with: duelbook resume " in screen

    def test_a_record_is_the_json_that_replay_prints(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        run(["play", "flag-chase", "--record", str(file)], lines("2"))
        assert json.loads(run(["replay", str(file), "--json"]).stdout) == json.loads(file.read_text())


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "1e18", "soon"])
def test_a_time_limit_is_a_positive_number(limit: str) -> None:
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
