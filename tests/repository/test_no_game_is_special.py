"""No source, test or page treats a game differently because of its name.

A game may be an example in a sentence, a test or a benchmark. What belongs to it stands in its folder.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from scripts.game_pages import FOLDER, shipped_games

ROOT = Path(__file__).parents[2]
GAME_FOLDERS = [ROOT / "src/duelbook/games" / name.replace("-", "_") for name in shipped_games()]


def files(*suffixes: str) -> list[Path]:
    """Return the files of the repository that belong to no game."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found = [ROOT / name for name in filter(None, listed.split("\0"))]
    own = (*GAME_FOLDERS, FOLDER)
    return [
        file
        for file in found
        if file.suffix in suffixes and file.exists() and not any(file.is_relative_to(folder) for folder in own)
    ]


def names_in(node: ast.AST) -> list[str]:
    """Return the names of games among the values of a list, tuple, set or dict; in a row of a table, the first."""
    values: list[ast.expr | None] = []
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        values = [value.elts[0] if isinstance(value, ast.Tuple) and value.elts else value for value in node.elts]
    elif isinstance(node, ast.Dict):
        values = list(node.keys)
    return [value.value for value in values if isinstance(value, ast.Constant) and value.value in shipped_games()]


def special(source: str) -> Iterator[str]:
    """Return the code that lists all games, or compares a name with that of a game."""
    for node in ast.walk(ast.parse(source)):
        if set(names_in(node)) >= set(shipped_games()):
            yield ast.unparse(node)
        compared = node.comparators if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) else []
        if any(isinstance(value, ast.Constant) and value.value in shipped_games() for value in compared):
            yield ast.unparse(node)


def test_no_code_lists_all_games_or_treats_one_differently() -> None:
    for file in files(".py"):
        assert list(special(file.read_text())) == [], file


def test_the_package_and_the_page_name_no_game_outside_of_comments_and_examples() -> None:
    for file in files(".py"):
        if file.is_relative_to(ROOT / "src"):
            constants = [node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant)]
            assert not set(shipped_games()) & set(filter(lambda value: isinstance(value, str), constants)), file
    for file in files(".js", ".html", ".css"):
        if file.is_relative_to(ROOT / "src"):
            code = re.sub(r"//.*|/\*.*?\*/", "", file.read_text(), flags=re.DOTALL if file.suffix == ".css" else 0)
            assert not any(re.search(rf"[\"'`.]{name}\b", code) for name in shipped_games()), file


def test_a_module_of_a_game_is_imported_by_its_own_folder_and_by_tests_only() -> None:
    modules = "|".join(folder.name for folder in GAME_FOLDERS)
    for file in files(".py"):
        if file.is_relative_to(ROOT / "src") or file.is_relative_to(ROOT / "scripts"):
            assert not re.search(rf"(from|import) duelbook\.games\.({modules})\b", file.read_text()), file
