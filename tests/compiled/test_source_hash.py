"""The hash of a game's rules: it follows the code, not the comments."""

import importlib.util
import sys
from pathlib import Path

import pytest

from duelbook.compiled.source_hash import code_text, source_hash
from duelbook.game import AnyGame

RULES = '''"""A game."""

STEPS = 7  # to the top


class Stairs:
    """The rules."""

    def initial(self):
        return 0

    def mover(self, state):
        return state % 2

    def legal_moves(self, state):
        """Return the moves."""
        return steps(state)

    def play(self, state, move):
        return state + move + 1

    def outcome(self, state):
        return state >= STEPS


def steps(state):
    yield 0
'''


def rules(folder: Path, text: str) -> type[AnyGame]:
    name = f"stairs{len(list(folder.iterdir()))}"
    (folder / f"{name}.py").write_text(text)
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec
    assert spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: type[AnyGame] = module.Stairs
    return found


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ('"""The rules."""', '"""The rules in other words."""', False),
        ('        """Return the moves."""\n', "", False),
        ('"""A game."""', "# no docstring", False),
        ("# to the top", "# in all", False),
        ("return state + move + 1", "return (\n            state + move + 1\n        )", False),
        ("STEPS = 7", "STEPS = 8", True),
        ("state + move + 1", "state + move + 2", True),
        ("state + move", "state - move", True),
        (">= STEPS", "> STEPS", True),
        ("yield 0", "yield 1", True),
        ("yield 0", "yield 0.0", True),
        ("return 0", "return None", True),
    ],
)
def test_a_rule_or_constant_changes_the_hash_and_a_docstring_a_comment_or_the_layout_does_not(
    tmp_path: Path, old: str, new: str, changes: bool
) -> None:
    assert old in RULES
    before = source_hash(rules(tmp_path, RULES))
    assert (source_hash(rules(tmp_path, RULES.replace(old, new))) != before) == changes


def test_a_constant_that_another_module_computes_is_part_of_the_hash(tmp_path: Path) -> None:
    before = rules(tmp_path, RULES)
    known = source_hash(before)
    before.outcome.__globals__["STEPS"] = 9
    assert source_hash(before) != known


def test_a_text_that_is_not_a_docstring_is_code() -> None:
    assert code_text(b"x = 'a'") != code_text(b"x = 'b'")
    assert code_text(b"'a'\n'b'") != code_text(b"'a'\n'c'")  # only the first text of a module is its docstring


def test_every_version_of_python_gives_the_same_text() -> None:
    """The text names only what Python 3.11 knows: later versions add fields that are empty in such code."""
    assert code_text(b"def f(x: int = 1) -> int:\n    return f'{x!r:>{x}}' + 'a' 'b'") == (
        "Module(body=[FunctionDef(name='f' args=arguments(args=[arg(arg='x' annotation=Name(id='int'))] defaults=[1]) "
        "body=[Return(value=BinOp(left=JoinedStr(values=[FormattedValue(value=Name(id='x') conversion=114 "
        "format_spec=JoinedStr(values=['>' FormattedValue(value=Name(id='x') conversion=-1)]))]) op=Add() right='ab'))]"
        " returns=Name(id='int'))])"
    )
