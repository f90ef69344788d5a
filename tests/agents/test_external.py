"""External agents start programs or call endpoints: only the person at the command line may ask for them."""

import ast
from pathlib import Path

import pytest

import duelbook.web
from duelbook import RefusedError
from duelbook.arena.entries import split_agents
from duelbook.arena.manifest import write_manifest
from duelbook.arena.plan import plan_tournament
from tests.support.endpoint import endpoint
from tests.support.models import Duelbook


def test_no_part_of_the_service_can_make_an_external_agent() -> None:
    for file in Path(duelbook.web.__path__[0]).rglob("*.py"):
        names = {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.alias)}
        assert not names & {"make_agent", "AGENTS", "duelbook.agents"}, file


@pytest.mark.parametrize(
    ("texts", "agents"),
    [
        (["greedy,perfect"], ["greedy", "perfect"]),
        (["greedy", " perfect "], ["greedy", "perfect"]),
        (["greedy,process:./a --list 1,2"], ["greedy", "process:./a --list 1,2"]),
        (["process:./a", "process:./b"], ["process:./a", "process:./b"]),
        (["greedy,my-process:3,random"], ["greedy", "my-process:3", "random"]),
        (["greedy,"], ["greedy", ""]),
    ],
)
def test_a_list_of_agents_is_split_at_commas_but_a_command_is_not(texts: list[str], agents: list[str]) -> None:
    assert split_agents(texts) == agents


@pytest.mark.parametrize(
    ("text", "swallowed"),
    [
        ("greedy,process:python3 a.py,process:python3 b.py", "process:python3 b.py"),
        ("process:./a, greedy", "greedy"),
        ("process:./a --list 1,2,search:4", "search:4"),
        ("process:./a,llm:small-model", "llm:small-model"),
    ],
)
def test_an_agent_after_the_comma_of_a_command_is_an_error(text: str, swallowed: str) -> None:
    with pytest.raises(
        RefusedError, match=f"takes the rest of a list, so '{swallowed}' would be a part of its command"
    ):
        split_agents([text])


def test_a_manifest_starts_a_program_only_with_trust(tmp_path: Path, duelbook: Duelbook) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
    started = tmp_path / "started"
    file = tmp_path / "manifest.json"
    tournament = plan_tournament(["flag-chase"], ["greedy", f"process:touch {started}"], pairs=1)
    file.write_text(write_manifest(tournament))
    manifest = ("--manifest", file, "--backend", "serial")
    refused = duelbook("tournament", *manifest, "--out", tmp_path / "again")
    assert refused.returncode == 2
    assert refused.stderr.startswith(
        f"duelbook: The manifest names the agent 'process:touch {started}'. If you trust it"
    )
    assert not started.exists()
    assert not (tmp_path / "again").exists()
    assert duelbook("tournament", *manifest, "--out", tmp_path / "again", "--trust").returncode == 0
    assert started.exists()


@pytest.mark.parametrize(
    "command",
    [
        "tournament --agents greedy,llm:x --games charge --out run",
        "eval --agent llm:x --games charge --out run",
        "match --p1 llm:x --p2 random",
        "play charge --p2 llm:x --record run",
    ],
)
def test_an_unreachable_endpoint_is_reported_in_one_line_before_anything_is_written(
    command: str, tmp_path: Path, duelbook: Duelbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with endpoint() as serving:
        settings = serving.environment()
    done = duelbook(*command.split(), **settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"duelbook: The endpoint {serving.url} cannot be reached: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()
