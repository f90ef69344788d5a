"""A package with a small game, Staircase, in whose files something is wrong."""

from pathlib import Path

from tests.support.toy import rules

NARRATION = """from duelbook.narration import Narration as General


class Narration(General):
    def ending_by_rules(self, state, moves):
        raise KeyError("boom")
"""


def write_package(folder: Path, name: str, replaced: tuple[str, str] = ("", ""), script: str = "", **files: str) -> str:
    """Write the package and return the name of its class. A text of its rules is replaced; `files` are modules.

    The script is its `board.js`.
    """
    package = folder / name
    package.mkdir()
    source = Path(rules.__file__).read_text()
    assert replaced[0] in source
    (package / "rules.py").write_text(source.replace(*replaced))
    if script:
        (package / "board.js").write_text(script)
    for module, text in files.items():
        (package / f"{module}.py").write_text(text)
    return f"{name}.rules:Staircase"
