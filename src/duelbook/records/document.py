"""Records as JSON documents, as `docs/record-format.md` specifies them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from duelbook.documents import convert
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Outcome, OutcomeName, Reason, SeatName, outcome_name, uses_word_list
from duelbook.games import find_rules, name_of
from duelbook.options import options_of, read_options, write_options
from duelbook.records.record import (
    GIFT_SECONDS,
    MAX_DEPTH,
    MAX_GIVEN_SECONDS,
    MAX_NOTE_CHARACTERS,
    MAX_SEED,
    MAX_TURN_SECONDS,
    Gift,
    Note,
    Person,
    Record,
    RecordError,
    check_result,
    replay,
)
from duelbook.text import MAX_AGENT_CHARACTERS, clean_name, sanitize, shorten

FORMAT: Final = "duelbook-record"
VERSION: Final = 1

Seed = Annotated[int, Meta(ge=-MAX_SEED, le=MAX_SEED)]
Seconds = Annotated[int, Meta(ge=0, le=MAX_SEED)] | Annotated[float, Meta(ge=0)]
TurnSeconds = Annotated[int, Meta(gt=0, le=MAX_TURN_SECONDS)] | Annotated[float, Meta(gt=0, le=MAX_TURN_SECONDS)]


class PlayerDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Player 1 or Player 2 of a record."""

    name: str
    agent: Annotated[str, Meta(description="`human`, or the agent that plays")]
    seat: SeatName


Evaluation = Annotated[float, Meta(ge=-1, le=1, description="from -1, the player loses, to 1, the player wins")]
Depth = Annotated[int, Meta(ge=0, le=MAX_DEPTH, description="how many moves the player looked ahead")]
NoteText = Annotated[str, Meta(min_length=1, max_length=MAX_NOTE_CHARACTERS)]


