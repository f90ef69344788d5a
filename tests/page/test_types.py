"""The page's modules are typed by their comments, and checked like everything else."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_modules_pass_the_type_checker() -> None:
    checker = shutil.which("tsc", path=str(ROOT / ".venv/node/node_modules/.bin")) or shutil.which("tsc")
    if checker is None:
        pytest.skip("TypeScript is not installed (npm was not there when .venv was made)")
    done = subprocess.run([checker, "-p", ROOT / "jsconfig.json"], capture_output=True, text=True, check=False)
    assert done.stdout == ""


def test_no_module_writes_markup() -> None:
    folder = ROOT / "src/duelbook"
    for file in [*folder.glob("web/page/*.js"), *folder.glob("games/*/board.js")]:
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in file.read_text(encoding="utf-8"), f"{word} in {file.name}"
