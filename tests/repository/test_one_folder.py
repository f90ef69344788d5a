"""A new game is one folder: the lists, the pages, the audit and the tests find it, and nothing else is edited."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.game_pages import HEADINGS

ROOT = Path(__file__).parents[2]
PARTS = ("src", "docs", "scripts", "benchmarks", "tests", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
NEEDED = (*PARTS, "pyproject.toml", "conftest.py", "LICENSE", "CHANGELOG.md")
TOY = "tests/support/games/last_stone.py"
RULING = """# Rulings of Last Stone

## LS-1: Who wins if the pile is empty?

- The book: does not say.
- Ruling: The player who emptied it.
- Test: `games/test_perft.py::test_the_number_of_move_sequences_is_that_of_the_file`
"""
CATALOGUE = "from duelbook.web.http.catalogue import catalogue; print([game.name for game in catalogue({}).games])"

pytestmark = pytest.mark.slow


class Copy:
    """A copy of the repository with one more game."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in NEEDED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
            else:
                shutil.copy(source, root)
        self.before = dict(self.contents())
        self.folder = root / "src/duelbook/games/last_stone"
        self.folder.mkdir()
        (self.folder / "__init__.py").touch()
        shutil.copy(ROOT / TOY, self.folder / "rules.py")
        (self.folder / "rulings.md").write_text(RULING)

    def contents(self) -> Iterator[tuple[str, bytes]]:
        for file in self.root.rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(self.root).as_posix(), file.read_bytes()

    def run(self, *arguments: str) -> str:
        environment = os.environ | {"PYTHONPATH": f"{self.root / 'src'}{os.pathsep}{self.root}"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def read(self, name: str) -> str:
        return (self.root / name).read_text()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    copy = Copy(tmp_path_factory.mktemp("copy"))
    copy.run("-m", "tests.support.regenerate", "last-stone")
    copy.run("-m", "scripts.docs", "--quick")
    return copy


def test_make_docs_adds_it_to_every_page(copy: Copy) -> None:
    page = copy.read("docs/games/last-stone.md")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == list(HEADINGS)
    assert "| [Last Stone](docs/games/last-stone.md) | take stones from one pile in turn; " in copy.read("README.md")
    assert "\n### LS-1: Who wins if the pile is empty?\n" in copy.read("docs/rulings.md")
    assert "| Last Stone | `stones` | 1 | 99 |" in copy.read("docs/rulings.md")
    assert "\n| Last Stone | second player | 3 | none |" in copy.read("docs/study.md")
    assert "\n| Last Stone | loss | 6 | 0 of 3 | " in copy.read("docs/research.md")
    assert "last_stone/" in copy.read("ARCHITECTURE.md")


def test_nothing_is_edited_but_what_is_generated(copy: Copy) -> None:
    changed = {name for name, content in copy.contents() if copy.before.get(name) != content}
    own = {name for name in changed if name.startswith("src/duelbook/games/last_stone/")}
    assert {name.rpartition("last_stone/")[2] for name in own} >= {"tests/golden/book.txt", "tests/perft/book.txt"}
    pages = {"README.md", "ARCHITECTURE.md", "docs/rulings.md", "docs/study.md", "docs/research.md"}
    assert changed - own == pages | {"docs/games/last-stone.md"}


def test_commands_the_list_of_the_page_and_the_audit_have_it(copy: Copy) -> None:
    assert "last-stone" in copy.run("-m", "duelbook", "games")
    assert "last-stone" in copy.run("-c", CATALOGUE)
    assert "\n## Last Stone\n" in copy.run("-m", "duelbook", "audit", "last-stone")


def test_the_tests_of_all_games_try_it_and_pass(copy: Copy) -> None:
    files = "tests/games tests/play/test_commands.py tests/repository/test_rulings.py"
    options = "-vv -m 'not slow' -k 'last-stone or rulings' --hypothesis-profile quick -p no:cacheprovider"
    shown = copy.run("-m", "pytest", *shlex.split(f"{files} {options}"))
    assert shown.count("[last-stone") >= 5
    assert "test_rulings.py::test_every_ruling_has_a_book_a_ruling_and_tests_that_exist PASSED" in shown
