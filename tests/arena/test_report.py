"""The report page: whole in itself, and readable in light and dark, wide and narrow, without scripts."""

import re
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import pytest

from tests.arena.conftest import serial
from tests.page.browser import PHONE, WIDE, opened


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with everything in it: several games, options, forfeits, matches that are stopped."""
    agents = "random,broken,greedy,illegal"
    games = ("--games", "flag-chase,crystal-capture:goal=14", "--agents", agents, "--pairs", "2", "--ply-limit", "5")
    return serial(tmp_path_factory.mktemp("report") / "out", *games) / "report.html"


def test_the_report_is_one_whole_file(page: Path) -> None:
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_opens_in_a_browser_without_scripts_and_fits(page: Path, scheme: Literal["light", "dark"]) -> None:
    with opened() as browser:
        for size in (WIDE, PHONE):
            context = browser.new_context(viewport=size, color_scheme=scheme, java_script_enabled=False)
            shown = context.new_page()
            shown.goto(f"file://{page}")
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
            context.close()


def test_programs_that_differ_in_what_they_are_given_can_be_told_apart(tmp_path: Path) -> None:
    names = [f"process:cat --a-long-option --another-long-option --level {level}" for level in (1, 2)]
    agents = [word for name in names for word in ("--agents", name)]
    folder = serial(tmp_path / "out", "--games", "flag-chase", *agents, "--pairs", "1")
    tree = ElementTree.fromstring((folder / "report.html").read_text())
    labels = [element for element in tree.iter("text") if element.get("class") == "name"]
    assert {element.findtext("title") for element in labels} == {*names}
    assert {element[0].tail for element in labels} == {"proces…level 1", "proces…level 2"}
