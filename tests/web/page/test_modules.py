"""The page's modules pass the type checker, the formatter and the linter."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "command", [("tsc", "-p", "jsconfig.json"), ("biome", "ci", "--colors=off", "--error-on-warnings")]
)
def test_the_modules_pass_the_type_checker_and_the_linter(command: tuple[str, ...]) -> None:
    program = shutil.which(command[0], path=str(ROOT / ".venv/node/node_modules/.bin"))
    if program is None:
        pytest.skip(f"{command[0]} is not installed. Install npm, delete .venv and run make again.")
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_inserts_markup_or_evaluates_text() -> None:
    folder = ROOT / "src/duelbook"
    for file in [*folder.glob("web/page/*.js"), *folder.glob("games/*/board.js")]:
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in file.read_text(encoding="utf-8"), f"{word} in {file.name}"
