"""The actions: what players may do in a match, and who may do it."""

from dataclasses import replace

from duelbook.game import SEAT_NAMES, IllegalMoveError, Player
from duelbook.records.record import Record
from duelbook.web.db.tables import Change, MoveRow
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.retries import answered, as_of
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.problems import no_token


class MatchActions:
    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry

    async def admit(self, match: str, token: str | None) -> ServedMatch:
        """Answer the match to who may watch it: anybody without a token, but nobody with a wrong one."""

        def step(served: ServedMatch) -> tuple[Change, ...]:
            if token is not None:
                seat_for(served, token)
            return ()

        return await self._registry.change(match, step)

    async def play(self, match: str, token: str | None, ply: int, move: str, key: str | None) -> ServedMatch:
        """Play a move, exactly once however often it is asked for; answer the view right after it."""
        before: list[MoveRow] = []

        def step(served: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(served, token)
            before[:] = filter(None, [answered(served, seat, ply, move, key)])
            if before:
                return ()
            check_turn(served, seat, ply)
            try:
                return (served.play(seat, move, key),)
            except IllegalMoveError as error:
                raise served.problem("illegal-move", str(error), legal=list(error.legal)) from error

        served = await self._registry.change(match, step)
        return as_of(served, before[0]) if before else served

    async def resign(self, match: str, token: str | None) -> ServedMatch:
        """Give the match up; answer the view."""

        def step(served: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(served, token)
            if served.match.over and served.row.reason == "resignation" and served.row.outcome == 1 - seat:
                return ()  # asked again
            check_running(served)
            return (served.resign(seat),)

        return await self._registry.change(match, step)

    async def undo(self, match: str, token: str | None, agree: bool, ply: int | None) -> ServedMatch:
        """Ask to take back, agree to it or decline, at that ply if one is given; answer the view."""

        def step(served: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(served, token)
            check_running(served)
            if ply not in (None, served.row.ply):
                raise served.problem("ply-played", f"that was asked at ply {ply}; the match is at ply {served.row.ply}")
            change = served.undo(seat, agree)
            return () if change is None else (change,)

        return await self._registry.change(match, step)

    async def record(self, match: str) -> Record:
        """Answer the record, in the format that the terminal reads; what computers will play is no business of its."""
        served = await self._registry.read(match)
        if not served.begun:
            raise served.problem("not-begun", "the match has not begun, so there is no record of it")
        record = served.record_of([move.move for move in served.moves])
        return record if served.match.over else replace(record, seed=None)

    async def finished(self, match: str) -> ServedMatch:
        """Answer a match that is over."""
        served = await self._registry.read(match)
        if not served.match.over:
            raise served.problem("not-over", "the match is not over; it can be reviewed then")
        return served


def seat_for(served: ServedMatch, token: str | None) -> Player:
    """Answer the seat that the token is for, or refuse."""
    if token is None:
        raise no_token("this needs the token of a seat", ply=len(served.match.moves))
    seat = served.seat_of(token)
    if seat is None:
        raise served.problem("wrong-token", "this token is for no seat of this match")
    return seat


def check_running(served: ServedMatch) -> None:
    """Refuse what can be done only while the match is being played."""
    if not served.begun:
        raise served.problem("not-begun", "the match has not begun: a seat is free")
    if served.match.over:
        raise served.problem("over", "the match is over")


def check_turn(served: ServedMatch, seat: Player, ply: int) -> None:
    """Refuse a move for another ply than the present one, or for another seat."""
    if served.begun and ply < served.row.ply:
        raise served.problem("ply-played", f"ply {ply} has been played; the match is at ply {served.row.ply}")
    check_running(served)
    if ply > served.row.ply:
        raise served.problem("ply-ahead", f"the match is only at ply {served.row.ply}, not at {ply}")
    if seat != served.match.mover:
        raise served.problem("not-your-turn", f"it is the turn of the {SEAT_NAMES[1 - seat]} player")
