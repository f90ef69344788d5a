"""Language models as the tests need them: served at a desk that leads to an endpoint of the tests."""

import io
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from duelbook import make
from duelbook.agents.llm import LlmAgent, ModelClient, read_llm_settings
from duelbook.cli import main
from duelbook.match import Match
from tests.support.endpoint import Behaviour, ServedModel, endpoint, last_legal

ServeModel = Callable[..., ServedModel]
Duelbook = Callable[..., "CompletedProcess[str]"]

QUICK = ["--games", "flag-chase,crystal-capture", "--pairs", 2, "--opponent", "perfect,random"]


def matches(folder: Path) -> list[str]:
    """Answer the matches of an evaluation, in whatever order they were finished."""
    return sorted((folder / "matches.jsonl").read_text().splitlines())


def start() -> Match:
    return Match(make("charge"))


@pytest.fixture
def serve_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ServeModel]:
    """ServeModel a model behind an endpoint that behaves so; the settings are those of the environment, too."""
    with ExitStack() as stack:

        def made(behave: Behaviour = last_legal, **settings: object) -> ServedModel:
            serving = stack.enter_context(endpoint(behave))
            for name, value in serving.environment(**settings).items():
                monkeypatch.setenv(name, value)
            log = tmp_path / "exchanges.jsonl"
            client = ModelClient(read_llm_settings(), log)
            stack.callback(client.close)
            agent = LlmAgent(random.Random(1), "small-model")
            agent.use_client(client)
            agent.name_match("match 1")
            return ServedModel(agent, client, serving, log)

        yield made


@pytest.fixture
def duelbook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Duelbook:
    """Run the command line within the tests, which is sooner done than in a process of its own."""

    def run(*arguments: object, answers: str = "", **variables: str) -> "CompletedProcess[str]":
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["duelbook", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        code = main()
        return CompletedProcess(sys.argv, code, *capsys.readouterr())

    return run
