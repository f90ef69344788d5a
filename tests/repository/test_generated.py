"""The parts of the documents that code prints are up to date."""

import re
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

import duelbook
from benchmarks import levels, positions
from duelbook.agents.levels import RATINGS
from scripts import docs, game_pages, page_types
from scripts.api_tables import API_MODULES, NOTES, note_of, public_names

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


def test_the_ratings_of_the_levels_are_those_of_the_table() -> None:
    mean = re.search(r"^\| mean rating step \| (.*) \|$", (docs.ROOT / "docs/study.md").read_text(), re.MULTILINE)
    assert mean, STALE
    steps = [higher - lower for lower, higher in pairwise(RATINGS.values())]
    assert steps == [int(step) for step in mean.group(1).split(" | ")], "Write the steps to duelbook.agents.levels"
    assert RATINGS["medium"] == 1500


@pytest.mark.slow
def test_the_tables_of_the_position_benchmark_are_what_it_measures() -> None:
    page = (docs.ROOT / "docs/positions.md").read_text()
    tables = re.findall(r"(?:^\|.*\n)+", page.split("<!-- generated: position-agents -->")[1], re.MULTILINE)[:2]
    agents = ["greedy", "mcts:20", "alphazero"]
    measured = column(positions.score_table(positions.ask(agents, ["crystal-capture"]), ["crystal-capture"]))
    assert [*measured] == agents  # one game, as all games take some minutes
    everywhere, learned = map(column, tables)
    assert {agent: learned[agent] for agent in agents} == measured, STALE
    assert {agent: everywhere[agent] for agent in agents[:2]} == {agent: measured[agent] for agent in agents[:2]}, STALE
    assert "alphazero" not in everywhere  # which has not learned all games


def column(table: str, heading: str = "Crystal Capture") -> dict[str, str]:
    head, _, *rows = (line.strip("| ").split(" | ") for line in table.splitlines())
    return {row[0].strip("`"): row[head.index(heading)] for row in rows}


def test_the_types_of_the_page_are_up_to_date() -> None:
    assert page_types.generate() == page_types.FILE.read_text(), STALE


def test_a_game_that_is_too_large_to_be_solved_is_in_the_tables(
    use_games: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    use_games("tests.support.games.drop_four:DropFour")
    monkeypatch.setattr(docs, "shipped_games", lambda: ["drop-four", "flag-chase"])
    assert "| Drop Four | not known: too large to be solved |" in docs.winners()
    assert "Drop Four" not in docs.solutions()


def test_every_public_name_has_a_description() -> None:
    for module in (duelbook, *(import_module(f"duelbook.{name}") for name in API_MODULES)):
        for name in public_names(module):
            thing = getattr(module, name)
            assert name in NOTES or (callable(thing) and note_of(module, name)), f"{module.__name__}.{name}"
