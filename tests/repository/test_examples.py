"""The examples run, and they are short."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
MAX_LINES = {"unbreakable": 90}  # it starts, kills and watches a server


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_is_short(example: Path) -> None:
    text = example.read_text()
    if "duelbook.compiled" in text or "import vector" in text:
        pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    if "duelbook.envs" in text:
        pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra envs)")
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout
    assert len(text.splitlines()) <= MAX_LINES.get(example.stem, 30)
