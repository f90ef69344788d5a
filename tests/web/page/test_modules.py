"""The page's modules: their logic is tested by Node, and none of them makes markup of text."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NODE_SECONDS = 120


def test_the_logic_of_the_page_passes_its_tests_in_node() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed. Install Node 20.19 or newer.")
    files = sorted(Path(__file__).parent.glob("*.test.js"))
    assert files
    done = subprocess.run([node, "--test", *files], capture_output=True, text=True, timeout=NODE_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("program", ["tsc", "biome"])
def test_make_lint_has_the_type_checker_and_the_linter_of_the_page(program: str) -> None:
    if shutil.which(program, path=str(ROOT / ".venv/node/node_modules/.bin")) is None:
        pytest.skip(f"{program} is not installed, so make lint leaves it out. Install npm and set up again.")


def test_no_module_inserts_markup_or_evaluates_text() -> None:
    folder = ROOT / "src/duelbook"
    for file in [*folder.glob("web/page/*.js"), *folder.glob("games/*/board.js")]:
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in file.read_text(encoding="utf-8"), f"{word} in {file.name}"
