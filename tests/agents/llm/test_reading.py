"""How replies are read: the strict and the tolerant rule, and the kinds of replies that name no legal move."""

import tomllib
from pathlib import Path

import pytest

from duelbook import make
from duelbook.agents.llm import ModelReply, Reading, read_reply
from duelbook.agents.llm.log import FunctionCall
from duelbook.agents.llm.reading import ReplyVerdict
from duelbook.match import Match

REPLIES = tomllib.loads(Path(__file__).with_name("replies.toml").read_text())
LONG = {"MOVE: " + "x" * 200: "The name of the move is longer than", "x" * 100_000: "The last line was 'xxx"}


def read(reply: str | ModelReply, rule: Reading, *, show_legal: bool = True) -> tuple[str | None, ReplyVerdict]:
    """Return the name of the move that is read in the first position of Charge, and all that is said about it."""
    match = Match(make("charge"))
    given = ModelReply(reply) if isinstance(reply, str) else reply
    verdict = read_reply(given, match.game, match.state, rule, show_legal=show_legal)
    return (None if verdict.move is None else match.game.move_name(match.state, verdict.move)), verdict


def results(reply: str | ModelReply) -> tuple[str, str]:
    strict, tolerant = (read(reply, rule)[1].result for rule in (Reading.STRICT, Reading.TOLERANT))
    return strict, tolerant


@pytest.mark.parametrize("reply", REPLIES["strict"])
def test_both_rules_read_a_last_line_in_the_required_form(reply: str) -> None:
    assert [read(reply, rule)[0] for rule in Reading] == ["charge 3"] * 2


@pytest.mark.parametrize("reply", REPLIES["tolerant"])
def test_only_the_tolerant_rule_looks_past_the_form(reply: str) -> None:
    assert read(reply, Reading.TOLERANT)[0] == "charge 3"
    assert read(reply, Reading.STRICT)[1].result == "format"


@pytest.mark.parametrize(("reply", "why"), [*REPLIES["format"].items(), *LONG.items()])
def test_a_reply_without_one_move_in_the_form_is_a_fault_of_format_under_both_rules(reply: str, why: str) -> None:
    assert results(reply) == ("format", "format")
    verdict = read(reply, Reading.STRICT)[1]
    assert verdict.why.startswith(why)
    assert len(verdict.why) < 400


@pytest.mark.parametrize(("reply", "why"), REPLIES["illegal"].items())
def test_a_clear_move_that_is_not_legal_is_illegal(reply: str, why: str) -> None:
    assert results(reply) == ("illegal", "illegal")
    assert read(reply, Reading.STRICT)[1].why.startswith(why)
    assert "Legal moves" not in read(reply, Reading.TOLERANT, show_legal=False)[1].why


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS"])
def test_a_reply_that_was_cut_off_is_never_read(finish: str) -> None:
    assert results(ModelReply("MOVE: charge 1", finish)) == ("truncated", "truncated")


@pytest.mark.parametrize(
    "reply",
    [
        ModelReply(refusal="I cannot take part."),
        ModelReply("MOVE: cha", "content_filter"),
        ModelReply("", "SAFETY"),
        ModelReply("I'm sorry, but I can't help with that."),
        ModelReply("Sorry, I cannot assist with this request."),
        ModelReply("As an AI language model, I am unable to participate in games."),
    ],
)
def test_a_refusal_is_told_apart(reply: ModelReply) -> None:
    assert results(reply) == ("refusal", "refusal")


def test_apologies_before_a_move_are_no_refusal() -> None:
    assert results("I'm sorry, I can't continue the attack.\n**MOVE: block**") == ("format", "accepted")


def called(*moves: str, text: str = "") -> ModelReply:
    return ModelReply(text, calls=[FunctionCall("move", arguments) for arguments in moves])


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (called('{"move": "charge 3"}'), "accepted"),
        (called('{"move": "charge 3"}', text="I play it.\nMOVE: Charge 3"), "accepted"),
        (called('{"move": "charge 9"}'), "illegal"),
        (called('{"move": "charge 3"}', '{"move": "block"}'), "format"),
        (called('{"move": "charge 3"}', text="MOVE: block"), "format"),
        (called("charge 3"), "format"),
        (called('["charge 3"]'), "format"),
        (called('{"move": null}'), "format"),
        (ModelReply(calls=[FunctionCall("search", '{"move": "charge 3"}')]), "format"),
    ],
)
def test_the_tolerant_rule_reads_calls_of_the_function_that_agree(reply: ModelReply, result: str) -> None:
    assert read(reply, Reading.TOLERANT)[1].result == result


def test_the_strict_rule_accepts_no_reply_with_a_call() -> None:
    for move in ("charge 3", "block"):
        verdict = read(called(f'{{"move": "{move}"}}', text="MOVE: charge 3"), Reading.STRICT)[1]
        assert (verdict.result, "called the function" in verdict.why) == ("format", True)


def test_only_the_tolerant_rule_reads_a_list_of_parts() -> None:
    assert results(ModelReply("MOVE: charge 3", in_parts=True)) == ("format", "accepted")


def test_a_number_is_the_name_of_a_move_where_moves_are_numbers() -> None:
    match = Match(make("flag-chase"))

    def result(text: str) -> str:
        return read_reply(ModelReply(text), match.game, match.state, Reading.TOLERANT).result

    assert [result(f"MOVE: {text}") for text in ("2.", "3", "-1", "1.5", "1 or 2")] == [
        *("accepted", "illegal", "illegal", "illegal"),
        "format",
    ]
