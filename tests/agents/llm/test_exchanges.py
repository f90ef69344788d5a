"""What is kept of an exchange: reasoning, calls, streams, parameters, and tokens as providers name them."""

import json
from pathlib import Path
from typing import Any

import pytest

from duelbook.agents import StoppedError
from duelbook.agents.llm.log import ChatMessage
from duelbook.agents.llm.usage import read_usage
from tests.support.endpoint import KEY, Reply, always, answer, in_turn, say, stream
from tests.support.models import ServeModel, start, time_out_after

PROMPT = [ChatMessage("user", "x" * 400)]
USAGE = json.loads(Path(__file__).with_name("usage.json").read_text())  # tokens read, written, reasoned and cached


class TestReasoning:
    @pytest.mark.parametrize(
        "message",
        [
            {"content": "MOVE: block", "reasoning_content": "I wonder."},
            {"content": "MOVE: block", "reasoning": "I wonder."},
            {"content": "MOVE: block", "thinking": "I wonder."},
            {"content": "MOVE: block", "reasoning_details": [{"type": "reasoning.text", "text": "I wonder."}]},
            {
                "content": [
                    {"type": "thinking", "thinking": [{"text": "I wonder."}]},
                    {"type": "text", "text": "MOVE: block"},
                ]
            },
        ],
        ids=["reasoning_content", "reasoning", "thinking", "details", "parts"],
    )
    def test_it_is_kept_and_not_read_for_a_move(self, message: dict[str, Any], serve_model: ServeModel) -> None:
        served = serve_model(always(answer(message)))
        served.agent.choose(start())
        entry = served.log()[0]
        assert (entry["reasoning"], entry["reply"], entry["move"]) == ("I wonder.", "MOVE: block", "block")

    def test_a_move_in_the_reasoning_alone_is_none(self, serve_model: ServeModel) -> None:
        served = serve_model(always(answer({"content": None, "reasoning_content": "MOVE: block"})), attempts=1)
        assert served.forfeits(start())[0] == "format"

    def test_the_key_is_in_none_of_the_texts(self, serve_model: ServeModel) -> None:
        call = {"function": {"name": KEY, "arguments": f'{{"move": "{KEY}"}}'}}
        message = {"content": KEY, "reasoning": f"so {KEY}", "refusal": KEY, "tool_calls": [call]}
        served = serve_model(always(answer(message)), tools="yes")
        assert KEY not in served.forfeits(start())[1]
        assert KEY not in served.file.read_text()
        assert served.log()[0]["reasoning"] == "so [key]"


