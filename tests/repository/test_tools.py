"""The commands of a developer: make, and the hooks of pre-commit."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
PARTS = {"lint", "types", "fast-tests", "all-tests"}  # of check and test; not for typing


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_help_lists_every_target() -> None:
    targets = set(re.findall(r"^([a-z-]+):(?!=)", MAKEFILE, re.MULTILINE)) - PARTS
    shown = run("make", "help").stdout
    assert set(re.findall(r"^  make ([a-z-]+)  ", shown, re.MULTILINE)) == targets
    assert targets >= {"play", "serve", "check", "test", "format", "docs", "site", "help"}


@pytest.mark.parametrize(
    ("target", "tests"), [("check", '--hypothesis-profile quick -m "not slow"'), ("test", "pytest --numprocesses")]
)
def test_check_and_test_make_every_quick_check_and_only_check_leaves_tests_out(target: str, tests: str) -> None:
    planned = run("make", "--dry-run", target).stdout
    for part in ("ruff check", "ruff format --check", "mypy", "lint-imports", tests):
        assert part in planned
    assert ("not slow" in planned) == (target == "check")


@pytest.mark.parametrize(("source", "code"), [("x = 1\n", 0), ("import os\n", 1)])
def test_a_commit_with_a_fault_is_stopped(tmp_path: Path, source: str, code: int) -> None:
    pytest.importorskip("pre_commit", reason="pre-commit is not installed (extra dev)")
    shutil.copy(ROOT / ".pre-commit-config.yaml", tmp_path)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "module.py").write_text(source)
    assert run("git", "init", "--quiet", cwd=tmp_path).returncode == 0
    run("git", "add", "module.py", ".pre-commit-config.yaml", cwd=tmp_path)
    done = run(sys.executable, "-m", "pre_commit", "run", "lint", "--files", "module.py", cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
