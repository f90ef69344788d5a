"""A match on the line: what is not a game's own, from the command line to the exit code."""

import pytest

from duelbook.agents import KINDS, AgentKind
from tests.play.test_saving import Unreachable
from tests.support.keyboard import lines, run, run_process


@pytest.mark.parametrize("limit", ["0", "nan", "inf", "1e18"])
def test_a_time_limit_is_a_positive_number(limit: str) -> None:
    done = run(["play", "charge", f"--time-limit={limit}"])
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_stray_bytes_do_not_stop_a_game_and_are_not_shown() -> None:
    done = run_process(["play", "charge"], b"\xff\xfe\x00\n\x1b[31m\ncharge 3\n")
    assert "Total charge: 3." in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_a_game_that_an_error_ends_has_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "unreachable", AgentKind(Unreachable, "is down"))
    done = run(["play", "charge", "--p2", "unreachable"], lines("charge 3"))
    assert "The game is kept. Resume it with: duelbook resume " in done.stdout
    assert (done.stderr, done.returncode) == ("duelbook: The endpoint does not answer.\n", 1)


def test_nothing_is_offered_after_a_match_through_a_pipe() -> None:
    assert "or Enter to leave: " not in run(["play", "flag-chase"], lines("2")).stdout
