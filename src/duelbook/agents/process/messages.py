"""The messages between Duelbook and a program: one JSON object per line (docs/programs.md)."""

import json
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from duelbook import documents
from duelbook.agents.agent import Forfeit, ForfeitKind, StoppedError
from duelbook.errors import RefusedError
from duelbook.game import (
    SEAT_NAMES,
    AnyGame,
    IllegalMoveError,
    Move,
    Outcome,
    Player,
    Reason,
    move_names,
    parse_move,
    state_view,
    won_by,
)
from duelbook.games import label, rules_text
from duelbook.match import ReadOnlyMatch, named_moves
from duelbook.options import write_options
from duelbook.records.record import MAX_DEPTH, MAX_NOTE_CHARACTERS, Note
from duelbook.text import MAX_PLAYER_NAME_CHARACTERS, clean_name, sanitize, shorten

PROTOCOL = 1
MAX_AUTHOR_CHARACTERS = 100

PlayerResult = Literal["win", "loss", "draw", "none"]


class Hello(Struct):
    """What a program says about itself when it starts. It may have further fields."""

    name: str
    author: str
    games: list[str] | None = None  # the games that it plays; None for all
    can: list[str] = []

    def can_do(self, ability: str) -> bool:
        return ability in self.can


MATCHES = "matches"  # a program that can play several matches, one after another, in one process
SEED = "seed"  # a program that makes the same moves for the same seed
INFO = "info"  # a program that says what it thinks about its moves


class Info(Struct):
    """What a program says while it thinks. It may have further fields."""

    evaluation: Annotated[float, Meta(ge=-1, le=1)] | None = None
    depth: Annotated[int, Meta(ge=0, le=MAX_DEPTH)] | None = None
    text: str | None = None

    def after(self, earlier: Note) -> Note:
        """Return what is known with this line and those before it: the last that was said of each."""
        line = sanitize(" ".join((self.text or "").split()))
        return Note(
            earlier.move,
            earlier.evaluation if self.evaluation is None else self.evaluation,
            earlier.depth if self.depth is None else self.depth,
            line[:MAX_NOTE_CHARACTERS] or earlier.text,
        )


class _Answer(Struct):
    """A program's answer. It may have further fields."""

    move: str


class _Typed(Struct):
    type: str = "move"


class _Versioned(Struct):
    protocol: int


def game_message(game: AnyGame, seed: int, seconds: float, match_seconds: float = 0) -> dict[str, Any]:
    """Return the message that announces the game and its rules."""
    return {
        "type": "game",
        "protocol": PROTOCOL,
        "game": label(game),
        "options": write_options(game),
        "rules": rules_text(game),
        "seed": seed,
        "seconds": seconds,
        **({"match_seconds": match_seconds} if match_seconds else {}),
    }


def turn_message(match: ReadOnlyMatch, seconds_left: float | None = None) -> dict[str, Any]:
    """Return the message that asks for a move. The legal moves come last, where simple tools find them."""
    game, state = match.game, match.state
    return {
        "type": "turn",
        "seat": SEAT_NAMES[match.mover],
        "history": [name for _, name in named_moves(match)],
        "state": state_view(game, state),
        "text": game.render(state),
        **({} if seconds_left is None else {"seconds_left": round(seconds_left, 3)}),
        "legal": list(move_names(game, state)),
    }


def result_message(
    match: ReadOnlyMatch, seat: Player, outcome: Outcome, reason: Reason, why: str = ""
) -> dict[str, Any]:
    """Return the message that tells the player on the seat how a match ended."""
    ends: dict[Outcome, PlayerResult] = {
        won_by(seat): "win",
        won_by(1 - seat): "loss",
        Outcome.DRAW: "draw",
        Outcome.UNDECIDED: "none",
    }
    return {
        "type": "result",
        "result": ends[outcome],
        "reason": reason,
        **({"why": why} if why else {}),
        "history": [name for _, name in named_moves(match)],
    }


def as_line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def type_of(line: bytes) -> str:
    """Return the type of a program's line: `move` if it names none, or if it cannot be read."""
    try:
        return documents.read(line, _Typed).type
    except RefusedError:
        return "move"


def read_hello(line: bytes) -> Hello:
    """Return what the program says about itself, or raise Forfeit.

    Raise StoppedError if it speaks another version of the protocol, which is no loss of anybody's.
    """
    if type_of(line) != "hello":
        wrote = shorten(line.decode(errors="replace"))
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's first line must be its hello, not '{wrote}'.")
    try:
        version = documents.read(line, _Versioned).protocol
        if version == PROTOCOL:
            hello = documents.read(line, Hello)
            hello.name = clean_name(hello.name, MAX_PLAYER_NAME_CHARACTERS)
            hello.author = clean_name(hello.author, MAX_AUTHOR_CHARACTERS)
            return hello
    except RefusedError as error:
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's hello is not valid: {error}") from error
    raise StoppedError(f"The program speaks version {version} of the protocol, but Duelbook speaks version {PROTOCOL}.")


def read_info(line: bytes) -> Info:
    """Return what the program says while it thinks, or raise Forfeit."""
    try:
        return documents.read(line, Info)
    except RefusedError as error:
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's info is not valid: {error}") from error


def read_answer(line: bytes, match: ReadOnlyMatch) -> Move:
    """Return the move in `{"move": NAME}`, or raise Forfeit."""
    try:
        return parse_move(match.game, match.state, documents.read(line, _Answer).move)
    except IllegalMoveError as error:
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's answer is not a legal move: {error}") from error
    except RefusedError as error:
        answer = shorten(line.decode(errors="replace"))
        raise Forfeit(ForfeitKind.ILLEGAL, f"The program's answer '{answer}' is not a move. {error}") from error
