"""Every module says what it is, and ARCHITECTURE.md names nothing that does not exist."""

import ast
import re
from functools import cache
from pathlib import Path

from scripts import docs

PAGE = (docs.ROOT / "ARCHITECTURE.md").read_text()
STEPS = sorted(set(re.findall(r"`([\w/]+\.py)`\s`([\w.]+)`", PAGE)))
FILES = sorted(set(re.findall(r"`([\w/]+/[\w.-]+\.(?:py|js))`", PAGE)))


def test_every_module_and_every_folder_says_what_it_is() -> None:
    for file in docs.SOURCE.rglob("*.py"):
        in_game_folder = file.name == "__init__.py" and file.is_relative_to(docs.SOURCE / "games")
        assert docs.summary_of(file) or in_game_folder, file
    for file in docs.PAGE.rglob("*.js"):
        assert docs.comment_of(file), file


def test_every_step_of_a_flow_exists() -> None:
    assert [step for step in STEPS if step[1] not in defined(docs.SOURCE / step[0])] == []


@cache
def defined(file: Path) -> set[str]:
    """Return the functions, classes and methods of a module; a method as `Class.method`."""
    names = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            inner = (part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))
            names |= {f"{node.name}.{part.name}" for part in inner}
    return names


def test_every_file_that_the_page_names_exists() -> None:
    assert [file for file in FILES if not any((root / file).exists() for root in (docs.SOURCE, docs.ROOT))] == []
