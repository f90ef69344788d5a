"""CI counts a skipped test as a failure."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPED = "import pytest\n\ndef test_skipped() -> None:\n    pytest.skip('no such part here')\n"


@pytest.mark.slow
@pytest.mark.parametrize(("forbidden", "code"), [("", 0), ("1", 1)])
def test_a_skip_fails_the_run_only_where_it_is_forbidden(tmp_path: Path, forbidden: str, code: int) -> None:
    shutil.copy(Path(__file__).parents[2] / "conftest.py", tmp_path)
    (tmp_path / "test_one.py").write_text(SKIPPED)
    command = [sys.executable, "-m", "pytest", "-q", str(tmp_path)]
    environment = {"DUELBOOK_FORBID_SKIPS": forbidden, "PATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert ("skipped, which is forbidden here: test_one.py::test_skipped" in done.stdout) == bool(forbidden)
