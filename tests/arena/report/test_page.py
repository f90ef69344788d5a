"""The report pages: one file each without scripts, which fits wide and narrow screens."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, ViewportSize

from duelbook import IllegalMoveError
from duelbook.arena import plan_tournament
from duelbook.arena.report.markup import MAX_LABEL_CHARACTERS, percent, short_labels
from duelbook.arena.report.parts import _grouped, lengths_text
from duelbook.arena.tally import RunTally
from tests.arena.conftest import command, odd_agents, serial
from tests.support.browser import PHONE, WIDE, open_browser

GAMES = ("--games", "flag-chase,crystal-capture:goal=14")
HEADINGS = {
    "tournament": ["All games", "Forfeits", "Flag Chase", "Crystal Capture (goal=14)"],
    "evaluation": ["All games", "Forfeits", "Flag Chase", "Crystal Capture (goal=14)"],
    "comparison": [
        *("All games", "flag-chase", "crystal-capture:goal=14"),
        *("Against broken", "Against greedy", "Against illegal"),
    ],
}
TITLES = {
    "tournament": "Tournament of 4 agents",
    "evaluation": "Evaluation of random",
    "comparison": "Comparison of 2 runs",
}
PARTS = {"Seats, moves and time", "Matches lost by forfeit, by kind", "What happened"}  # of both kinds of runs


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each kind, with several games, options, forfeits and matches stopped at the ply limit."""
    folder = tmp_path_factory.mktemp("report")
    agents = ("--agents", "random,broken,greedy,illegal", "--pairs", "2", "--ply-limit", "5")
    serial(folder / "tournament", *GAMES, *agents)
    opponents = ("--agent", "random", "--opponents", "broken,greedy,illegal", "--pairs", "2")
    page = folder / "comparison.html"
    with odd_agents() as patch:
        assert command(patch, "eval", *GAMES, *opponents, "--out", folder / "evaluation") == 0
        assert command(patch, "compare", folder / "evaluation", folder / "tournament", "--out", page) == 0
    return {**{kind: folder / kind / "report.html" for kind in ("tournament", "evaluation")}, "comparison": page}


@pytest.fixture
def page(pages: dict[str, Path]) -> Path:
    return pages["tournament"]


@pytest.mark.parametrize("kind", TITLES)
def test_a_report_is_one_file_that_needs_no_other(pages: dict[str, Path], kind: str) -> None:
    content = pages[kind].read_text()
    tree = ElementTree.fromstring(content)
    tags = {element.tag for element in tree.iter()}
    assert {"svg", "table", "figure", "h1"} <= tags
    assert not tags & {"script", "link", "img", "iframe"}
    for element in tree.iter():
        for name, value in element.attrib.items():
            assert name not in ("src", "srcset", "data"), value
            assert name != "href" or value.startswith("#")
            assert "nan" not in value.lower().split(), (element.tag, name)
    assert not re.search(r"https?:|url\(|@import", content)
    links = {element.attrib["href"][1:] for element in tree.iter("a")}
    assert links == {element.attrib["id"] for element in tree.iter() if "id" in element.attrib}


@pytest.fixture(scope="module")
def browser_page(pages: dict[str, Path]) -> Iterator[Page]:
    with open_browser() as browser:
        yield browser.new_page(java_script_enabled=False)


@pytest.fixture
def shown(browser_page: Page, page: Path) -> Page:
    browser_page.goto(f"file://{page}")
    return browser_page


@pytest.mark.parametrize("kind", TITLES)
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_report_opens_in_a_browser_without_scripts_and_fits(
    browser_page: Page, pages: dict[str, Path], kind: str, size: ViewportSize
) -> None:
    browser_page.goto(f"file://{pages[kind]}")
    browser_page.set_viewport_size(size)
    assert browser_page.locator("h1").inner_text() == TITLES[kind]
    assert browser_page.locator("h2").all_inner_texts() == HEADINGS[kind]
    assert browser_page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert browser_page.locator("svg").count() >= 3 * 3
    for picture in browser_page.locator("svg").all():
        box = picture.bounding_box()
        assert box
        assert box["width"] > 250
        assert box["height"] > 50


