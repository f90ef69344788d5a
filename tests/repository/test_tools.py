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


def test_check_runs_all_quick_parts_and_the_fast_tests() -> None:
    planned = run("make", "--dry-run", "check").stdout
    for part in (
        "ruff check",
        "ruff format --check",
        "mypy",
        "lint-imports",
        '--hypothesis-profile quick -m "not slow"',
    ):
        assert part in planned


def test_test_leaves_nothing_out() -> None:
    planned = run("make", "--dry-run", "test").stdout
    for part in ("ruff check", "ruff format --check", "mypy", "lint-imports", "pytest --numprocesses"):
        assert part in planned
    assert "not slow" not in planned
    assert (ROOT / ".ci/run").read_text().rstrip().endswith("DUELBOOK_FORBID_SKIPS=1 make test")


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
