"""The documents say what is true."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from duelbook import make
from duelbook.agents.llm.log import Exchange
from duelbook.agents.process.agent import opening, read_answer, turn
from duelbook.documents import parse
from duelbook.games import registry
from duelbook.match import Match
from duelbook.records.document import from_json
from duelbook.solve import budget
from scripts.docs import openapi
from tests.support.game_folders import sessions
from tests.support.service.broken import BREAKS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "src").rglob("*.md"), *ROOT.glob("examples/*/*.md")])
AGENTS_PAGE = (DOCS / "agents.md").read_text()
HTTP_API = (DOCS / "http-api.md").read_text()


@pytest.mark.parametrize("game", sessions())
def test_the_session_on_a_games_page_is_one_of_the_book(game: str) -> None:
    page = (DOCS / f"games/{game}.md").read_text()
    block = page.split("## A session\n\n")[1].split("\n\n## ")[0]
    shown = "\n".join(line.removeprefix("    ") for line in block.splitlines())
    sample = sessions()[game].read_text()
    assert shown in sample.replace("«", "").replace("»", "")


def test_the_variables_of_all_commands_are_listed() -> None:
    section = (DOCS / "commands.md").read_text().split("## Environment variables")[1].split("<!--")[0]
    named = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    assert named == {registry.VARIABLE, budget.VARIABLE, "DUELBOOK_DEBUG", "NO_COLOR"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", page.read_text())  # without code
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if path.startswith(("https://", "board:")):  # a picture of a board is drawn, not a file
            continue
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in headings(target), link


def headings(page: Path) -> set[str]:
    """Return the anchors of a page, as code hosts make them from its headings."""
    found = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_documents_and_examples_import_nothing_deep() -> None:
    for page in [*PAGES, *(ROOT / "examples").rglob("*.py")]:
        for module in re.findall(r"^(?:>>> )?(?:from|import) (duelbook[\w.]*)", page.read_text(), re.MULTILINE):
            assert module.count(".") <= 1, (page, module)


def test_nothing_names_a_place_on_a_machine_or_a_package_index() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    for name in filter(None, listed.split("\0")):
        text = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        for place in (
            b"/home" + b"/",
            b"/root" + b"/",
            b"pypi" + b".org",
            b"pythonhosted" + b".org",
            b"npmjs" + b".org",
        ):
            assert place not in text, (name, place)


def test_the_record_on_the_format_page_is_one() -> None:
    example = (DOCS / "record-format.md").read_text().split("```json\n")[1].split("```")[0]
    assert from_json(parse(example.encode())).moves == ("charge 3", "charge 5", "steal")


def test_the_session_in_the_readme_is_what_happens() -> None:
    shown = (ROOT / "README.md").read_text().split("    $ duelbook play flag-chase\n")[1].split("\n\nThe terminal")[0]
    printed = "\n".join(line.removeprefix("    ") for line in shown.splitlines())
    command = [sys.executable, "-m", "duelbook", "play", "flag-chase"]
    done = subprocess.run(command, input="1\n2\n", capture_output=True, text=True, check=True)
    assert done.stdout.startswith(printed)


def test_the_readme_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\((docs/[\w/-]+\.md)", (ROOT / "README.md").read_text()))
    reached = {path for page in linked for path in [page, *links_of(page)]}
    assert reached >= {page.relative_to(ROOT).as_posix() for page in DOCS.rglob("*.md")}


def links_of(page: str) -> list[str]:
    """Return the pages below docs/ that a page links to."""
    folder = (ROOT / page).parent
    found = re.findall(r"\]\(([\w/.-]+\.md)", (ROOT / page).read_text())
    return [os.path.relpath(folder / link, ROOT) for link in found]


def test_every_pinned_package_is_pinned_exactly_and_no_index_is_named() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; .*)?", line), line


def test_the_page_about_the_http_api_names_every_route_and_the_socket() -> None:
    for path, operations in openapi()["paths"].items():
        assert all(f"| `{method.upper()} {path}` |" in HTTP_API for method in operations)
    assert "`WS /api/matches/{match}/live`" in HTTP_API


def test_the_page_about_the_tests_has_a_check_for_every_fault() -> None:
    checks = (DOCS / "service-tests.md").read_text().split("<!-- generated")[0]
    assert set(re.findall(r"\| `([a-z-]+)` \|$", checks, re.MULTILINE)) == set(BREAKS)


def test_the_conversation_on_the_page_of_the_agents_is_what_programs_get() -> None:
    match = Match(make("flag-chase"))
    match.play("1")
    game, turn_line, answer = re.findall(r"```json\n(.*)\n```", AGENTS_PAGE)
    assert json.loads(game) == opening(match.game, 7, 10.0) | {"rules": "# Flag Chase…"}
    assert turn_line == json.dumps(turn(match))
    assert match.game.move_name(match.state, read_answer(answer.encode(), match)) == "2"


def test_the_shell_script_on_the_page_of_the_agents_is_the_example() -> None:
    script = AGENTS_PAGE.split("```sh\n")[1].split("```")[0]
    assert script in (ROOT / "examples/players/last_move.sh").read_text()


def test_the_page_of_the_agents_lists_every_field_of_the_log() -> None:
    table = AGENTS_PAGE.split("**The log.**")[1].split("\n\n")[1]
    named = {name for row in table.splitlines()[2:] for name in re.findall("`(\\w+)`", row.split("|")[1])}
    assert named == {field.encode_name for field in msgspec.structs.fields(Exchange)}


def test_the_page_for_researchers_lists_options_of_an_evaluation_that_exist() -> None:
    section = (DOCS / "research.md").read_text().split("## Language models")[1].split("\n## ")[0]
    shown = subprocess.run(
        [sys.executable, "-m", "duelbook", "eval", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for option in re.findall(r"`(--[a-z-]+)", section):
        assert option in shown
