"""The notebooks run, and show what is stored in them. `python -m scripts.notebooks` runs and stores them again."""

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_shows_what_is_stored(file: Path, tmp_path: Path) -> None:
    for package, extra in (("nbclient", "dev"), ("pandas", "notebook"), ("numpy", "arena"), ("httpx", "llm")):
        pytest.importorskip(package, reason=f"{package} is not installed (extra {extra})")
    import nbformat

    from scripts.notebooks import run_notebook

    stored = shown(nbformat.read(file, as_version=4))
    assert shown(run_notebook(file, tmp_path)) == stored
    if any(tmp_path.iterdir()):  # it writes files, which do not hinder it when it is run again
        assert shown(run_notebook(file, tmp_path)) == stored


def shown(notebook: Any) -> list[list[Any]]:
    return [[output.get("data") or output["text"] for output in cell.get("outputs", ())] for cell in notebook.cells]
