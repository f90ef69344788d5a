"""The documents say what is true."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from duelbook import make
from duelbook.agents import AGENTS
from duelbook.agents.process.messages import (
    as_line,
    game_message,
    read_answer,
    read_hello,
    read_info,
    result_message,
    turn_message,
    type_of,
)
from duelbook.documents import parse
from duelbook.match import Match
from duelbook.records.document import from_json
from tests.support.game_folders import sessions
from tests.support.keyboard import environment

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
AGENTS_PAGE = (DOCS / "agents.md").read_text()
PROGRAMS_PAGE = (DOCS / "programs.md").read_text()


@pytest.mark.parametrize("game", sessions())
def test_the_session_on_a_games_page_is_one_of_the_book(game: str) -> None:
    page = (DOCS / f"games/{game}.md").read_text()
    block = page.split("## A session\n\n")[1].split("\n\n## ")[0]
    shown = "\n".join(line.removeprefix("    ") for line in block.splitlines())
    sample = sessions()[game].read_text()
    assert shown in sample.replace("«", "").replace("»", "")


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


def test_every_pinned_package_is_pinned_exactly_and_no_index_is_named() -> None:
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; .*)?", line), line


def test_the_conversation_on_the_page_of_the_programs_is_what_programs_get() -> None:
    match = Match(make("flag-chase"))
    match.play("1")
    hello, game, ready, turn, answer, info, result = re.findall(r"```json\n(.*)\n```", PROGRAMS_PAGE)
    assert json.loads(game) == game_message(match.game, 7, 10.0) | {"rules": "# Flag Chase…"}
    assert turn.encode() + b"\n" == as_line(turn_message(match))
    assert match.game.move_name(match.state, read_answer(answer.encode(), match)) == "2"
    assert read_hello(hello.encode()).name == "Deep Crystal"
    assert type_of(ready.encode()) == "ready"
    assert read_info(info.encode()).depth == 7
    match.play("2")
    assert result.encode() + b"\n" == as_line(result_message(match, 1, match.outcome, match.reason))


@pytest.mark.slow
def test_the_agent_on_the_page_of_the_agents_plays_by_the_commands_below_it(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
    section = AGENTS_PAGE.split("## An agent in Python")[1]
    source = section.split("```python\n")[1].split("```")[0]
    assert len(source.splitlines()) == 15
    (tmp_path / "biggest.py").write_text(source)
    shown = section.split("### Give it a name")[1].split("\n\n")[2]
    variable, *commands = (line.strip() for line in shown.splitlines())
    assert (variable, len(commands)) == ("export DUELBOOK_AGENTS=biggest:Biggest", 3)
    for command in commands:
        program, *arguments = command.split()
        assert program == "duelbook"
        done = run_process_in(tmp_path, arguments, DUELBOOK_AGENTS="biggest:Biggest")
        assert done.returncode == 0, done.stderr
    standings = json.loads((tmp_path / "results/standings.json").read_text())["overall"]["standings"]
    assert {row["agent"] for row in standings} == {"biggest", "greedy", "random"}
    assert not any(sum(row["forfeits"].values()) for row in standings)
    entry_points = tomllib.loads(section.split("```toml\n")[1].split("```")[0])["project"]["entry-points"]
    assert entry_points == {AGENTS.entry_points: {"biggest": "biggest:Biggest"}}


def run_process_in(folder: Path, arguments: list[str], **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, as the program `duelbook` does, which does not look for modules there by itself."""
    program = Path(sys.executable).with_name("duelbook")
    return subprocess.run(
        [program, *arguments],
        input="",
        cwd=folder,
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )
