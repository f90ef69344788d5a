"""The documentation site builds without a warning, and every link in it leads somewhere."""

import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("sphinx", reason="sphinx is not installed (extra docs)")

import sys

ROOT = Path(__file__).parents[2]


class Links(HTMLParser):
    """The links, pictures and anchors of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            if value and (name == "href" or name == "src"):
                self.links.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--fail-on-warning", "--conf-dir", "docs", "--doctree-dir", str(folder / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, ".", str(folder / "html")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    for page, found in pages.items():
        for link in found.links:
            if re.match("[a-z]+:", link):
                continue
            path, _, anchor = unquote(link.split("?")[0]).partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), (page.name, link)
            if anchor and target in pages:
                assert anchor in pages[target].anchors or not path, (page.name, link)


def test_it_opens_with_the_readme_and_has_a_search_and_the_reference(site: Path) -> None:
    assert (site / "index.html").read_text() == (site / "README.html").read_text()
    assert "parse_move" in (site / "searchindex.js").read_text()
    assert 'id="duelbook.make"' in (site / "docs/api.html").read_text()
    assert 'id="duelbook.solve.Solution.value"' in (site / "docs/api.html").read_text()


def test_nothing_is_loaded_from_other_sites(site: Path) -> None:
    for page in site.rglob("*.html"):
        for address in re.findall(r"<(?:script|img|link)[^>]*(?:src|href)=\"(https?:[^\"]*)\"", page.read_text()):
            pytest.fail(f"{page.name} loads {address}")