@pytest.mark.parametrize("width", [360, 768])
def test_names_stay_on_one_line_in_a_narrow_window(shown: Page, width: int) -> None:
    shown.set_viewport_size({"width": width, "height": 740})
    names = shown.locator("table:not(.words) tbody th").all()
    assert {name.inner_text() for name in names} == {"random", "broken", "greedy", "illegal"}
    for name in names:
        box = name.bounding_box()
        assert box
        assert box["height"] < 40  # one line
        assert box["width"] <= max(144, 0.41 * width)
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")


ALIKE = {
    "process:./bots/alpha/player.sh": "proces…alpha/…",
    "process:./bots/beta/player.sh": "proces…beta/p…",
    "process:./bot with an option": "proces…option",
    "process:./bot with an option, and then the same option": "proces…, and …",
    "llm:red-makers/model-of-8-billions-instruct": "llm:re…8-bill…",
    "llm:red-makers/model-of-70-billions-instruct": "llm:re…70-bil…",
    "llm:blue-makers/model-of-8-billions-instruct": "llm:bl…8-bill…",
    "llm:blue-makers/model-of-70-billions-instruct": "llm:bl…70-bil…",
    "greedy": "greedy",
}
SIZES = {"llm:llama-3.1-8b-instruct": "…8b-instruct", "llm:llama-3.1-70b-instruct": "…70b-instruct"}
LEVELS = {f"process:cat --a-long-option --level {level}": f"proces…level {level}" for level in (1, 2)}


@pytest.mark.parametrize("labels", [ALIKE, SIZES, LEVELS])
def test_short_labels_of_long_names_show_the_difference(labels: dict[str, str]) -> None:
    assert short_labels([*labels]) == short_labels([*labels][::-1]) == labels


@given(st.lists(st.text("ab-", min_size=12), unique=True))
def test_labels_are_short_and_different(names: list[str]) -> None:
    labels = short_labels(names)
    assert {*labels} == {*names}
    assert len({*labels.values()}) == len(names)
    assert all(len(label) <= MAX_LABEL_CHARACTERS for label in labels.values())


def test_plots_and_the_cross_table_use_short_labels(tmp_path: Path) -> None:
    names = [f"process:cat ./bots/{bot}/player.sh" for bot in ("alpha", "beta")]
    agents = [word for name in names for word in ("--agents", name)]
    folder = serial(tmp_path / "out", "--games", "flag-chase", *agents, "--pairs", "1")
    tree = ElementTree.fromstring((folder / "report.html").read_text())
    labels = [element for element in tree.iter("text") if element.get("class") == "name"]
    assert {(element.findtext("title"), element[0].tail) for element in labels} == {*short_labels(names).items()}
    assert len(labels) == 2 * 5
    (cross, *_) = [table for table in tree.iter("table") if table.findtext("caption", "").startswith("Cross")]
    heads = [element.text for element in cross.iter("th") if element.text]
    assert heads[:2] == heads[2:]
    assert {*heads} == {*short_labels(names).values()}


def test_forfeits_are_one_row_whatever_was_legal_and_a_single_length_is_one_number() -> None:
    legal = (("charge 1", "block"), ("refresh",), ())
    losses = [
        {"agent": "a", "game": "charge", "kind": "illegal", "detail": str(IllegalMoveError("fly", moves))}
        for moves in legal
    ]
    (row, over) = _grouped(losses)
    assert row[3] == "2"
    assert "is not legal here.</td>" in row[4]
    assert "The game is over." in over[4]

    plan = plan_tournament("flag-chase", "random,greedy", pairs=1)
    tally = RunTally(plan, [])
    tally.lengths[0] += Counter([1, 1])
    assert lengths_text(tally, 0) == "Every match had 1 move."
    tally.lengths[0] += Counter([4])
    assert lengths_text(tally, 0) == "A match had 2.0 moves on average, from 1 to 4."


def test_a_share_is_0_or_100_percent_only_if_it_is() -> None:
    shares = (0, 0.0001, 0.02, 0.99987, 1 - 1e-16, 1)
    assert [*map(percent, shares)] == ["0.0 %", "<0.1 %", "2.0 %", ">99.9 %", "100.0 %", "100.0 %"]
    assert percent(None) == "–"
