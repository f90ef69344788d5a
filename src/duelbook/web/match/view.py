"""The public view of a match, and the socket messages that carry it."""

from functools import lru_cache
from typing import cast

import msgspec

from duelbook.board import Played, Position
from duelbook.board.model import EMPTY
from duelbook.game import SEAT_NAMES, AnyGame, Player, Reason, has_choices, outcome_name
from duelbook.options import OptionText, write_options
from duelbook.play.actions import ActionName, told_text
from duelbook.records.document import GiftDocument
from duelbook.web.db.series import standing
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.shown import shown_board, shown_result, shown_short_name, shown_text, shown_view
from duelbook.web.schemas.matches import (
    BySeat,
    Challenge,
    ChoicesView,
    ClaimView,
    ClocksView,
    LastAction,
    ListedMatch,
    MatchView,
    SeatedView,
    SeriesView,
)
from duelbook.web.schemas.messages import PresenceMessage, ViewMessage

FREE = "free"
RESERVED = "reserved"  # for the person who played in the match before
PRESENT = [BySeat(first=bool(seats & 1), second=bool(seats & 2)) for seats in range(4)]


def match_view(served: ServedMatch, *, turn_seconds: float | None = None) -> MatchView:
    """Return the public view; `turn_seconds` is the time spent on the current turn (by default: measured now)."""
    match, row = served.match, served.row
    playing = served.begun and not match.over
    hidden = needs_choices(served)
    return MatchView(
        id=row.id,
        game=row.game,
        options=_options(served),
        version=row.version,
        status="playing" if playing else "over" if match.over else "waiting",
        ply=len(match.moves),
        mover=SEAT_NAMES[match.mover] if playing else None,
        outcome=outcome_name(match.outcome),
        reason=match.reason,
        result=_result(served),
        moves=[move.move for move in served.moves],
        short=shown_short_name(match.game, match.states[-2], match.moves[-1]) if match.moves else None,
        legal=list(served.legal) if playing else [],
        names=_names(served),
        seats=_seats(served),
        public=row.public,
        open=row.open,
        series=_series(served),
        choices=_choices(served),
        clocks=_clocks(served, turn_seconds),
        actions=BySeat(first=served.actions(0), second=served.actions(1)),
        undo=None if row.undo_by is None else SEAT_NAMES[row.undo_by],
        last=_last(served),
        claim=_claim(served),
        rematch=row.rematch,
        text="" if hidden else shown_text(match.game, match.state),  # unknown until both players have chosen
        view={} if hidden else shown_view(match.game, match.state),
        board=EMPTY if hidden else shown_board(_position(served)),
    )


def _position(served: ServedMatch) -> Position:
    match = served.match
    movers = map(match.game.mover, match.states)
    history = [Played(mover, row.move) for mover, row in zip(movers, served.moves, strict=False)]
    return Position(match.game, match.state, history)


def _result(served: ServedMatch) -> str | None:
    match = served.match
    if not match.over:
        return None
    return shown_result(match.game, served.seating(), match.state, match.moves, match.outcome, match.reason)


def encoded_view(served: ServedMatch) -> bytes:
    """Return the view right after the last change as JSON, with the mover's time left by then; encoded once a change.

    A change of the moves begins a turn; what a player does besides moving leaves the turn as it is.
    """
    version, encoded = served.encoded_view
    if version != served.row.version:
        spent = 0.0 if served.row.last_action is None else None
        encoded = msgspec.json.encode(match_view(served, turn_seconds=spent))
        served.encoded_view = (served.row.version, encoded)
    return encoded


def seated_view(served: ServedMatch, seat: Player, token: str) -> SeatedView:
    """Return the view for a player who has taken a seat, with the token."""
    return SeatedView(id=served.row.id, seat=SEAT_NAMES[seat], token=token, match=_raw(encoded_view(served)))


def listed_match(served: ServedMatch) -> ListedMatch:
    """Return the entry of a match in the list of those that are being played."""
    return ListedMatch(
        id=served.row.id,
        game=served.row.game,
        ply=served.row.ply,
        names=_names(served),
        seats=_seats(served),
        mover=SEAT_NAMES[served.match.mover],
        options=_options(served),
        time_limit=served.row.time_limit,
        series=_series(served),
    )


