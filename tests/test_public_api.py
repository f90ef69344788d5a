"""The public API: the names that users need, quick to import."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import duelbook

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
NOTEBOOKS = sorted((ROOT / "examples").rglob("*.ipynb"))
HEAVY = ("numpy", "numba", "rich", "typer", "msgspec", "starlette", "fastapi", "ray")
DEEP_IMPORT = re.compile(r"\b(?:from|import) duelbook\.\w+\.\w+")


def test_the_public_names_are_few_and_in_order() -> None:
    assert 25 <= len(duelbook.__all__) <= 30
    assert len({*duelbook.__all__}) == len(duelbook.__all__)
    assert {*duelbook.__all__} <= {*dir(duelbook)}
    with pytest.raises(AttributeError, match="has no attribute 'chess'"):
        duelbook.chess  # type: ignore[attr-defined] # noqa: B018


def test_importing_duelbook_loads_nothing_heavy() -> None:
    script = "import json, sys, duelbook; duelbook.make('charge'); print(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {*HEAVY, "importlib.metadata"} & {*json.loads(done.stdout)}


@pytest.mark.parametrize("file", [*PAGES, *EXAMPLES, *NOTEBOOKS], ids=lambda file: str(file.relative_to(ROOT)))
def test_documents_and_examples_import_from_nothing_deeper_than_one_module(file: Path) -> None:
    assert DEEP_IMPORT.findall(file.read_text()) == []
