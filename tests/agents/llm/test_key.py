"""The key: in no log, prompt, record or message, however an endpoint repeats it."""

import json
from urllib.parse import quote

import pytest

from duelbook.agents import Forfeit, StoppedError
from duelbook.agents.llm import read_exchanges
from duelbook.agents.llm.secret import HIDDEN, hider
from tests.support.endpoint import Behaviour, Reply, Seated, always, fail, in_turn, last_legal, say
from tests.support.models import Seat, start

LONG = "sk-" + "".join(f"{number:02}/" for number in range(40)) + "end"  # no key of anything
SLASHED = LONG.replace("/", r"\/")
UNICODE = "".join(rf"\u{ord(sign):04X}" for sign in LONG)


def seen(seated: Seated, *messages: str) -> str:
    """Answer all that is kept and shown."""
    return "".join([seated.file.read_text(), json.dumps(seated.endpoint.bodies), *messages])


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
def test_no_part_of_it_is_left_of_what_an_endpoint_sends(spelt: str, wrapped: str, status: int, seat: Seat) -> None:
    seated = seat(always(Reply(wrapped.format(spelt, spelt).encode(), status)), api_key=LONG)
    with pytest.raises(StoppedError if status == 401 else Forfeit) as raised:
        seated.agent.choose(start())
    everything = seen(seated, str(raised.value))
    assert "sk-" not in everything
    assert "06" not in json.dumps([entry["reply"] for entry in seated.log()])
    assert spelt[:10] not in everything
    assert HIDDEN in str(raised.value)


@pytest.mark.parametrize("key", [LONG, LONG[:80]])
@pytest.mark.parametrize("text", ["{}", "MOVE: {}", "MOVE: charge {}", "{}\nMOVE: charge 9"])
def test_no_part_of_it_is_left_of_what_a_model_says(text: str, key: str, seat: Seat) -> None:
    seated = seat(always(say(text.format(key))), api_key=key)
    kind, detail = seated.forfeits(start())
    assert kind == "illegal"
    assert "sk-" not in seen(seated, detail)


def test_no_part_of_it_is_left_of_what_else_a_completion_names(seat: Seat) -> None:
    completion = json.loads(last_legal({"messages": [{}, {"content": "Legal moves: charge 1"}]}, 0).raw)
    completion["model"] = completion["choices"][0]["finish_reason"] = f"for {LONG}"
    seated = seat(always(Reply(json.dumps(completion).encode())), api_key=LONG)
    seated.agent.choose(start())
    assert (seated.log()[0]["answered_by"], seated.log()[0]["finish"]) == (f"for {HIDDEN}", f"for {HIDDEN}")


def test_a_status_line_that_repeats_it_is_hidden_too(seat: Seat) -> None:
    reply = Reply(headers={f"bad header {LONG}": "x"})
    seated = seat(always(reply), api_key=LONG, retries=0)
    with pytest.raises(StoppedError, match="did not answer") as stopped:
        seated.agent.choose(start())
    assert "sk-" not in seen(seated, str(stopped.value))


@pytest.mark.parametrize("key", ["none", "x", "e", "3", '"', "key"])
def test_a_short_one_is_hidden_too_and_garbles_no_move(key: str, seat: Seat) -> None:
    behave: Behaviour = in_turn(say(f"{key} or {key}?"), say(f"{key} it is\nMOVE: charge 3"))
    seated = seat(behave, api_key=key)
    match = start()
    move = seated.agent.choose(match)
    assert match.game.move_name(match.state, move) == "charge 3"
    first, second = read_exchanges(seated.file)
    assert first["reply"] == f"{HIDDEN} or {HIDDEN}?"
    assert first["why"].startswith(f"the last line was '{HIDDEN} or {HIDDEN}?', not")
    assert second["prompt"][2]["content"] == first["reply"]
    assert second["reply"] == hider(key)(f"{key} it is\nMOVE: charge 3")
    again = seat(always(fail(500)), api_key=key)
    again.desk.exchanges.remember([first, second])
    assert again.agent.choose(match) == move, "and a log without it is all that is needed"
    assert not again.endpoint.bodies


def test_a_text_without_it_stays_as_it_is() -> None:
    text = r"sk-00\/01 %2F &#47; \u0073k-"
    assert hider(LONG)(text) == hider("")(text) == text
    assert hider("a/b&")(r"a/b& a\/b\u0026 a%2fb%26 a&#x2F;b&amp; A/b&") == " ".join([HIDDEN] * 4 + ["A/b&"])