def listed_challenge(served: ServedMatch) -> Challenge:
    """Return the entry of an open challenge in their list."""
    row = served.row
    return Challenge(
        id=row.id,
        game=row.game,
        name=served.name(row.creator),
        seat=SEAT_NAMES[1 - row.creator],
        options=_options(served),
        time_limit=row.time_limit,
        best_of=row.best_of,
        choose=needs_choices(served),
    )


def view_message(served: ServedMatch) -> ViewMessage:
    """Return the message that every socket of the match gets after a change."""
    return ViewMessage(version=served.row.version, ply=served.row.ply, match=_current_view(served))


def first_message(served: ServedMatch, seat: Player | None, present: int) -> ViewMessage:
    """Return the first message of a socket, with the seat of its player and the players present (as a bit mask)."""
    message = view_message(served)
    message.seat = None if seat is None else SEAT_NAMES[seat]
    message.present = PRESENT[present | served.agents]
    return message


def presence_message(present: int) -> PresenceMessage:
    """Return the message about which players are present (as a bit mask)."""
    return PresenceMessage(present=PRESENT[present])


def _current_view(served: ServedMatch) -> MatchView:
    """Return the view with the time that is left now, where time runs."""
    timed = served.row.time_limit is not None or served.row.claim_by is not None
    return match_view(served) if timed else _raw(encoded_view(served))


def _raw(encoded: bytes) -> MatchView:
    """Return an encoded view as a part of a larger document, which is not encoded again."""
    return cast(MatchView, msgspec.Raw(encoded))


def _names(served: ServedMatch) -> BySeat[str]:
    return BySeat(first=served.name(0), second=served.name(1))


def _seats(served: ServedMatch) -> BySeat[str]:
    """Return who has each seat: a human, the name of an agent, or nobody yet."""
    first, second = (seat.agent if seat.is_taken else RESERVED if seat.reserved else FREE for seat in served.seats)
    return BySeat(first=first, second=second)


def _series(served: ServedMatch) -> SeriesView:
    row = served.row
    (first, second), decided = standing(row)
    points = BySeat(first=first, second=second)
    return SeriesView(best_of=row.best_of, game=row.game_number, points=points, decided=decided)


def _last(served: ServedMatch) -> LastAction | None:
    action, by = cast(ActionName | None, served.row.last_action), served.row.last_by
    if action is None or by is None:
        return None
    return LastAction(action=action, by=SEAT_NAMES[by], told=told_text(action, served.name(by), served.name(1 - by)))


def _claim(served: ServedMatch) -> ClaimView | None:
    by, left = served.row.claim_by, served.claim_seconds_left
    return None if by is None or left is None else ClaimView(by=SEAT_NAMES[by], left=round(left, 3))


def _options(served: ServedMatch) -> dict[str, OptionText]:
    options = _written(served.game)
    if needs_choices(served):
        assert has_choices(served.game)
        return {name: value for name, value in options.items() if name != served.game.chosen}
    return options


@lru_cache(maxsize=1024)
def _written(game: AnyGame) -> dict[str, OptionText]:
    return write_options(game)


def needs_choices(served: ServedMatch) -> bool:
    """Return True if the match waits for a player's choice: one player has chosen, so the options did not."""
    return not served.begun and any(seat.choice for seat in served.seats)


def _choices(served: ServedMatch) -> ChoicesView | None:
    """Return what players still have to choose before the start, without what they chose."""
    if not needs_choices(served):
        return None
    assert has_choices(served.game)
    first, second = (seat.choice is not None for seat in served.seats)
    return ChoicesView(
        what=served.game.choice, valid=list(served.game.choices()), made=BySeat(first=first, second=second)
    )


def _clocks(served: ServedMatch, turn_seconds: float | None) -> ClocksView | None:
    limit, turn_limit = served.row.time_limit, served.turn_limit
    if limit is None or turn_limit is None:
        return None
    spent = served.turn_seconds if turn_seconds is None else turn_seconds
    playing = served.begun and not served.match.over
    used = [sum(move.seconds for move in served.moves if move.seat == seat) for seat in (0, 1)]
    if served.match.reason is Reason.TIME:
        used[served.match.mover] += turn_limit
    return ClocksView(
        limit=limit,
        left=round(max(0.0, turn_limit - spent), 3) if playing else None,
        stopped=round(served.stopped_seconds, 3),
        used=BySeat(first=round(used[0], 3), second=round(used[1], 3)),
        given=[GiftDocument(*gift) for gift in served.match.given],
    )
