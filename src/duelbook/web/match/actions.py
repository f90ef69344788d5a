"""The referee: what players may do in a match, and who may do it."""

import json
from dataclasses import replace
from typing import NamedTuple

from duelbook.game import IllegalMoveError, Player
from duelbook.records.document import to_json
from duelbook.records.record import SEATS
from duelbook.web.db.rows import Change, MoveRow
from duelbook.web.match.registry import Matches
from duelbook.web.match.retries import answered, as_of
from duelbook.web.match.served_match import ServedMatch
from duelbook.web.match.view import in_short, shown, view
from duelbook.web.problems import no_token

LISTED = 12  # public matches that are told of


class Answer(NamedTuple):
    """The view after what was asked for, and where the match stands with it."""

    version: int
    ply: int
    body: str


def _answer(hosted: ServedMatch) -> Answer:
    return Answer(hosted.row.version, hosted.row.ply, shown(hosted))


class Referee:
    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def view(self, match: str) -> str:
        """Answer the public view as it is now."""
        return json.dumps(view(await self._matches.look(match)))

    async def in_public(self) -> str:
        """Answer what is played in public now, in short."""
        return json.dumps({"matches": [in_short(hosted) for hosted in await self._matches.in_public(LISTED)]})

    async def admit(self, match: str, token: str | None) -> ServedMatch:
        """Answer the match to who may watch it: anybody without a token, but nobody with a wrong one."""

        def step(hosted: ServedMatch) -> tuple[Change, ...]:
            if token is not None:
                seat_for(hosted, token)
            return ()

        return await self._matches.change(match, step)

    async def moves(self, match: str, since: int) -> str:
        """Answer the moves from a ply on."""
        hosted = await self._matches.look(match)
        names = [move.move for move in hosted.moves[since:]]
        return json.dumps({"ply": hosted.row.ply, "version": hosted.row.version, "since": since, "moves": names})

    async def play(self, match: str, token: str | None, ply: int, move: str, key: str | None) -> Answer:
        """Play a move, exactly once however often it is asked for; answer the view right after it."""
        before: list[MoveRow] = []

        def step(hosted: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(hosted, token)
            before[:] = filter(None, [answered(hosted, seat, ply, move, key)])
            if before:
                return ()
            check_turn(hosted, seat, ply)
            try:
                return (hosted.play(seat, move, key),)
            except IllegalMoveError as error:
                raise hosted.problem("illegal-move", str(error), legal=list(error.legal)) from error

        hosted = await self._matches.change(match, step)
        return _answer(as_of(hosted, before[0]) if before else hosted)

    async def resign(self, match: str, token: str | None) -> Answer:
        """Give the match up; answer the view."""

        def step(hosted: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(hosted, token)
            if hosted.match.over and hosted.row.reason == "resignation" and hosted.row.outcome == 1 - seat:
                return ()  # asked again
            check_running(hosted)
            return (hosted.resign(seat),)

        return _answer(await self._matches.change(match, step))

    async def undo(self, match: str, token: str | None, agree: bool, ply: int | None) -> Answer:
        """Ask to take back, agree to it or decline, at that ply if one is given; answer the view."""

        def step(hosted: ServedMatch) -> tuple[Change, ...]:
            seat = seat_for(hosted, token)
            check_running(hosted)
            if ply not in (None, hosted.row.ply):
                raise hosted.problem("ply-played", f"that was asked at ply {ply}; the match is at ply {hosted.row.ply}")
            change = hosted.undo(seat, agree)
            return () if change is None else (change,)

        return _answer(await self._matches.change(match, step))

    async def record(self, match: str) -> str:
        """Answer the record, in the format that the terminal reads; what computers will play is no business of its."""
        hosted = await self._matches.look(match)
        if not hosted.begun:
            raise hosted.problem("not-begun", "the match has not begun, so there is no record of it")
        record = hosted.record_of([move.move for move in hosted.moves])
        return json.dumps(to_json(record if hosted.match.over else replace(record, seed=None)))

    async def finished(self, match: str) -> ServedMatch:
        """Answer a match that is over."""
        hosted = await self._matches.look(match)
        if not hosted.match.over:
            raise hosted.problem("not-over", "the match is not over; it can be reviewed then")
        return hosted


def seat_for(hosted: ServedMatch, token: str | None) -> Player:
    """Answer the seat that the token is for, or refuse."""
    if token is None:
        raise no_token("this needs the token of a seat", ply=len(hosted.match.moves))
    seat = hosted.seat_of(token)
    if seat is None:
        raise hosted.problem("wrong-token", "this token is for no seat of this match")
    return seat


def check_running(hosted: ServedMatch) -> None:
    """Refuse what can be done only while the match is being played."""
    if not hosted.begun:
        raise hosted.problem("not-begun", "the match has not begun: a seat is free")
    if hosted.match.over:
        raise hosted.problem("over", "the match is over")


def check_turn(hosted: ServedMatch, seat: Player, ply: int) -> None:
    """Refuse a move for another ply than the present one, or for another seat."""
    if hosted.begun and ply < hosted.row.ply:
        raise hosted.problem("ply-played", f"ply {ply} has been played; the match is at ply {hosted.row.ply}")
    check_running(hosted)
    if ply > hosted.row.ply:
        raise hosted.problem("ply-ahead", f"the match is only at ply {hosted.row.ply}, not at {ply}")
    if seat != hosted.match.mover:
        raise hosted.problem("not-your-turn", f"it is the turn of the {SEATS[1 - seat]} player")
