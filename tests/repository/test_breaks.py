"""The table of planted breaks: each of them can still be planted, and the tests that should catch it are there."""

import ast
from dataclasses import replace

import pytest

from scripts.breaks import ROOT, BreakError, read_table

TABLE = read_table()


def test_every_break_changes_code_that_is_there() -> None:
    for one in TABLE:
        broken = one.source(ROOT)
        assert broken != (ROOT / one.file).read_text(encoding="utf-8"), one.name
        if one.file.endswith(".py"):
            ast.parse(broken)


def test_every_break_has_a_name_of_its_own_and_tests_that_are_there() -> None:
    assert len({one.name for one in TABLE}) == len(TABLE) >= 60
    for one in TABLE:
        assert one.tests, one.name
        for test in one.tests:
            file, _, function = test.partition("::")
            assert (ROOT / file).exists(), f"{one.name}: {test}"
            assert f"def {function}" in (ROOT / file).read_text(encoding="utf-8") if function else True, test


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({"text": "no such text"}, "its text occurs 0 times"),
        ({"text": "self"}, "its text occurs [1-9]"),
        ({"target": "src/duelbook/match.py:Match.redo"}, r"src/duelbook/match\.py has no Match\.redo"),
        ({"target": "src/duelbook/matches.py"}, r"there is no src/duelbook/matches\.py"),
    ],
)
def test_a_target_that_is_gone_is_named(change: dict[str, str], gone: str) -> None:
    undo = next(one for one in TABLE if one.target == "src/duelbook/match.py:Match.undo")
    with pytest.raises(BreakError, match=f"the target is gone: {gone}"):
        replace(undo, **change).source(ROOT)  # type: ignore[arg-type]
