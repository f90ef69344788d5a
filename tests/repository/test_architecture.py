"""ARCHITECTURE.md names every module, and nothing that does not exist."""

import ast
import re
from functools import cache
from pathlib import Path

from scripts import docs

PAGE = (docs.ROOT / "ARCHITECTURE.md").read_text()
STEPS = sorted(set(re.findall(r"`([\w/]+\.py)`\s`([\w.]+)`", PAGE)))
FILES = sorted(set(re.findall(r"`([\w/]+/[\w.-]+\.(?:py|js))`", PAGE)))


def listed(tree: str) -> set[str]:
    """Return the paths of the files in a tree of the page."""
    found, folders = set(), [""]
    for line in tree.splitlines()[2:-1]:
        depth = (len(line) - len(line.lstrip())) // 2
        name = line.split()[0]
        folders[depth:] = [f"{folders[depth - 1]}{name}"]
        if not name.endswith("/"):
            found.add(folders[depth])
    return found


def block(name: str) -> str:
    return next(match["text"] for match in docs.BLOCK.finditer(PAGE) if match["name"] == name)


def test_the_tree_holds_every_module_and_no_other() -> None:
    """Except the tests of the games."""
    modules = {file.relative_to(docs.SOURCE) for file in docs.SOURCE.rglob("*.py") if file.name != "__init__.py"}
    assert listed(block("modules")) == {file.as_posix() for file in modules if "tests" not in file.parts}


def test_the_tree_of_the_page_holds_every_module_and_no_other() -> None:
    assert listed(block("page-modules")) == {file.relative_to(docs.PAGE).as_posix() for file in docs.PAGE.rglob("*.js")}


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