class NoteDocument(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a program said about a move of its own."""

    move: Annotated[int, Meta(ge=1, description="the number of the move, from 1")]
    evaluation: Evaluation | UnsetType = UNSET
    depth: Depth | UnsetType = UNSET
    text: NoteText | UnsetType = UNSET


class GiftDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time that a player gave the opponent for a turn, besides the limit."""

    move: Annotated[int, Meta(ge=1, description="the number of the move of that turn, from 1")]
    seconds: Annotated[int, Meta(ge=GIFT_SECONDS, le=MAX_GIVEN_SECONDS, multiple_of=GIFT_SECONDS)]


class RecordDocument(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A played game, finished or not."""

    format: Literal["duelbook-record"]
    version: Literal[1]
    game: str
    options: Annotated[dict[str, int | str], Meta(description="all options of the game")]
    dictionary: Annotated[str, Meta(description="hash of the word list, if the game uses one")] | UnsetType = UNSET
    players: Annotated[list[PlayerDocument], Meta(min_length=2, max_length=2, description="Player 1 and Player 2")]
    seed: Seed | None
    time_limit: TurnSeconds | None
    moves: list[str]
    result: OutcomeName
    reason: Reason
    started: Annotated[str, Meta(description="ISO 8601 time")] | None
    ended: Annotated[str, Meta(description="ISO 8601 time")] | None
    seconds: Annotated[list[Seconds], Meta(description="what each move took; empty if not measured")]
    opening: (
        Annotated[int, Meta(ge=1, description="how many of the first moves were drawn, not chosen")] | UnsetType
    ) = UNSET
    notes: (
        Annotated[list[NoteDocument], Meta(min_length=1, description="what programs said about their moves")]
        | UnsetType
    ) = UNSET
    given: (
        Annotated[list[GiftDocument], Meta(min_length=1, description="the turns for which the opponent gave time")]
        | UnsetType
    ) = UNSET


def to_document(record: Record, name: str | None = None) -> RecordDocument:
    """Return the record as a document. `name` is that of the game, by default the one under which it is registered."""
    players = [
        PlayerDocument(person.name, person.agent, SEAT_NAMES[number ^ record.first])
        for number, person in enumerate(record.people)
    ]
    return RecordDocument(
        format=FORMAT,
        version=VERSION,
        game=name or name_of(record.game),
        options=write_options(record.game),
        dictionary=record.game.digest if uses_word_list(record.game) else UNSET,
        players=players,
        seed=record.seed,
        time_limit=record.time_limit,
        moves=list(record.moves),
        result=outcome_name(record.outcome),
        reason=record.reason,
        started=record.started,
        ended=record.ended,
        seconds=list(record.seconds),
        opening=record.opening or UNSET,
        notes=list(map(_note_document, record.notes)) or UNSET,
        given=[GiftDocument(*gift) for gift in record.given] or UNSET,
    )


def _note_document(note: Note) -> NoteDocument:
    given = {name: value for name, value in note._asdict().items() if value is not None}
    return NoteDocument(**given)


def to_json(record: Record) -> dict[str, Any]:
    """Return the record as a JSON object."""
    document: dict[str, Any] = msgspec.to_builtins(to_document(record))
    return document


def from_json(value: Any) -> Record:
    """Return the record that a parsed JSON value holds, or raise RecordError. The moves are replayed and checked."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise RecordError(f"This is not a Duelbook record: its format must be '{FORMAT}'.")
    version = value.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(
            f"version cannot be {shorten(repr(version))}; this version of Duelbook reads version {VERSION}."
        )
    try:
        return from_document(convert(value, RecordDocument))
    except RecordError:
        raise
    except RefusedError as error:
        raise RecordError(str(error)) from error


def from_document(document: RecordDocument) -> Record:
    """Return the record that the document holds, or raise RefusedError. The moves are replayed and checked."""
    game = _read_game(document)
    if {player.seat for player in document.players} != {*SEAT_NAMES}:
        raise RecordError("players must be on different seats: one on 'first' and one on 'second'.")
    for name, time in (("started", document.started), ("ended", document.ended)):
        _check_time(name, time)
    one, two = (_read_player(place, player) for place, player in enumerate(document.players))
    record = Record(
        game=game,
        people=(one, two),
        first=SEAT_NAMES.index(document.players[0].seat),
        moves=_read_moves(game, document.moves),
        outcome=next(outcome for outcome in Outcome if outcome_name(outcome) == document.result),
        reason=document.reason,
        seed=document.seed,
        time_limit=document.time_limit,
        started=document.started,
        ended=document.ended,
        seconds=tuple(document.seconds),
        opening=0 if document.opening is UNSET else document.opening,
        notes=() if document.notes is UNSET else _read_notes(document.notes, len(document.moves)),
        given=() if document.given is UNSET else _read_gifts(document),
    )
    check_result(record)
    if record.opening > len(record.moves):
        raise RecordError(f"opening cannot be {record.opening}: there are {len(record.moves)} moves.")
    if record.seconds and len(record.seconds) != len(record.moves):
        raise RecordError(
            f"seconds must have one number for each of the {len(record.moves)} moves, not {len(record.seconds)}."
        )
    return record


def _read_notes(notes: Iterable[NoteDocument], moves: int) -> tuple[Note, ...]:
    """Return the notes, or raise RecordError unless each says something, and is about a later move than the last."""
    read: list[Note] = []
    for place, document in enumerate(notes):
        note = Note(**msgspec.to_builtins(document))
        if not (read[-1].move if read else 0) < note.move <= moves:
            raise RecordError(
                f"notes[{place}].move cannot be {note.move}: notes follow the order of the {moves} moves."
            )
        if note == Note(note.move):
            raise RecordError(f"notes[{place}] says nothing: it needs evaluation, depth or text.")
        read.append(note._replace(text=note.text and sanitize(note.text)))
    return tuple(read)


def _read_gifts(document: RecordDocument) -> tuple[Gift, ...]:
    """Return the gifts of time, or raise RecordError unless each is for a later turn than the last."""
    gifts = [Gift(gift.move, gift.seconds) for gift in document.given or ()]
    if document.time_limit is None:
        raise RecordError("given needs a time_limit: without one, no time can be given.")
    for place, gift in enumerate(gifts):
        if not (gifts[place - 1].move if place else 0) < gift.move <= len(document.moves) + 1:
            raise RecordError(
                f"given[{place}].move cannot be {gift.move}: gifts follow the order of the {len(document.moves)} moves."
            )
    return tuple(gifts)


def _read_game(document: RecordDocument) -> AnyGame:
    rules = find_rules(document.game)
    game = rules(**read_options(rules, document.options))  # not `make`: a record has every option, and no preset
    for option in options_of(rules):
        if option.name not in document.options:
            raise RecordError(f"options.{option.name} is missing.")
    if not uses_word_list(game):
        if document.dictionary is not UNSET:
            raise RecordError(f"'dictionary' is not a known field: {document.game} uses no word list.")
    elif document.dictionary is UNSET:
        raise RecordError("dictionary is missing.")
    elif document.dictionary != game.digest:
        raise RecordError("dictionary does not match: the game was played with a different word list.")
    return game


def _read_player(place: int, player: PlayerDocument) -> Person:
    try:
        return Person(clean_name(player.name), clean_name(player.agent, MAX_AGENT_CHARACTERS))
    except RefusedError as error:
        raise RecordError(f"players[{place}]: {error}") from error


def _read_moves(game: AnyGame, names: Iterable[str]) -> tuple[str, ...]:
    """Return the moves by the names that the game gives them, or raise RecordError at the first illegal one."""
    state, canonical = game.initial(), []
    for move, following in replay(game, names):
        canonical.append(game.move_name(state, move))
        state = following
    return tuple(canonical)


def _check_time(name: str, text: str | None) -> None:
    try:
        if text is not None:
            datetime.fromisoformat(text)
    except ValueError as error:
        raise RecordError(f"{name} must be an ISO 8601 time or null, not '{shorten(text or '')}'.") from error
