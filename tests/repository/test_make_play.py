"""`make play` at a terminal: leaving a game, also with Ctrl-C, is no failure."""

import shutil
import sys
from pathlib import Path

import pexpect
import pytest

from tests.support.keyboard import environment

ROOT = Path(__file__).parents[2]


@pytest.fixture
def game(tmp_path: Path) -> "pexpect.spawn[str]":
    """Return `make play` at a pseudo-terminal, with the Python of the tests."""
    (tmp_path / "scripts").mkdir()
    for name in ("Makefile", "scripts/play"):
        shutil.copy(ROOT / name, tmp_path / name)
    setup = tmp_path / "scripts" / "setup"
    setup.write_text("#!/bin/sh\n")
    setup.chmod(0o755)
    variables = environment(XDG_DATA_HOME=str(tmp_path), PYTHONPATH=str(ROOT / "src"))
    child: pexpect.spawn[str] = pexpect.spawn(
        "make", ["play", f"python={sys.executable}"], cwd=str(tmp_path), env=variables, encoding="utf-8", timeout=60
    )
    child.delaybeforesend = None
    return child


def end_of(child: "pexpect.spawn[str]") -> tuple[str, int | None]:
    child.expect(pexpect.EOF)
    child.close()
    return str(child.before), child.exitstatus


def test_ctrl_c_at_the_menu_is_no_failure(game: "pexpect.spawn[str]") -> None:
    game.expect_exact("Choose a game (1-5)? ")
    game.sendintr()
    rest, code = end_of(game)
    assert code == 0
    assert "make: ***" not in rest


def test_ctrl_z_changes_nothing(game: "pexpect.spawn[str]") -> None:
    game.expect_exact("Choose a game (1-5)? ")
    game.send("\x1a")
    game.sendline("quit")
    rest, code = end_of(game)
    assert code == 0
    assert "Stopped" not in rest
