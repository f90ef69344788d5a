"""The parts of the documents that code prints are up to date."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import duelbook
from benchmarks import levels, positions
from scripts import docs, game_pages, page_types

GENERATED = [page for page in docs.PAGES if docs.BLOCK.search(page.read_text())]
STALE = "The page is out of date. Run: make docs"


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.relative_to(docs.ROOT).as_posix())
def test_generated_parts_of_a_page_are_up_to_date(page: Path) -> None:
    assert docs.filled(page, leave=docs.SLOW_BLOCKS) == page.read_text(), STALE


def test_every_game_has_a_page_that_is_up_to_date_and_there_is_no_other() -> None:
    pages = {game_pages.page_file(name): game_pages.game_page(name) for name in game_pages.shipped_games()}
    assert {page: page.read_text() for page in game_pages.FOLDER.glob("*.md")} == pages, STALE


@pytest.mark.slow
@pytest.mark.parametrize(("game", "step"), [("crystal-capture", 2), ("flag-chase", 1)])  # all take some minutes
def test_the_table_of_levels_is_what_the_benchmark_measures(game: str, step: int) -> None:
    shown = re.search(rf"^\| {game} \| .*%.*$", (docs.ROOT / "docs/study.md").read_text(), re.MULTILINE)
    assert shown, STALE
    measured = levels.measure(duelbook.make(game), *levels.STEPS[step])
    assert shown.group().strip("| ").split(" | ")[1 + step] == str(measured), STALE


def test_the_table_of_the_position_benchmark_is_what_it_measures() -> None:
    page = (docs.ROOT / "docs/positions.md").read_text()
    column = positions.headings().index("Crystal Capture")  # all games take some minutes
    for row in positions.rows(["greedy", "mcts:20"], ["crystal-capture"]):
        shown = re.search(rf"^\| {row[0]} \|.*$", page, re.MULTILINE)
        assert shown, STALE
        assert shown.group().strip("| ").split(" | ")[column] == row[column], STALE


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


def test_a_game_that_is_too_large_to_be_solved_is_in_the_tables(
    use_games: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    use_games("tests.support.games.drop_four:DropFour")
    monkeypatch.setattr(docs, "shipped_games", lambda: ["drop-four", "flag-chase"])
    assert "| Drop Four | not known: too large to be solved |" in docs.winners()
    assert "Drop Four" not in docs.solutions()


def test_every_public_name_has_a_description() -> None:
    for module in (duelbook, *(import_module(f"duelbook.{name}") for name in docs.API_MODULES)):
        for name in docs.public_names(module):
            thing = getattr(module, name)
            assert name in docs.NOTES or (callable(thing) and docs.note_of(module, name)), f"{module.__name__}.{name}"
