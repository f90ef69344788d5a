"""Limits of a run, and endpoints that are not there: a run stops in good order, and loses nothing."""

import socket
from pathlib import Path

import pytest

from duelbook.agents import StoppedError, make_agent
from duelbook.agents.llm import SpentError, read_llm_settings
from duelbook.errors import RefusedError
from duelbook.records.file import load
from tests.support.endpoint import KEY, endpoint, fail, in_turn, say
from tests.support.keyboard import piped
from tests.support.models import Duelbook, Seat, start


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class TestLimits:
    def test_the_limit_of_requests_stops_before_the_next_one(self, seat: Seat) -> None:
        seated = seat(in_turn(say("no"), say("no")), max_calls=2)
        with pytest.raises(SpentError, match="the limit of 2 requests is reached"):
            seated.agent.choose(start())
        assert len(seated.endpoint.bodies) == len(seated.log()) == 2

    def test_further_tries_are_requests_too(self, seat: Seat) -> None:
        with pytest.raises(SpentError):
            seat(in_turn(fail(500), fail(500)), max_calls=2).agent.choose(start())

    def test_the_limit_of_tokens_stops_once_it_is_passed(self, seat: Seat) -> None:
        seated = seat(max_tokens=200)
        seated.agent.choose(start())
        seated.agent.choose(start())
        with pytest.raises(SpentError, match="the limit of 200 tokens is reached: 220 are spent"):
            seated.agent.choose(start())
        assert len(seated.endpoint.bodies) == 2


class TestUnreachable:
    def test_an_endpoint_that_nobody_is_at_is_one_line_and_exit_code_2(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        url = f"http://127.0.0.1:{closed_port()}/v1"
        done = piped(["play", "charge", "--p2", "llm:small-model", "--record", str(file)], DUELBOOK_LLM_BASE_URL=url)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"duelbook: the endpoint {url} cannot be reached: ")
        assert done.stderr.count("\n") == 1
        assert not file.exists()

    @pytest.mark.parametrize("status", [401, 403])
    def test_one_that_does_not_know_the_key_is_refused_before_the_match(self, status: int, seat: Seat) -> None:
        seated = seat()
        seated.endpoint.models = fail(status, "who are you")
        with pytest.raises(StoppedError, match=f"answered {status}: who are you"):
            seated.desk.check()
        assert not seated.endpoint.bodies

    @pytest.mark.parametrize("status", [200, 404, 500])
    def test_one_that_only_answers_is_reachable(self, status: int, seat: Seat) -> None:
        seated = seat()
        seated.endpoint.models = fail(status)
        seated.desk.check()

    def test_one_that_goes_away_leaves_the_match_to_go_on_with(self, tmp_path: Path, duelbook: Duelbook) -> None:
        file = tmp_path / "game.json"
        behave = in_turn(*[fail(503)] * 3)
        with endpoint(behave) as serving:
            settings = serving.environment(retries=0)
            arguments = ["play", "flag-chase", "--p2", "llm:small-model"]
            done = duelbook(*arguments, "--record", file, answers="1\n", **settings)
            assert done.returncode == 2
            assert f"The game is saved. Go on with: duelbook play --resume {file}\n" in done.stdout
            assert done.stderr == f"duelbook: the endpoint {serving.url} answered 503: try later\n"
        assert load(file).moves == ("1",)

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({}, "a language model needs DUELBOOK_LLM_BASE_URL, such as http://localhost:8080/v1"),
            ({"BASE_URL": "localhost:8080"}, "DUELBOOK_LLM_BASE_URL must be like http://localhost:8080/v1"),
            ({"BASE_URL": "ftp://x/v1"}, "DUELBOOK_LLM_BASE_URL must be like"),
            ({"BASE_URL": "http://me:secret@x/v1"}, "DUELBOOK_LLM_BASE_URL must be like"),
            ({"BASE_URL": "http://x/v1?key=secret"}, "DUELBOOK_LLM_BASE_URL must be like"),
            ({"BASE_URL": "http://x:port/v1"}, "DUELBOOK_LLM_BASE_URL must be like"),
            ({"API_KEY": "secret\nX-More: yes"}, "DUELBOOK_LLM_API_KEY holds characters that no key has"),
            ({"API_KEY": "secret\\"}, "DUELBOOK_LLM_API_KEY holds characters that no key has"),
            ({"API_KEY": "geheimnisß"}, "DUELBOOK_LLM_API_KEY holds characters"),
            ({"TIMEOUT": "0"}, "DUELBOOK_LLM_TIMEOUT must be from 0.01 to"),
            ({"TIMEOUT": "long"}, "DUELBOOK_LLM_TIMEOUT must be a number, not 'long'"),
            ({"ATTEMPTS": "0"}, "DUELBOOK_LLM_ATTEMPTS must be from 1 to"),
            ({"SHOW_LEGAL": "maybe"}, "DUELBOOK_LLM_SHOW_LEGAL must be yes or no, not 'maybe'"),
            ({"BODY": "{"}, "DUELBOOK_LLM_BODY: line 1: not JSON"),
            ({"BODY": "[]"}, "DUELBOOK_LLM_BODY must be a JSON object without model, messages, stream, n"),
            ({"BODY": '{"stream": true}'}, "DUELBOOK_LLM_BODY must be a JSON object without"),
        ],
    )
    def test_settings_that_cannot_be_are_refused_and_secrets_not_repeated(
        self, settings: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if settings:
            monkeypatch.setenv("DUELBOOK_LLM_BASE_URL", "http://localhost:8080/v1")
        for name, value in settings.items():
            monkeypatch.setenv(f"DUELBOOK_LLM_{name}", value)
        with pytest.raises(RefusedError) as refused:
            make_agent("llm:small-model")
        assert str(refused.value).startswith(said)
        assert "secret" not in str(refused.value)
        assert "geheim" not in str(refused.value)

    def test_a_model_has_a_name(self) -> None:
        with pytest.raises(RefusedError, match="Agent 'llm': MODEL is missing, as in 'llm:small-model'"):
            make_agent("llm")

    def test_the_key_is_no_part_of_what_settings_look_like(self) -> None:
        environment = {"DUELBOOK_LLM_BASE_URL": "http://localhost/v1", "DUELBOOK_LLM_API_KEY": KEY}
        assert KEY not in repr(read_llm_settings(environment))

    def test_a_missing_library_is_one_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("duelbook.agents.llm.endpoint.find_spec", lambda name: None)
        with pytest.raises(RefusedError, match="this needs the extra `llm`, which is not installed"):
            make_agent("llm:small-model")
