"""The public API: the names that users need, quick to import."""

import ast
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import duelbook
from duelbook.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
NOTEBOOKS = sorted((ROOT / "examples").rglob("*.ipynb"))
HEAVY = ("numpy", "numba", "rich", "typer", "msgspec", "starlette", "fastapi", "ray")
PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE_IMPORT = re.compile(r"`((?:import|from) duelbook[^`]*)`")


@pytest.mark.parametrize("name", duelbook.__all__)
def test_every_public_name_resolves_and_is_explained(name: str) -> None:
    try:
        thing = getattr(duelbook, name)
    except MissingExtraError as error:
        pytest.skip(str(error))
    explained = vars(thing).get("__doc__") if inspect.isclass(thing) else inspect.getdoc(thing)
    assert explained


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
    assert [module for code in code_of(file) for module in imported(code) if module.count(".") > 1] == []


def code_of(file: Path) -> Iterator[str]:
    """Return the pieces of Python code in an example, a notebook or a page."""
    text = file.read_text()
    if file.suffix == ".py":
        yield text
    elif file.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        yield from ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    else:
        for block in PYTHON_BLOCK.findall(text):
            lines = [line[4:] for line in block.splitlines() if line.startswith((">>> ", "... "))]
            whole = f"class Part:\n{block}" if block.startswith(" ") else block
            yield "\n".join(lines) if lines else whole
        yield from INLINE_IMPORT.findall(text)


def imported(code: str) -> Iterator[str]:
    """Return the modules of Duelbook that the code imports."""
    for node in ast.walk(ast.parse(re.sub(r"^[%!].*", "", code, flags=re.MULTILINE))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        yield from (name for name in names if name.partition(".")[0] == "duelbook")
