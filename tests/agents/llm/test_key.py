"""The key is in no log, prompt, record or message, however an endpoint repeats it."""

import json
from urllib.parse import quote

import pytest

from duelbook.agents import StoppedError
from duelbook.agents.llm import read_exchanges
from duelbook.agents.llm.log import REDACTED, redactor
from tests.support.endpoint import Behaviour, Reply, ServedModel, always, fail, in_turn, last_legal, say
from tests.support.models import ServeModel, start

LONG = "sk-" + "".join(f"{number:02}/" for number in range(40)) + "end"  # no key of anything
SLASHED = LONG.replace("/", r"\/")
UNICODE = "".join(rf"\u{ord(sign):04X}" for sign in LONG)


def everything_kept(served: ServedModel, *messages: str) -> str:
    return "".join([served.file.read_text(), json.dumps(served.endpoint.bodies), *messages])


@pytest.mark.parametrize("spelt", [LONG, SLASHED, UNICODE, quote(LONG, ""), SLASHED.replace("\\", "\\\\")])
@pytest.mark.parametrize(
    "wrapped",
    [
        '{{"error": {{"message": "{}"}}}}',
        '{{"error": "{}"}}',
        '{{"detail": "{}"}}',
        "<h1>who is {}</h1>",
        '{{"{}": 1, "{}": 2}}',
    ],
    ids=["message", "error", "document", "page", "twice"],
)
@pytest.mark.parametrize("status", [200, 401])
def test_no_part_of_it_stays_in_what_an_endpoint_sends(
    spelt: str, wrapped: str, status: int, serve_model: ServeModel
) -> None:
    served = serve_model(always(Reply(wrapped.format(spelt, spelt).encode(), status)), api_key=LONG)
    with pytest.raises(StoppedError) as raised:
        served.agent.choose(start())
    everything = everything_kept(served, str(raised.value))
    assert "sk-" not in everything
    assert "06" not in json.dumps([entry["reply"] for entry in served.log()])
    assert spelt[:10] not in everything
    assert REDACTED in str(raised.value)


@pytest.mark.parametrize("key", [LONG, LONG[:80]])
@pytest.mark.parametrize("text", ["{}", "MOVE: {}", "MOVE: charge {}", "{}\nMOVE: charge 9"])
def test_no_part_of_it_stays_in_what_a_model_replies(text: str, key: str, serve_model: ServeModel) -> None:
    served = serve_model(always(say(text.format(key))), api_key=key)
    kind, detail = served.forfeits(start())
    assert kind in ("illegal", "format")
    assert "sk-" not in everything_kept(served, detail)


def test_no_part_of_it_stays_in_other_fields_of_a_completion(serve_model: ServeModel) -> None:
    completion = json.loads(last_legal({"messages": [{}, {"content": "Legal moves: charge 1"}]}, 0).raw)
    completion["model"] = completion["choices"][0]["finish_reason"] = f"for {LONG}"
    served = serve_model(always(Reply(json.dumps(completion).encode())), api_key=LONG)
    served.agent.choose(start())
    assert (served.log()[0]["answered_by"], served.log()[0]["finish"]) == (f"for {REDACTED}", f"for {REDACTED}")


def test_it_is_redacted_in_headers_too(serve_model: ServeModel) -> None:
    reply = Reply(headers={f"bad header {LONG}": "x"})
    served = serve_model(always(reply), api_key=LONG, retries=0)
    with pytest.raises(StoppedError, match="did not answer") as stopped:
        served.agent.choose(start())
    assert "sk-" not in everything_kept(served, str(stopped.value))


@pytest.mark.parametrize("key", ["none", "x", "e", "3", '"', "key"])
def test_a_short_key_is_redacted_too_and_spoils_no_move(key: str, serve_model: ServeModel) -> None:
    behave: Behaviour = in_turn(say(f"{key} or {key}?"), say(f"{key} it is\nMOVE: charge 3"))
    served = serve_model(behave, api_key=key)
    match = start()
    move = served.agent.choose(match)
    assert match.game.move_name(match.state, move) == "charge 3"
    first, second = read_exchanges(served.file)
    assert first.reply == f"{REDACTED} or {REDACTED}?"
    assert first.why.endswith(f"; the last line was '{REDACTED} or {REDACTED}?'.")
    assert second.prompt[2].content == first.reply
    assert second.reply == redactor(key)(f"{key} it is\nMOVE: charge 3")
    again = serve_model(always(fail(500)), api_key=key)
    again.client.log.remember([first, second])
    assert again.agent.choose(match) == move, "the redacted log is enough to replay the match"
    assert not again.endpoint.bodies


def test_a_text_without_it_stays_the_same() -> None:
    text = r"sk-00\/01 %2F &#47; \u0073k-"
    assert redactor(LONG)(text) == redactor("")(text) == text
    assert redactor("a/b&")(r"a/b& a\/b\u0026 a%2fb%26 a&#x2F;b&amp; A/b&") == " ".join([REDACTED] * 4 + ["A/b&"])
