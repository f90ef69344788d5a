"""Records as JSON documents, as `docs/record-format.md` specifies them."""

import math
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Outcome, uses_word_list
from duelbook.games import find_rules, make, name_of
from duelbook.options import options_of, write_options
from duelbook.records.record import (
    LARGEST_SEED,
    SEATS,
    TIME_LIMITS,
    Person,
    Reason,
    Record,
    RecordError,
    check_result,
    is_time_limit,
    replay,
    result_name,
)
from duelbook.text import LONGEST_AGENT, clean_name, shorten

FORMAT = "duelbook-record"
VERSION = 1

T = TypeVar("T")


def to_json(record: Record) -> dict[str, Any]:
    """Answer the record as a JSON document."""
    words = {"dictionary": record.game.digest} if uses_word_list(record.game) else {}
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": name_of(record.game),
        "options": write_options(record.game),
        **words,
        "players": [
            {"name": person.name, "agent": person.agent, "seat": SEATS[number ^ record.first]}
            for number, person in enumerate(record.people)
        ],
        "seed": record.seed,
        "time_limit": record.time_limit,
        "moves": list(record.moves),
        "result": result_name(record.outcome),
        "reason": str(record.reason),
        "started": record.started,
        "ended": record.ended,
        "seconds": list(record.seconds),
    }


def from_json(document: Any) -> Record:
    """Answer the record that the document holds, replayed and checked; trusts nothing."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RecordError(f"format: not '{FORMAT}', so this is no Duelbook record")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(f"version: {shorten(repr(version))} is unknown here; this Duelbook reads {VERSION}")
    game = _read_game(document)
    people, first = _read_players(_take(document, "players", _is_list, "a list"))
    record = Record(
        game=game,
        people=people,
        first=first,
        moves=_read_moves(game, _take(document, "moves", _is_texts, "a list of move names")),
        outcome=_one_of(document, "result", {result_name(outcome): outcome for outcome in Outcome}),
        reason=_one_of(document, "reason", {str(reason): reason for reason in Reason}),
        seed=_take(document, "seed", _is_seed, "a whole number or null"),
        time_limit=_take(document, "time_limit", _is_limit, f"null or {TIME_LIMITS}"),
        started=_take(document, "started", _is_time, "an ISO 8601 time or null"),
        ended=_take(document, "ended", _is_time, "an ISO 8601 time or null"),
        seconds=tuple(_take(document, "seconds", _is_seconds, "a list of seconds, one a move, or empty")),
    )
    for name in document.keys() - to_json(record):
        raise RecordError(f"{shorten(name)}: unknown; a record of {name_of(game)} has no such field")
    check_result(record)
    if record.seconds and len(record.seconds) != len(record.moves):
        raise RecordError(f"seconds: {len(record.seconds)} given, but the number of moves is {len(record.moves)}")
    return record


def _read_game(document: dict[str, Any]) -> AnyGame:
    name = _take(document, "game", _is_text, "the name of a game")
    given = _take(document, "options", _is_options, "an object of texts and whole numbers")
    try:
        missing = [option.name for option in options_of(find_rules(name)) if option.name not in given]
        game = make(name, **given)
    except RefusedError as error:
        raise RecordError(f"game and options: {error}") from error
    if missing:
        raise RecordError(f"options: {missing[0]} is missing")
    if uses_word_list(game) and document.get("dictionary") != game.digest:
        raise RecordError("dictionary: the game was played with another word list than the one here")
    return game


def _read_moves(game: AnyGame, names: list[str]) -> tuple[str, ...]:
    """Answer the moves by the names that the game gives them, or refuse the first illegal one."""
    state, canonical = game.initial(), []
    for move, following in replay(game, names):
        canonical.append(game.move_name(state, move))
        state = following
    return tuple(canonical)


def _read_players(players: list[Any]) -> tuple[tuple[Person, Person], int]:
    seats = [_read_player(number, player) for number, player in enumerate(players, 1)]
    if [seat for _, seat in seats] not in ([*SEATS], [*SEATS][::-1]):
        raise RecordError("players: must be two, one on the first seat and one on the second")
    (one, seat), (two, _) = seats
    return (one, two), SEATS.index(seat)


def _read_player(number: int, player: Any) -> tuple[Person, str]:
    keys = ("name", "agent", "seat")
    if not isinstance(player, dict) or {*player} != {*keys} or not all(map(_is_text, player.values())):
        raise RecordError(f"player {number}: must have the texts {', '.join(keys)} and nothing else")
    try:
        return Person(clean_name(player["name"]), clean_name(player["agent"], LONGEST_AGENT)), player["seat"]
    except RefusedError as error:
        raise RecordError(f"player {number}: {error}") from error


def _take(document: dict[str, Any], name: str, fits: Callable[[Any], bool], what: str) -> Any:
    if name not in document:
        raise RecordError(f"{name}: missing")
    if not fits(document[name]):
        raise RecordError(f"{name}: must be {what}")
    return document[name]


def _one_of(document: dict[str, Any], name: str, values: dict[str, T]) -> T:
    return values[
        _take(document, name, lambda value: _is_text(value) and value in values, f"one of {', '.join(values)}")
    ]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return (_is_whole(value) and abs(value) <= LARGEST_SEED) or (isinstance(value, float) and math.isfinite(value))


def _is_options(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(item) or _is_whole(item) for item in value.values())


def _is_seed(value: Any) -> bool:
    return value is None or (_is_whole(value) and abs(value) <= LARGEST_SEED)


def _is_limit(value: Any) -> bool:
    return value is None or (_is_number(value) and is_time_limit(value))


def _is_seconds(value: Any) -> bool:
    return isinstance(value, list) and all(_is_number(item) and item >= 0 for item in value)


def _is_time(value: Any) -> bool:
    try:
        return value is None or bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False
