"""The table of planted breaks: each of them can still be planted, and the tests that should catch it are there."""

import ast

from scripts.breaks import ROOT, read_table

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
