"""What players may do in a match, and who may do it: one table of actions, and the checks that they share."""

from collections.abc import Sequence
from dataclasses import replace

from msgspec import structs

from duelbook.game import IllegalMoveError, Outcome, Player, Reason
from duelbook.play.actions import ActionName, refusal
from duelbook.records.record import Record
from duelbook.text import fold
from duelbook.web.db.tables import Change, MoveRow, StoredMatch
from duelbook.web.match.claims import Claims
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import no_token
from duelbook.web.schemas.matches import Action


class MatchActions:
    """The actions of players, each checked against their token and the state of the match."""

    def __init__(self, registry: MatchRegistry, claims: Claims) -> None:
        self._registry, self._claims = registry, claims

    async def admit(self, match: str, token: str | None) -> ServedMatch:
        """Return the match to a client that opens its socket. Watching needs no token; a wrong one raises a problem."""
        served = await self._registry.read_recent(match)
        if token is not None and served.seat_of(token) is None:  # another process may have given the seat just now
            served = await self._registry.read(match)
            seat_for(served, token)
        return served

    async def act(self, match: str, token: str | None, action: Action) -> ServedMatch:
        """Carry the action out once, however often it is sent; return the match right after it.

        A retry of a move, or of what ended the match, gets the first answer.
        """
        line: Sequence[MoveRow] | None = None  # the moves right after an earlier try of this request

        async def look_up(served: ServedMatch) -> None:
            nonlocal line
            line = None
            if action.key is not None and token is not None and served.last_undone:
                seat = served.seat_of(token)
                if seat is not None and find_key(served, seat, action.key) is None:
                    line = await self._registry.line_of_undone_move(match, seat, action.key)

        def step(served: ServedMatch) -> tuple[Change, ...]:
            nonlocal line
            seat = seat_for(served, token)
            line = line or find_retried_line(served, seat, action)
            if line or has_ended(served, seat, action):
                return ()
            check_running(served, action.ply)
            check_possible(served, seat, action.action)
            change = self._claims.claim(served, seat) if action.action == "claim" else act(served, seat, action)
            return () if change is None else (change,)

        served = await self._registry.change(match, step, look_up if action.key else None)
        return match_after(served, line) if line else served

    async def record(self, match: str) -> Record:
        """Return the record, without the seed while the match is played: it would give away agents' moves."""
        served = await self._registry.read(match)
        if not served.begun:
            raise served.problem("not-begun", "The match has not begun, so there is no record of it yet.")
        record = served.record()
        return record if served.match.over else replace(record, seed=None)

    async def finished(self, match: str) -> ServedMatch:
        """Return the match, or raise a problem if it is not over."""
        served = await self._registry.read(match)
        if not served.match.over:
            raise served.problem("not-over", "The match is not over. It can be reviewed when it is.")
        return served


# Who may do what, and when


def seat_for(served: ServedMatch, token: str | None) -> Player:
    """Return the seat that the token is for, or raise a problem."""
    if token is None:
        raise no_token("This needs the token of a seat.", ply=len(served.match.moves))
    seat = served.seat_of(token)
    if seat is None:
        raise served.problem("wrong-token", "This token is not for a seat of this match.")
    return seat


def check_running(served: ServedMatch, ply: int | None) -> None:
    """Raise a problem unless the match is being played and, if a ply is given, is at that ply."""
    if not served.begun:
        raise served.problem("not-begun", "The match has not begun: a seat is free.")
    if served.match.over:
        raise served.problem("over", "The match is over.")
    if ply is not None and ply < served.row.ply:
        raise served.problem("ply-played", f"Ply {ply} has been played; the match is at ply {served.row.ply}.")
    if ply is not None and ply > served.row.ply:
        raise served.problem("ply-ahead", f"The match is only at ply {served.row.ply}, not at {ply}.")


def check_possible(served: ServedMatch, seat: Player, action: ActionName) -> None:
    """Raise a problem unless the player on this seat may do this now."""
    if why := refusal(action, served, seat):
        raise served.problem("not-your-turn" if action == "play" else "not-now", why)


def act(served: ServedMatch, seat: Player, action: Action) -> Change | None:
    """Let the player on this seat do something, or raise a problem if it is a move that is not legal."""
    try:
        return served.act(action.action, seat, action.move, action.key)
    except IllegalMoveError as error:
        raise served.problem("illegal-move", str(error), legal=list(error.legal)) from error


# Retries: a move that is sent again gets its first answer, whatever has happened since


def has_ended(served: ServedMatch, seat: Player, action: Action) -> bool:
    """Return True if the match has ended by this action of that seat."""
    ending = (served.row.reason, served.row.outcome)
    return ending == {"resign": (Reason.RESIGNATION, 1 - seat), "claim": (Reason.ABSENCE, seat)}.get(action.action)


def find_retried_line(served: ServedMatch, seat: Player, action: Action) -> Sequence[MoveRow] | None:
    """Return the moves right after the one that an earlier try of this request played, or None.

    A move that was taken back since is not found here, but in the store.
    """
    row = None if action.key is None else find_key(served, seat, action.key)
    ply, move = action.ply, action.move
    if row is None and ply is not None and move is not None and ply < len(served.moves):
        row = served.moves[ply]
        if row.seat != seat or fold(row.move) != fold(move):
            row = None
    if row is None:
        return None
    return [one for one in served.moves if one.ply <= row.ply or one.version == row.version]  # with forced passes


def find_key(served: ServedMatch, seat: Player, key: str) -> MoveRow | None:
    """Return the move of the match that was sent with this key."""
    return next((row for row in reversed(served.moves) if row.key == key and row.seat == seat), None)


def match_after(served: ServedMatch, line: Sequence[MoveRow]) -> ServedMatch:
    """Return the match as it was right after these moves."""
    fresh = structs.replace(
        served.row,
        version=line[-1].version,
        outcome=Outcome.UNDECIDED,
        reason=Reason.UNFINISHED,
        undo_by=None,
        last_action=None,
        last_by=None,
        rematch=None,
        claim_by=None,
        claim_at=None,
        stopped_until=None,
    )
    past = ServedMatch(StoredMatch(fresh, served.seats), served.clock)
    past.moves = list(line)
    for move in past.moves:
        past.match.play(move.move)
    past.row = past.current_row()
    return past