class TestKinds:
    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            (say("MOVE: charge 9"), "illegal"),
            (say("hm"), "format"),
            (answer({"content": "", "refusal": "No."}), "refusal"),
            (answer({"content": None}, "content_filter"), "refusal"),
            (answer({"content": "MOVE: blo"}, "length"), "truncated"),
            (answer({}, "length"), "truncated"),
            (say("MOVE: block", delay=9), "timeout"),
            (Reply(b"x" * 3_000_000), "error"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_a_forfeit_has_the_kind_of_the_last_answer(self, reply: Reply, kind: str, serve_model: ServeModel) -> None:
        served = serve_model(always(reply), attempts=1, timeout=1 if kind == "timeout" else 60)
        assert served.forfeits(start())[0] == kind
        assert served.results() == [kind]


class TestCalls:
    @pytest.mark.parametrize("arguments", ['{"move": "block"}', {"move": "block"}], ids=["text", "object"])
    def test_a_call_of_the_declared_function_is_a_move(self, arguments: object, serve_model: ServeModel) -> None:
        call = {"id": "1", "type": "function", "function": {"name": "move", "arguments": arguments}}
        served = serve_model(always(answer({"content": None, "tool_calls": [call]}, "tool_calls")), tools="yes")
        served.agent.choose(start())
        body, entry = served.endpoint.bodies[0], served.log()[0]
        assert body["tools"][0]["function"]["name"] == "move"
        assert "you may call the function `move`" in body["messages"][0]["content"]
        assert (entry["move"], entry["calls"]) == ("block", [{"name": "move", "arguments": '{"move": "block"}'}])
        assert entry["readings"]["strict"] == "format"

    def test_a_call_of_a_function_that_was_not_declared_is_none(self, serve_model: ServeModel) -> None:
        call = {"function": {"name": "move", "arguments": '{"move": "block"}'}}
        served = serve_model(always(answer({"content": None, "tool_calls": [call]})), attempts=1)
        assert served.forfeits(start())[0] == "format"
        assert "tools" not in served.endpoint.bodies[0]

    def test_after_a_call_of_no_legal_move_the_model_is_reminded_of_it(self, serve_model: ServeModel) -> None:
        call = {"function": {"name": "move", "arguments": '{"move": "jump"}'}}
        served = serve_model(in_turn(answer({"content": None, "tool_calls": [call]})), tools="yes")
        served.agent.choose(start())
        assert served.endpoint.bodies[1]["messages"][2]["content"] == 'move({"move": "jump"})'


class TestStreams:
    def test_a_streamed_reply_is_put_together(self, serve_model: ServeModel) -> None:
        deltas = (
            {"reasoning_content": "I "},
            {"reasoning_content": "wonder."},
            {"content": "MOVE: "},
            {"content": "block"},
        )
        served = serve_model(always(stream(*deltas)), stream="yes")
        served.agent.choose(start())
        body, entry = served.endpoint.bodies[0], served.log()[0]
        assert (body["stream"], body["stream_options"]) == (True, {"include_usage": True})
        assert (entry["reasoning"], entry["reply"], entry["move"]) == ("I wonder.", "MOVE: block", "block")
        assert (entry["finish"], entry["streamed"], entry["answered_by"]) == ("stop", True, "small-model-1")
        assert (entry["tokens"]["read"], entry["tokens"]["written"]) == (100, 10)

    def test_the_arguments_of_a_call_come_in_pieces(self, serve_model: ServeModel) -> None:
        pieces = [{"index": 0, "id": "1", "function": {"name": "move", "arguments": ""}}]
        pieces += [{"index": 0, "function": {"arguments": part}} for part in ('{"mo', 've": "block"}')]
        served = serve_model(always(stream(*({"tool_calls": [piece]} for piece in pieces))), tools="yes", stream="yes")
        served.agent.choose(start())
        assert served.log()[0]["move"] == "block"

    def test_content_in_parts_is_put_together(self, serve_model: ServeModel) -> None:
        parts = ({"content": [{"type": "text", "text": "MOVE: "}]}, {"content": "block"})
        served = serve_model(always(stream(*parts)), stream="yes")
        served.agent.choose(start())
        assert (served.log()[0]["reply"], served.log()[0]["readings"]["strict"]) == ("MOVE: block", "format")

    def test_it_ends_when_the_endpoint_says_so_even_if_the_connection_stays_open(self, serve_model: ServeModel) -> None:
        served = serve_model(always(stream({"content": "MOVE: block"}, hold=600)), stream="yes", timeout=120)
        served.agent.choose(start())
        assert served.results() == ["accepted"]

    @pytest.mark.parametrize(
        "broken",
        [
            stream({"content": "MOVE: block"}, finish=None, end=b""),
            stream({"content": "MOVE: block"}, finish=None, end=b'data: {"error": {"message": "overloaded"}}\n\n'),
            stream({"content": "MOVE: block"}, finish=None, end=b"data: [1]\n\n"),
            stream({"content": "MOVE: block"}, finish=None, end=b"data: <html>\n\n"),
        ],
        ids=["cut off", "error", "no object", "no JSON"],
    )
    def test_one_that_breaks_off_is_the_endpoints_fault(self, broken: Reply, serve_model: ServeModel) -> None:
        served = serve_model(always(broken), stream="yes", retries=1)
        with pytest.raises(StoppedError, match=r"answered 200\. The response is not a chat completion"):
            served.agent.choose(start())
        assert served.results() == ["failed"] * 2

    def test_what_came_before_a_timeout_is_kept_and_counted(
        self, serve_model: ServeModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = stream({"reasoning_content": "I wonder."}, {"content": "MOVE: "}, finish=None, end=b"", hold=600)
        served = serve_model(always(slow), stream="yes", timeout=120, attempts=1)
        time_out_after(b"MOVE: ", served, monkeypatch)
        assert served.forfeits(start())[0] == "timeout"
        entry = served.log()[0]
        assert (entry["reasoning"], entry["reply"], entry["tokens"]["estimated"]) == ("I wonder.", "MOVE: ", True)
        assert served.client.budget.tokens == entry["tokens"]["read"] + entry["tokens"]["written"] > 300


class TestTheRequest:
    def test_it_has_the_further_fields_without_those_that_are_null_and_all_are_logged(
        self, serve_model: ServeModel
    ) -> None:
        served = serve_model(body='{"temperature": 0.5, "top_p": 0.9, "seed": null}', stream="yes")
        served.agent.choose(start())
        sent = served.endpoint.bodies[0]
        assert served.log()[0]["parameters"] == {name: sent[name] for name in sent if name not in ("model", "messages")}
        assert sent.keys() == {"model", "messages", "temperature", "top_p", "stream", "stream_options"}
        assert served.log()[0]["parameters"]["temperature"] == 0.5


@pytest.mark.parametrize("provider", USAGE)
def test_tokens_are_read_from_the_fields_of_several_providers(provider: str) -> None:
    usage, tokens = USAGE[provider]
    found = read_usage(usage, PROMPT, "x" * 40)
    assert [found.read, found.written, found.reasoning, found.cached] == tokens
    assert not found.estimated


def test_an_estimate_counts_the_reasoning_too(serve_model: ServeModel) -> None:
    served = serve_model(always(answer({"content": "MOVE: block", "reasoning": "x" * 389})))
    served.agent.choose(start())
    assert (served.log()[0]["tokens"]["written"], served.log()[0]["tokens"]["estimated"]) == (100, True)


def test_usage_may_be_under_the_name_that_gemini_gives_it(serve_model: ServeModel) -> None:
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 5, "totalTokenCount": 14}
    served = serve_model(always(answer({"content": "MOVE: block"}, usageMetadata=usage)))
    served.agent.choose(start())
    assert served.log()[0]["tokens"]["read"] == 9
