"""Wrong usage of any command is one line that says what is wrong, exit code 2, and nothing is written."""

import shlex
import tomllib
from pathlib import Path

import pytest

from tests.support.keyboard import run

WRONG = tomllib.loads(Path(__file__).with_name("wrong_usage.toml").read_text())


@pytest.mark.parametrize("command", WRONG)
def test_wrong_usage_is_one_line_and_exit_code_2(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(shlex.split(command.format(long="x" * 300)))
    assert done.stderr.startswith("duelbook: ")
    assert WRONG[command] in done.stderr
    assert (done.stderr.count("\n"), done.stdout, done.returncode) == (1, "", 2)
    assert list(tmp_path.iterdir()) == []
