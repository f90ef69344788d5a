"""The documents say what is true."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest
from fastapi.routing import APIRoute

from benchmarks.levels import cell
from duelbook import GAMES, make
from duelbook.agents import agent_names
from duelbook.agents.llm.log import Exchange
from duelbook.agents.llm.settings import LlmSettings
from duelbook.agents.process.agent import ProcessSettings, opening, read_answer, turn
from duelbook.documents import parse
from duelbook.game import move_names
from duelbook.games import title
from duelbook.match import Match
from duelbook.options import option_text, options_of
from duelbook.records.document import from_json
from duelbook.solve import Value, solved
from duelbook.study.hints import plies_text
from duelbook.web.http.routes import matches, studies
from duelbook.web.settings import known
from tests.support.service.broken import BREAKS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(ROOT / "src").rglob("*.md")])
RULINGS = (DOCS / "rulings.md").read_text()
BOOKS = sorted(path.stem for path in (ROOT / "tests/terminal/sessions").glob("*.txt"))
HEADINGS = ["Play it", "A session", "Moves", "State", "Options", "Rulings"]


def test_every_ruling_names_tests_that_are_there() -> None:
    rows = re.findall(r"^\| ([A-Z]{2,3}-\d+) \|.*\| (.*?) \|$", RULINGS, re.MULTILINE)
    assert len(rows) == 6 + 9 + 4 + 2 + 8 + 3
    for ruling, tests in rows:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", tests)
        assert named, ruling
        for file, test in named:
            assert re.search(rf"^(def|class) {test}\b", (ROOT / "tests" / file).read_text(), re.MULTILINE), test


def test_every_ruling_that_the_code_and_the_tests_name_is_on_the_page() -> None:
    for file in [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        for ruling in re.findall(r"\b(?:ALL|AC|WC|CC|CH|FC)-\d+\b", file.read_text()):
            assert f"| {ruling} |" in RULINGS, (file, ruling)


@pytest.mark.parametrize("game", BOOKS)
def test_every_game_has_a_page_with_the_same_headings_and_its_options(game: str) -> None:
    page = (DOCS / f"{game}.md").read_text()
    assert page.startswith(f"# {title(game)}\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == HEADINGS
    for option in options_of(GAMES[game]):
        default = option_text(option.default)
        assert f"| `{option.name}` | {option.values()} | `{default}` | {option.about} |\n" in page


@pytest.mark.parametrize("game", BOOKS)
def test_the_session_on_a_games_page_is_one_of_the_book(game: str) -> None:
    page = (DOCS / f"{game}.md").read_text()
    block = page.split("## A session\n\n")[1].split("\n\n## ")[0]
    told = "\n".join(line.removeprefix("    ") for line in block.splitlines())
    sample = (ROOT / "tests/terminal/sessions" / f"{game}.txt").read_text()
    assert told in sample.replace("«", "").replace("»", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_the_record_on_the_format_page_is_one() -> None:
    example = (DOCS / "record-format.md").read_text().split("```json\n")[1].split("```")[0]
    assert from_json(parse(example.encode())).moves == ("charge 3", "charge 5", "steal")


def test_the_session_in_the_readme_is_what_happens() -> None:
    shown = (
        (ROOT / "README.md").read_text().split("    $ duelbook play flag-chase\n")[1].split("\n\nAt every prompt")[0]
    )
    told = "\n".join(line.removeprefix("    ") for line in shown.splitlines())
    command = [sys.executable, "-m", "duelbook", "play", "flag-chase"]
    done = subprocess.run(command, input="1\n2\n", capture_output=True, text=True, check=True)
    assert done.stdout.startswith(told)


def test_the_readme_lists_every_game_and_its_aim() -> None:
    from duelbook.games import aim

    for game in BOOKS:
        assert (
            f"| [{title(game)}](docs/{game}.md) | {aim(game).removesuffix('.')} |" in (ROOT / "README.md").read_text()
        )


@pytest.mark.parametrize(("number", "game"), [*enumerate(BOOKS)])
def test_the_table_of_levels_is_what_the_benchmark_measures(number: int, game: str) -> None:
    shown = re.search(rf"^\| {game} \| .*%.*$", (DOCS / "solving.md").read_text(), re.MULTILINE)
    assert shown
    step = number % 4  # each step of the ladder in some game; the benchmark takes a minute for all of them
    assert shown.group().strip("| ").split(" | ")[1 + step] == cell(game, step)


FIRST_MOVES = {
    "alpha-chase": ("any letter of either word", set("PLANTGHOST")),
    "word-clash": ("any letter on the opponent's board", None),
    "crystal-capture": ("6, 7, 8", {"6", "7", "8"}),
    "charge": ("charge 2, 3, 4, 5", {"charge 2", "charge 3", "charge 4", "charge 5"}),
    "flag-chase": ("2", {"2"}),
}


@pytest.mark.parametrize("name", BOOKS)
def test_the_table_of_who_wins_is_what_the_solver_finds(name: str) -> None:
    game = make(name)
    solution, start = solved(game), game.initial()
    winning = {game.move_name(start, scored.move) for scored in solution.moves(start) if scored.value is Value.WIN}
    text, names = FIRST_MOVES[name]
    assert winning == (names or {name for name in move_names(game, start) if " opponent " in name})
    plies = plies_text(solution.remoteness(start) or 0)
    shown = re.search(rf"^\| {title(name)}.*$", (DOCS / "solving.md").read_text(), re.MULTILINE)
    assert shown
    assert shown.group().split(" | ")[1:3] == [plies, text]
    assert shown.group().split(" | ")[3].startswith(f"{solution.states():,}")


def test_every_pinned_package_is_pinned_exactly_and_no_index_is_named() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; .*)?", line), line


SERVING = (DOCS / "serving.md").read_text()


def test_the_page_of_the_service_lists_every_setting_with_its_default() -> None:
    for setting in known():
        default = f"`{setting.default}`" if setting.default != "" else "none"
        assert f"| `{setting.name}` | {default} | {setting.metadata['about']} |\n" in SERVING


def test_the_page_of_the_service_lists_every_route() -> None:
    routes = [route for part in (matches, studies) for route in part.router.routes if isinstance(route, APIRoute)]
    for route in routes:
        for method in route.methods or ():
            assert f"`{method} {route.path}" in SERVING or route.path == "/api/puzzles/daily"
    assert "`/api/puzzles/daily`" in SERVING
    assert "`WS /api/matches/{match}/live`" in SERVING


def test_the_page_of_the_service_lists_every_break_that_the_faults_find() -> None:
    assert set(re.findall(r"\| `([a-z-]+)`: ", SERVING)) == set(BREAKS)


AGENTS_PAGE = (DOCS / "agents.md").read_text()


def test_the_page_of_the_agents_lists_every_agent_and_every_setting_with_its_default() -> None:
    for name in agent_names():
        assert f"`{name}`" in AGENTS_PAGE
    for kind, prefix in ((LlmSettings, "DUELBOOK_LLM_"), (ProcessSettings, "DUELBOOK_PROCESS_")):
        for setting in fields(kind):
            default = {"": "none", "True": "`yes`"}.get(str(setting.default), f"`{setting.default}`")
            assert f"| `{prefix}{setting.name.upper()}` | {default} | {setting.metadata['about']} |\n" in AGENTS_PAGE


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


def test_the_page_for_researchers_lists_the_options_of_an_evaluation() -> None:
    section = (DOCS / "research.md").read_text().split("## Language models")[1].split("\n## ")[0]
    shown = subprocess.run(
        [sys.executable, "-m", "duelbook", "eval", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for option in re.findall(r"`(--[a-z-]+)", section):
        assert option in shown
