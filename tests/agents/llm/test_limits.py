"""The budget of a run, settings, and endpoints that cannot be reached: a run stops cleanly and loses nothing."""

from pathlib import Path

import pytest

from duelbook.agents import make_agent
from duelbook.agents.agent import StoppedError
from duelbook.agents.llm import BudgetSpentError, read_llm_settings
from duelbook.errors import RefusedError
from duelbook.records import load_record
from tests.support.endpoint import KEY, Reply, endpoint, fail, in_turn, say
from tests.support.models import Duelbook, ServeModel, start


class TestLimits:
    @pytest.mark.parametrize("first", [say("no"), fail(500)], ids=["answers", "retries"])
    def test_the_limit_of_requests_stops_before_the_next_one(self, first: Reply, serve_model: ServeModel) -> None:
        served = serve_model(in_turn(first, first), max_calls=2)
        with pytest.raises(BudgetSpentError, match="The limit of 2 requests is reached"):
            served.agent.choose(start())
        assert len(served.endpoint.bodies) == len(served.log()) == 2

    def test_the_limit_of_tokens_stops_the_request_after_it_is_passed(self, serve_model: ServeModel) -> None:
        served = serve_model(max_tokens=200)
        served.agent.choose(start())
        served.agent.choose(start())
        with pytest.raises(BudgetSpentError, match=r"The limit of 200 tokens is reached \(220 are spent\)"):
            served.agent.choose(start())
        assert len(served.endpoint.bodies) == 2


class TestUnreachable:
    @pytest.mark.parametrize("status", [401, 403])
    def test_an_endpoint_that_rejects_the_key_stops_before_the_match(
        self, status: int, serve_model: ServeModel
    ) -> None:
        served = serve_model()
        served.endpoint.models = fail(status, "who are you")
        with pytest.raises(StoppedError, match=f"answered {status}: who are you"):
            served.client.check()
        assert not served.endpoint.bodies

    @pytest.mark.parametrize("status", [200, 404, 500])
    def test_an_endpoint_with_any_other_status_is_reachable(self, status: int, serve_model: ServeModel) -> None:
        served = serve_model()
        served.endpoint.models = fail(status)
        served.client.check()

    def test_an_endpoint_that_breaks_down_leaves_the_match_to_be_resumed(
        self, tmp_path: Path, duelbook: Duelbook
    ) -> None:
        file = tmp_path / "game.json"
        behave = in_turn(*[fail(503)] * 3)
        with endpoint(behave) as serving:
            settings = serving.environment(retries=0)
            arguments = ["play", "flag-chase", "--p2", "llm:small-model"]
            done = duelbook(*arguments, "--record", file, answers="1\n", **settings)
            assert done.returncode == 1  # ended by an error
            assert f"Resume it with: duelbook play --resume {file}\n" in done.stdout
            assert done.stderr == f"duelbook: The endpoint {serving.url} answered 503: try later.\n"
        assert load_record(file).moves == ("1",)

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({}, "A language model needs DUELBOOK_LLM_BASE_URL, for example http://localhost:8080/v1."),
            ({"BASE_URL": "localhost:8080"}, "DUELBOOK_LLM_BASE_URL must be an address like http://localhost:8080/v1"),
            ({"BASE_URL": "ftp://x/v1"}, "DUELBOOK_LLM_BASE_URL must be an address like"),
            ({"BASE_URL": "http://me:secret@x/v1"}, "DUELBOOK_LLM_BASE_URL must be an address like"),
            ({"BASE_URL": "http://x/v1?key=secret"}, "DUELBOOK_LLM_BASE_URL must be an address like"),
            ({"BASE_URL": "http://x:port/v1"}, "DUELBOOK_LLM_BASE_URL must be an address like"),
            ({"API_KEY": "secret\nX-More: yes"}, "DUELBOOK_LLM_API_KEY contains a space, a backslash or another"),
            ({"API_KEY": "secret\\"}, "DUELBOOK_LLM_API_KEY contains a space, a backslash or another"),
            ({"API_KEY": "geheimnisß"}, "DUELBOOK_LLM_API_KEY contains"),
            ({"TIMEOUT": "0"}, "DUELBOOK_LLM_TIMEOUT must be from 0.01 to"),
            ({"TIMEOUT": "long"}, "DUELBOOK_LLM_TIMEOUT must be a number, not 'long'"),
            ({"ATTEMPTS": "0"}, "DUELBOOK_LLM_ATTEMPTS must be from 1 to"),
            ({"SHOW_LEGAL": "maybe"}, "DUELBOOK_LLM_SHOW_LEGAL must be yes or no, not 'maybe'"),
            ({"BODY": "{"}, "DUELBOOK_LLM_BODY: Line 1 is not JSON"),
            ({"BODY": "[]"}, "DUELBOOK_LLM_BODY must be a JSON object without the fields model, messages, stream, n."),
            ({"BODY": '{"stream": true}'}, "DUELBOOK_LLM_BODY must be a JSON object without"),
        ],
    )
    def test_bad_settings_are_refused_without_repeating_secrets(
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

    def test_the_key_is_not_in_the_repr_of_the_settings(self) -> None:
        environment = {"DUELBOOK_LLM_BASE_URL": "http://localhost/v1", "DUELBOOK_LLM_API_KEY": KEY}
        assert KEY not in repr(read_llm_settings(environment))
