"""Records: written whole, read with distrust."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duelbook import make
from duelbook.game import AnyGame
from duelbook.match import Match
from duelbook.records.document import from_json, to_json
from duelbook.records.file import file_named, load, save
from duelbook.records.record import Person, RecordError
from tests.support.strategies import games, lines

PEOPLE = (Person("Red"), Person("Blue", "greedy"))


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


def test_a_record_says_what_the_format_page_says() -> None:
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "chess"}, "format: not 'duelbook-record'"),
        ({"version": 2}, "version: 2 is unknown here; this Duelbook reads 1"),
        ({"version": True}, "version: True is unknown"),
        ({"game": "chess"}, "game and options: unknown game 'chess'; valid: alpha-chase"),
        ({"game": 5}, "game: must be the name of a game"),
        ({"options": {"gaol": 15}}, "game and options: unknown option 'gaol'"),
        ({"options": {}}, "options: goal is missing"),
        ({"options": []}, "options: must be an object"),
        ({"options": {"goal": None}}, "options: must be an object"),
        ({"moves": ["charge 3", "charge 6"]}, "move 2: 'charge 6' is not legal here; legal: charge 1"),
        ({"moves": "charge 3"}, "moves: must be a list of move names"),
        ({"moves": [3]}, "moves: must be a list of move names"),
        ({"moves": ["charge 5", "block"] * 9}, "move 6: 'block' is not legal here"),
        ({"result": "first"}, "result: first by unfinished does not follow from the moves; by the rules it is none"),
        ({"result": "first", "reason": "rules"}, "result: first by rules does not follow"),
        ({"result": "draw", "reason": "resignation"}, "result: draw by resignation does not follow"),
        ({"result": "none", "reason": "resignation"}, "result: none by resignation does not follow"),
        ({"result": "first", "reason": "time"}, "result: first by time does not follow"),
        ({"result": "first", "reason": "ply limit"}, "result: first by ply limit does not follow"),
        ({"result": "me"}, "result: must be one of first, second, draw, none"),
        ({"reason": ["x"]}, "reason: must be one of rules, resignation, time, forfeit, ply limit, unfinished"),
        ({"players": []}, "players: must be two"),
        ({"players": [{"name": "A", "agent": "human", "seat": "first"}] * 2}, "players: must be two, one on the first"),
        ({"players": [{"name": "A"}, {}]}, "player 1: must have the texts name, agent, seat"),
        ({"players": [{"name": "x" * 33, "agent": "human", "seat": "first"}] * 2}, "player 1: a name has 1 to 32"),
        ({"players": [{"name": "x", "agent": "x" * 501, "seat": "first"}] * 2}, "player 1: a name has 1 to 500"),
        ({"seed": "x"}, "seed: must be a whole number or null"),
        ({"seed": 2**70}, "seed: must be a whole number or null"),
        ({"time_limit": 1e200}, "time_limit: must be null or a number of seconds above 0 and up to 86400"),
        ({"options": {"name": "x"}}, "game and options: unknown option 'name'"),
        ({"time_limit": -1}, "time_limit: must be null or a number of seconds above 0"),
        ({"started": "yesterday"}, "started: must be an ISO 8601 time or null"),
        ({"started": 5}, "started: must be an ISO 8601 time or null"),
        ({"seconds": [1]}, "seconds: 1 given, but the number of moves is 2"),
        ({"seconds": [1, -1]}, "seconds: must be a list of seconds"),
        ({"seconds": [1, True]}, "seconds: must be a list of seconds"),
        ({"extra": 1}, "extra: unknown"),
        ({"dictionary": "sha256:0"}, "dictionary: unknown"),
    ],
)
def test_a_wrong_record_is_refused_with_its_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as refused:
        from_json(document() | change)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", list(document()))
def test_a_record_without_one_of_its_fields_is_refused_by_name(name: str) -> None:
    with pytest.raises(RecordError, match=f"^{name}: "):
        from_json({key: value for key, value in document().items() if key != name})


def test_a_move_after_the_end_is_refused() -> None:
    finished = document("flag-chase", "2")
    with pytest.raises(RecordError, match="move 2: '1' is not legal here; the game is over"):
        from_json(finished | {"moves": ["2", "1"]})


def test_a_finished_game_cannot_be_called_unfinished() -> None:
    with pytest.raises(RecordError, match="result: none by unfinished does not follow"):
        from_json(document("flag-chase", "2") | {"result": "none", "reason": "unfinished"})


def test_another_dictionary_is_refused(tmp_path: Path) -> None:
    """WC-2."""
    file = tmp_path / "words"
    file.write_text("abc\n")
    written = document("word-clash", "E self 3", length="3", dictionary=str(file))
    assert from_json(written)
    file.write_text("abc\nxyz\n")
    with pytest.raises(RecordError, match="dictionary: the game was played with another word list"):
        from_json(written)
    file.unlink()
    with pytest.raises(RecordError, match="game and options: dictionary cannot be"):
        from_json(written)


RAW = [
    (b"", "line 1: not JSON"),
    (b"\xff\xfe", "byte 1: not UTF-8 text"),
    (b'{"format": "duelbook-record",\n', "line 2: not JSON"),
    (b"[" * 100_000, "a number or a nesting"),
    (b"1" * 10_000, "a number or a nesting"),
    (b'{"a": 1, "a": 2}', "a: given twice"),
    (b'{"a": NaN}', "NaN is not a JSON number"),
    (b"null", "format: not"),
    (b'"\\ud800"', "half of a character"),
    (b"[]", "format: not"),
]


@pytest.mark.parametrize(("raw", "message"), RAW)
def test_what_is_no_record_at_all_is_refused_in_one_line(tmp_path: Path, raw: bytes, message: str) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(raw)
    with pytest.raises(RecordError) as refused:
        load(file)
    assert str(refused.value).startswith(f"{file}: {message}")
    assert "\n" not in str(refused.value)


def test_files_that_cannot_be_read_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="No such file or directory"):
        load(tmp_path / "nowhere")
    with pytest.raises(RecordError, match="Is a directory"):
        load(tmp_path)
    with pytest.raises(RecordError, match="larger than 4000000 bytes"):
        load(Path("/dev/zero"))


def test_saving_where_it_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot save to .*: No such file or directory"):
        save(from_json(document()), tmp_path / "nowhere" / "game.json")


def test_a_crash_while_saving_never_destroys_the_older_file(tmp_path: Path) -> None:
    """A process that dies at any step of a save leaves the older record, whole."""
    file = tmp_path / "game.json"
    save(from_json(document()), file)
    older = file.read_bytes()
    script = """
import os, sys
from pathlib import Path
from duelbook.records import file as recordfile
target, step = Path(sys.argv[1]), sys.argv[2]
setattr(os, step, lambda *args: os._exit(9))
record = recordfile.load(target)
recordfile.save(record, target)
"""
    for step in ("fsync", "replace"):
        done = subprocess.run([sys.executable, "-c", script, str(file), step], check=False)
        assert done.returncode == 9
        assert file.read_bytes() == older
        assert load(file)


def test_a_save_respects_the_umask_and_keeps_a_link_a_link(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save(from_json(document()), tmp_path / "game.json")
    finally:
        os.umask(before)
    assert (tmp_path / "game.json").stat().st_mode & 0o777 == 0o640
    (tmp_path / "link.json").symlink_to(tmp_path / "game.json")
    save(from_json(document("flag-chase", "2")), file_named(str(tmp_path / "link.json")))
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "game.json").moves == ("2",)


def test_a_save_leaves_no_other_file_behind(tmp_path: Path) -> None:
    save(from_json(document()), tmp_path / "game.json")
    assert os.listdir(tmp_path) == ["game.json"]
