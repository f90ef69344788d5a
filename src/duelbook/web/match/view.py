"""What everybody may see of a match, as JSON."""

from functools import lru_cache
from typing import Any

from pydantic_core import to_json

from duelbook.dialogue import result
from duelbook.game import AnyGame, has_choices, move_names, state_view
from duelbook.options import OptionText, write_options
from duelbook.records.record import SEATS, Reason, result_name
from duelbook.web.match.served_match import ServedMatch

FREE = "free"
RESERVED = "reserved"  # for the person who sat in the match before


def shown(hosted: ServedMatch) -> str:
    """Answer the view right after a change, as it is sent: with all of the mover's time left."""
    if hosted.shown[0] != hosted.row.version:
        hosted.shown = (hosted.row.version, to_json(view(hosted, spent=0.0)).decode())
    return hosted.shown[1]


def view(hosted: ServedMatch, *, spent: float | None = None) -> dict[str, Any]:
    """Answer the public view; `spent` is what of the mover's time has gone, if it is not to be measured."""
    match, row = hosted.match, hosted.row
    playing = hosted.begun and not match.over
    return {
        "id": row.id,
        "game": row.game,
        "options": _options(hosted),
        "version": row.version,
        "status": "playing" if playing else "over" if match.over else "waiting",
        "ply": len(match.moves),
        "mover": SEATS[match.mover] if playing else None,
        "outcome": result_name(match.outcome),
        "reason": str(match.reason),
        "result": result(match, hosted.table()) if match.over else None,
        "moves": [move.move for move in hosted.moves],
        "legal": list(move_names(match.game, match.state)) if playing else [],
        "names": _names(hosted),
        "seats": _seats(hosted),
        "public": row.public,
        "choices": _choices(hosted),
        "clocks": _clocks(hosted, spent),
        "undo": None if row.undo_by is None else SEATS[row.undo_by],
        "rematch": row.rematch,
        **_board(hosted),
    }


def _board(hosted: ServedMatch) -> dict[str, Any]:
    """Answer the position as text and as JSON; there is none before it is known what people have chosen."""
    if needs_choices(hosted):
        return {"text": "", "view": {}}
    match = hosted.match
    return {"text": match.game.render(match.state), "view": state_view(match.game, match.state)}


def in_short(hosted: ServedMatch) -> dict[str, Any]:
    """Answer what a list of matches tells of one that is being played."""
    return {
        "id": hosted.row.id,
        "game": hosted.row.game,
        "ply": hosted.row.ply,
        "names": _names(hosted),
        "seats": _seats(hosted),
        "mover": SEATS[hosted.match.mover],
    }


def _names(hosted: ServedMatch) -> dict[str, str]:
    return {SEATS[seat]: hosted.name(seat) for seat in (0, 1)}


def _seats(hosted: ServedMatch) -> dict[str, str]:
    """Answer who sits where: a human, the name of an agent, or nobody yet."""
    nobody = (RESERVED if seat.reserved else FREE for seat in hosted.seats)
    pairs = zip(hosted.seats, nobody, strict=True)
    return {SEATS[seat.seat]: seat.agent if seat.is_taken else free for seat, free in pairs}


def _options(hosted: ServedMatch) -> dict[str, Any]:
    options = dict(_written(hosted.game))
    if needs_choices(hosted):
        assert has_choices(hosted.game)
        del options[hosted.game.chosen]
    return options


@lru_cache(maxsize=1024)
def _written(game: AnyGame) -> dict[str, OptionText]:
    return write_options(game)


def _choices(hosted: ServedMatch) -> dict[str, Any] | None:
    """Answer what is still to be chosen before the start; what somebody chose is not told until then."""
    if not needs_choices(hosted):
        return None
    assert has_choices(hosted.game)
    return {
        "what": hosted.game.choice,
        "valid": list(hosted.game.choices()),
        "made": {SEATS[seat.seat]: seat.choice is not None for seat in hosted.seats},
    }


def needs_choices(hosted: ServedMatch) -> bool:
    """Tell whether the match waits for people to choose: one of them has, so the options did not."""
    return not hosted.begun and any(seat.choice for seat in hosted.seats)


def _clocks(hosted: ServedMatch, spent: float | None) -> dict[str, Any] | None:
    limit = hosted.row.time_limit
    if limit is None:
        return None
    gone = hosted.match.turn_seconds() if spent is None else spent
    running = hosted.begun and not hosted.match.over
    used = [sum(move.seconds for move in hosted.moves if move.seat == seat) for seat in (0, 1)]
    if hosted.match.reason is Reason.TIME:
        used[hosted.match.mover] += limit
    return {
        "limit": limit,
        "left": round(max(0.0, limit - gone), 3) if running else None,
        "used": {name: round(seconds, 3) for name, seconds in zip(SEATS, used, strict=True)},
    }
