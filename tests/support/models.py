"""Language models in tests: agents whose client leads to an endpoint of the tests, and the command line."""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile

import pytest

from duelbook import make
from duelbook.agents.llm import LlmAgent, ModelClient, read_llm_settings
from duelbook.agents.llm import endpoint as product
from duelbook.cli import main
from duelbook.match import Match
from tests.support.endpoint import Behaviour, ServedModel, endpoint, last_legal

ServeModel = Callable[..., ServedModel]
Duelbook = Callable[..., "CompletedProcess[str]"]

QUICK = ["--games", "flag-chase,crystal-capture", "--pairs", 2, "--opponent", "perfect,random"]


def matches(folder: Path) -> list[str]:
    return (folder / "matches.jsonl").read_text().splitlines()


def start() -> Match:
    return Match(make("charge"))


def time_out_after(part: bytes, served: ServedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the time for a reply be up as soon as this part of it has come, however long that takes."""
    loop = served.client._endpoint._loop

    def watch(look: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
        def watched(raw: bytes) -> bool:
            if part in raw:
                loop.time = lambda: time.monotonic() + 1000  # type: ignore[method-assign]
            return look(raw)

        return watched

    for look in ("is_stream", "is_finished"):  # which the client asks about all that has come
        monkeypatch.setattr(product, look, watch(getattr(product, look)))


@pytest.fixture
def serve_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ServeModel]:
    """Make a model behind an endpoint that behaves like this. The environment gets the same settings."""
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
    """Run the command line in the test process, which is faster than in another one."""

    def run(*arguments: object, answers: str = "", **variables: str) -> "CompletedProcess[str]":
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["duelbook", *map(str, arguments)])
        with TemporaryFile("w+", encoding="utf-8") as script:
            script.write(answers)
            script.seek(0)
            monkeypatch.setattr(sys, "stdin", script)
            code = main()
        return CompletedProcess(sys.argv, code, *capsys.readouterr())

    return run
