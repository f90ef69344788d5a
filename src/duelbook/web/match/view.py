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


def shown(served: ServedMatch) -> str:
    """Answer the view right after a change, as it is sent: with all of the mover's time left."""
    if served.shown[0] != served.row.version:
        served.shown = (served.row.version, to_json(view(served, spent=0.0)).decode())
    return served.shown[1]


def view(served: ServedMatch, *, spent: float | None = None) -> dict[str, Any]:
    """Answer the public view; `spent` is what of the mover's time has gone, if it is not to be measured."""
    match, row = served.match, served.row
    playing = served.begun and not match.over
    return {
        "id": row.id,
        "game": row.game,
        "options": _options(served),
        "version": row.version,
        "status": "playing" if playing else "over" if match.over else "waiting",
        "ply": len(match.moves),
        "mover": SEATS[match.mover] if playing else None,
        "outcome": result_name(match.outcome),
        "reason": str(match.reason),
        "result": result(match, served.table()) if match.over else None,
        "moves": [move.move for move in served.moves],
        "legal": list(move_names(match.game, match.state)) if playing else [],
        "names": _names(served),
        "seats": _seats(served),
        "public": row.public,
        "choices": _choices(served),
        "clocks": _clocks(served, spent),
        "undo": None if row.undo_by is None else SEATS[row.undo_by],
        "rematch": row.rematch,
        **_board(served),
    }


def _board(served: ServedMatch) -> dict[str, Any]:
    """Answer the position as text and as JSON; there is none before it is known what people have chosen."""
    if needs_choices(served):
        return {"text": "", "view": {}}
    match = served.match
    return {"text": match.game.render(match.state), "view": state_view(match.game, match.state)}


def in_short(served: ServedMatch) -> dict[str, Any]:
    """Answer what a list of matches tells of one that is being played."""
    return {
        "id": served.row.id,
        "game": served.row.game,
        "ply": served.row.ply,
        "names": _names(served),
        "seats": _seats(served),
        "mover": SEATS[served.match.mover],
    }


def _names(served: ServedMatch) -> dict[str, str]:
    return {SEATS[seat]: served.name(seat) for seat in (0, 1)}


def _seats(served: ServedMatch) -> dict[str, str]:
    """Answer who sits where: a human, the name of an agent, or nobody yet."""
    nobody = (RESERVED if seat.reserved else FREE for seat in served.seats)
    pairs = zip(served.seats, nobody, strict=True)
    return {SEATS[seat.seat]: seat.agent if seat.is_taken else free for seat, free in pairs}


def _options(served: ServedMatch) -> dict[str, Any]:
    options = dict(_written(served.game))
    if needs_choices(served):
        assert has_choices(served.game)
        del options[served.game.chosen]
    return options


@lru_cache(maxsize=1024)
def _written(game: AnyGame) -> dict[str, OptionText]:
    return write_options(game)


def _choices(served: ServedMatch) -> dict[str, Any] | None:
    """Answer what is still to be chosen before the start; what somebody chose is not told until then."""
    if not needs_choices(served):
        return None
    assert has_choices(served.game)
    return {
        "what": served.game.choice,
        "valid": list(served.game.choices()),
        "made": {SEATS[seat.seat]: seat.choice is not None for seat in served.seats},
    }


def needs_choices(served: ServedMatch) -> bool:
    """Tell whether the match waits for people to choose: one of them has, so the options did not."""
    return not served.begun and any(seat.choice for seat in served.seats)


def _clocks(served: ServedMatch, spent: float | None) -> dict[str, Any] | None:
    limit = served.row.time_limit
    if limit is None:
        return None
    gone = served.match.turn_seconds() if spent is None else spent
    running = served.begun and not served.match.over
    used = [sum(move.seconds for move in served.moves if move.seat == seat) for seat in (0, 1)]
    if served.match.reason is Reason.TIME:
        used[served.match.mover] += limit
    return {
        "limit": limit,
        "left": round(max(0.0, limit - gone), 3) if running else None,
        "used": {name: round(seconds, 3) for name, seconds in zip(SEATS, used, strict=True)},
    }
