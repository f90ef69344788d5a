"""The parts of the documents that code prints are up to date."""

from importlib import import_module
from pathlib import Path

import pytest

import duelbook
from scripts import docs, page_types

GENERATED = [page for page in docs.PAGES if docs.BLOCK.search(page.read_text())]
STALE = "The page is out of date. Run: make docs"


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.relative_to(docs.ROOT).as_posix())
def test_generated_parts_of_a_page_are_up_to_date(page: Path) -> None:
    assert docs.filled(page, leave=docs.SLOW_BLOCKS) == page.read_text(), STALE


@pytest.mark.slow
def test_slow_parts_are_up_to_date() -> None:
    page = docs.ROOT / "docs/study.md"
    assert docs.filled(page) == page.read_text(), STALE


def test_the_types_of_the_page_are_up_to_date() -> None:
    assert page_types.generate() == page_types.FILE.read_text(), STALE


def test_every_generated_part_is_on_some_page() -> None:
    used = {match["name"] for page in GENERATED for match in docs.BLOCK.finditer(page.read_text())}
    assert used == set(docs.BLOCKS)


def test_a_page_that_was_edited_by_hand_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n<!-- generated: games -->\n| edited |\n<!-- end -->\n")
    assert docs.filled(page) != page.read_text()
    page.write_text(docs.filled(page))
    assert docs.filled(page) == page.read_text()


def test_every_public_name_has_a_description() -> None:
    for module in (duelbook, *(import_module(f"duelbook.{name}") for name in docs.API_MODULES)):
        for name in docs.public_names(module):
            thing = getattr(module, name)
            assert name in docs.NOTES or (callable(thing) and docs.note_of(module, name)), f"{module.__name__}.{name}"
