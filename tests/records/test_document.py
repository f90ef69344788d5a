"""Records as JSON documents."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.match import Match
from duelbook.records.document import from_json, to_json
from duelbook.records.record import Gift, Note, Person, RecordError, check_time_limit
from tests.support.playing import match_after
from tests.support.strategies import games, lines

PEOPLE = (Person("Red"), Person("Blue", "greedy"))
WRONG = json.loads(Path(__file__).with_name("wrong_records.json").read_text())  # what is changed, and what is said


def document(name: str = "charge", *moves: str, **options: str) -> dict[str, Any]:
    match = match_after(name, *moves or ("charge 3", "block"), **options)
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


@pytest.mark.parametrize(("change", "message"), WRONG)
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
