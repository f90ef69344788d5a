"""Records as JSON documents."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbook import make
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.match import Match
from duelbook.records.document import from_json, to_json
from duelbook.records.record import Gift, Note, Person, RecordError, check_time_limit
from tests.support.strategies import games, lines

PEOPLE = (Person("Red"), Person("Blue", "greedy"))
RED = {"name": "Red", "agent": "human", "seat": "first"}
BLUE = {"name": "Blue", "agent": "greedy", "seat": "second"}


def document(name: str = "charge", *moves: str, **options: str) -> dict[str, Any]:
    match = Match(make(name, **options))
    for move in moves or ("charge 3", "block"):
        match.play(move)
    return to_json(match.record(PEOPLE, 1, seed=7, time_limit=30))


@settings(max_examples=150, deadline=None)
@given(st.data(), games(), st.integers(0, 1))
def test_a_record_reads_back_as_it_was_written(data: st.DataObject, game: AnyGame, first: int) -> None:
    match = Match(game)
    for move in data.draw(lines(game)):
        match.play(move)
    if not match.over and data.draw(st.booleans()):
        match.resign(data.draw(st.integers(0, 1)))
    record = match.record(PEOPLE, first, seed=3)
    assert from_json(json.loads(json.dumps(to_json(record)))) == record


def test_a_record_has_the_fields_of_the_format_page() -> None:
    assert list(document()) == [
        "format",
        "version",
        "game",
        "options",
        "players",
        "seed",
        "time_limit",
        "moves",
        "result",
        "reason",
        "started",
        "ended",
        "seconds",
    ]
    assert document()["players"] == [
        {"name": "Red", "agent": "human", "seat": "second"},
        {"name": "Blue", "agent": "greedy", "seat": "first"},
    ]


def test_a_word_game_carries_the_hash_of_its_dictionary() -> None:
    """WC-2."""
    assert document("word-clash", "E self 3")["dictionary"].startswith("sha256:")


OVER = document("flag-chase", "2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "chess"}, "This is not a Duelbook record: its format must be 'duelbook-record'."),
        ({"version": 2}, "version cannot be 2; this version of Duelbook reads version 1."),
        ({"version": True}, "version cannot be True; "),
        ({"game": "chess"}, "Unknown game 'chess'. Games: alpha-chase"),
        ({"game": 5}, "game must be text, not a whole number."),
        ({"options": {"gaol": 15}}, "Unknown option 'gaol'. Did you mean 'goal'? Options: goal, "),
        ({"options": {}}, "options.goal is missing."),
        ({"options": []}, "options must be an object, not a list."),
        ({"options": {"goal": None}}, "options[...] must be a whole number or text, not null."),
        ({"options": {"name": "x"}}, "Unknown option 'name'. "),
        ({"moves": ["charge 3", "charge 6"]}, "Move 2: 'charge 6' is not legal here. Legal moves: charge 1"),
        ({"moves": "charge 3"}, "moves must be a list, not text."),
        ({"moves": [3]}, "moves[0] must be text, not a whole number."),
        ({"moves": ["charge 5", "block"] * 9}, "Move 6: 'block' is not legal here"),
        ({"result": "first"}, "result cannot be 'first' with the reason 'unfinished': by the rules, the moves lead to"),
        ({"result": "first", "reason": "rules"}, "result cannot be 'first' with the reason 'rules': "),
        ({"result": "draw", "reason": "resignation"}, "result cannot be 'draw' with the reason 'resignation': "),
        ({"result": "none", "reason": "resignation"}, "result cannot be 'none' with the reason 'resignation': "),
        ({"result": "first", "reason": "time"}, "result cannot be 'first' with the reason 'time': "),
        ({"result": "first", "reason": "ply limit"}, "result cannot be 'first' with the reason 'ply limit': "),
        ({"result": "me"}, "result cannot be 'me'; valid: first, second, draw, none."),
        (
            {"reason": "x"},
            "reason cannot be 'x'; valid: rules, resignation, time, forfeit, absence, ply limit, unfinished.",
        ),
        ({"reason": ["x"]}, "reason must be text, not a list."),
        ({"players": []}, "players must be a list of at least 2 entries."),
        ({"players": [RED] * 2}, "players must be on different seats: one on 'first' and one on 'second'."),
        ({"players": [{"name": "A"}, {}]}, "players[0].agent is missing."),
        ({"players": [RED | {"age": "9"}, RED]}, "'players[0].age' is not a known field."),
        ({"players": [RED | {"name": "x" * 33}, BLUE]}, "players[0]: A name must have 1 to 32 characters, not 33."),
        ({"players": [RED, BLUE | {"agent": "x" * 501}]}, "players[1]: A name must have 1 to 500 characters, not 501."),
        ({"players": [RED, BLUE | {"seat": "third"}]}, "players[1].seat cannot be 'third'; valid: first, second."),
        ({"seed": "x"}, "seed must be a whole number or null, not text."),
        ({"seed": 2**70}, "seed must be a whole number of at most 9223372036854775807."),
        ({"time_limit": 1e200}, "time_limit must be a number of at most 86400."),
        ({"time_limit": -1}, "time_limit must be a whole number of at least 1."),
        ({"time_limit": 0.0}, "time_limit must be a number above 0."),
        ({"started": "yesterday"}, "started must be an ISO 8601 time or null, not 'yesterday'."),
        ({"started": 5}, "started must be text or null, not a whole number."),
        ({"seconds": [1]}, "seconds must have one number for each of the 2 moves, not 1."),
        ({"seconds": [1, -1]}, "seconds[1] must be a whole number of at least 0."),
        ({"seconds": [1, True]}, "seconds[1] must be a whole number or a number, not true or false."),
        ({"extra": 1}, "'extra' is not a known field."),
        ({"dictionary": "sha256:0"}, "'dictionary' is not a known field: charge uses no word list."),
        ({"opening": 3}, "opening cannot be 3: there are 2 moves."),
        ({"opening": 0}, "opening must be"),
        ({"opening": -1}, "opening must be"),
        ({"opening": "1"}, "opening must be"),
        ({"notes": []}, "notes must be a list of at least 1 entries"),
        ({"notes": [{"move": 3, "depth": 1}]}, "notes[0].move cannot be 3: notes follow the order of the 2 moves."),
        ({"notes": [{"move": 2, "depth": 1}] * 2}, "notes[1].move cannot be 2"),
        ({"notes": [{"move": 1}]}, "notes[0] says nothing: it needs evaluation, depth or text."),
        ({"notes": [{"move": 1, "evaluation": 1.5}]}, "notes[0].evaluation must be a number of at most 1"),
        ({"notes": [{"move": 1, "text": "x" * 401}]}, "notes[0].text must be text of at most 400 characters"),
        ({"notes": [{"move": 1, "mood": "good"}]}, "'notes[0].mood' is not a known field"),
        (
            {"given": [{"move": 1, "seconds": 15}], "time_limit": None},
            "given needs a time_limit",
        ),
        ({"given": []}, "given must be a list of at least 1 entries"),
        ({"given": [{"move": 4, "seconds": 15}]}, "given[0].move cannot be 4: gifts follow the order"),
        ({"given": [{"move": 2, "seconds": 15}] * 2}, "given[1].move cannot be 2"),
        ({"given": [{"move": 1, "seconds": 75}]}, "given[0].seconds must be a whole number of at most 60"),
        ({"given": [{"move": 1, "seconds": 20}]}, "given[0].seconds must be a whole number that's a multiple of 15"),
        (OVER | {"moves": ["2", "1"]}, "Move 2: '1' is not legal here. The game is over"),
        (OVER | {"result": "none", "reason": "unfinished"}, "result cannot be 'none' with the reason 'unfinished'"),
    ],
)
def test_a_wrong_record_is_refused_with_the_field_or_the_move(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as refused:
        from_json(document() | change)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", list(document()))
def test_a_record_without_one_of_its_fields_is_refused_by_name(name: str) -> None:
    with pytest.raises(RecordError, match=rf"\b{name}\b"):
        from_json({key: value for key, value in document().items() if key != name})


def test_another_dictionary_is_refused(tmp_path: Path) -> None:
    """WC-2."""
    file = tmp_path / "words"
    file.write_text("abc\n")
    written = document("word-clash", "E self 3", length="3", dictionary=str(file))
    assert from_json(written)
    file.write_text("abc\nxyz\n")
    with pytest.raises(RecordError, match="dictionary does not match: the game was played with a different word list"):
        from_json(written)
    file.unlink()
    with pytest.raises(RecordError, match="dictionary cannot be"):
        from_json(written)


def test_drawn_moves_are_counted_only_if_there_are_any() -> None:
    drawn = document() | {"opening": 2}
    assert from_json(drawn).opening == 2
    assert to_json(from_json(drawn))["opening"] == 2
    assert "opening" not in document()
    assert from_json(document()).opening == 0


def test_the_time_that_was_given_is_kept_also_that_of_the_turn_that_goes_on() -> None:
    """ALL-9."""
    given = [{"move": 1, "seconds": 15}, {"move": 3, "seconds": 60}]
    read = from_json(document() | {"given": given})
    assert read.given == (Gift(1, 15), Gift(3, 60))
    assert to_json(read)["given"] == given
    assert Match.resumed(read).given_seconds == 60
    assert "given" not in to_json(from_json(document()))


def test_notes_are_kept() -> None:
    notes = [{"move": 1, "evaluation": -0.5, "depth": 3}, {"move": 2, "text": "well, well"}]
    read = from_json(document() | {"notes": notes})
    assert read.notes == (Note(1, -0.5, 3), Note(2, text="well, well"))
    assert to_json(read)["notes"] == notes
    assert "notes" not in to_json(from_json(document()))


def test_a_time_limit_that_is_refused_is_named_as_it_was_given() -> None:
    with pytest.raises(RefusedError, match="not 99999999\\."):
        check_time_limit("--time-limit", 99999999.0)
