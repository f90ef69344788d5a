"""A package with a small game, Staircase, in whose files something is wrong."""

from pathlib import Path

from tests.support.toy import rules

NARRATION = """from duelbook.narration import Narration as General


class Narration(General):
    def ending_by_rules(self, state, moves):
        raise KeyError("boom")
"""


def write_package(folder: Path, name: str, replaced: tuple[str, str] = ("", ""), board: str = "", **files: str) -> str:
    """Write the package and return the name of its class. A text of its rules is replaced; `files` are modules."""
    package = folder / name
    package.mkdir()
    source = Path(rules.__file__).read_text()
    assert replaced[0] in source
    (package / "rules.py").write_text(source.replace(*replaced))
    if board:
        (package / "board.js").write_text(board)
    for module, text in files.items():
        (package / f"{module}.py").write_text(text)
    return f"{name}.rules:Staircase"
