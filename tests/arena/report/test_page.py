"""The report page: one file without scripts, readable in light and dark, on wide and narrow screens."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, ViewportSize

from duelbook.arena.report.markup import MAX_LABEL_CHARACTERS, short_labels
from tests.arena.conftest import serial
from tests.support.browser import PHONE, WIDE, open_browser


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with several games, options, forfeits and matches stopped at the ply limit."""
    agents = "random,broken,greedy,illegal"
    games = ("--games", "flag-chase,crystal-capture:goal=14", "--agents", agents, "--pairs", "2", "--ply-limit", "5")
    return serial(tmp_path_factory.mktemp("report") / "out", *games) / "report.html"


def test_the_report_is_one_file_that_needs_no_other(page: Path) -> None:
    tree = ElementTree.fromstring(page.read_text())
    tags = {element.tag for element in tree.iter()}
    assert {"svg", "table", "figure", "h1"} <= tags
    assert not tags & {"script", "link", "img", "iframe"}
    for element in tree.iter():
        for name, value in element.attrib.items():
            assert name not in ("src", "srcset", "data"), value
            assert name != "href" or value.startswith("#")
            assert "nan" not in value.lower().split(), (element.tag, name)
    assert not re.search(r"https?:|url\(|@import", page.read_text())
    links = {element.attrib["href"][1:] for element in tree.iter("a")}
    assert links == {element.attrib["id"] for element in tree.iter() if "id" in element.attrib}


@pytest.fixture(scope="module")
def shown(page: Path) -> Iterator[Page]:
    """The report in a browser that runs no scripts."""
    with open_browser() as browser:
        shown = browser.new_page(java_script_enabled=False)
        shown.goto(f"file://{page}")
        yield shown


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_opens_in_a_browser_without_scripts_and_fits(
    shown: Page, scheme: Literal["light", "dark"], size: ViewportSize
) -> None:
    shown.emulate_media(color_scheme=scheme)
    shown.set_viewport_size(size)
    assert shown.locator("h1").inner_text() == "Tournament of 4 agents"
    headings = ["All games", "Forfeits", "Flag Chase", "Crystal Capture (goal=14)"]
    assert shown.locator("h2").all_inner_texts() == headings
    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown.locator("svg").count() == 3 * 3
    for picture in shown.locator("svg").all():
        box = picture.bounding_box()
        assert box
        assert box["width"] > 250
        assert box["height"] > 60


@pytest.mark.parametrize("width", [360, 500, 768, 1200])
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
