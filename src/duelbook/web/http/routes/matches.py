"""Matches: making, joining, playing and reading them."""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request, Response
from msgspec import json

from duelbook.records.document import to_json
from duelbook.web.http.lean import LeanRoute
from duelbook.web.http.middleware import address
from duelbook.web.http.requests import COOKIE, MatchId, Serving, StrictRoute, Token, refusals
from duelbook.web.http.schemas import Join, Moves, NewMatch, Nothing, PlayedMatches, PlayedMove, SeatedView, Undo, View
from duelbook.web.match.tokens import token_hash
from duelbook.web.match.view import encoded_view, listed_match, match_view
from duelbook.web.schemas import matches as shapes
from duelbook.web.service import Service

A_YEAR = 365 * 86_400
SEATED = ("no-token", "wrong-token", "not-found", "invalid", "foreign-origin")

router = APIRouter(prefix="/api/matches", tags=["matches"], route_class=LeanRoute)
searching = APIRouter(prefix="/api/matches", tags=["matches"], route_class=StrictRoute)


@router.post(
    "",
    status_code=201,
    responses={201: {"model": SeatedView}, **refusals("invalid", "invalid-choice", "foreign-origin")},
)
async def create(wish: NewMatch, service: Serving, request: Request) -> Response:
    """Make a match, against a friend or an agent, and take a seat in it."""
    await service.limiter.check("create", address(request))
    seated = await service.lobby.create(shapes.NewMatch(**wish.model_dump()))
    return _seated(seated, request, 201)


@router.get("", responses={200: {"model": PlayedMatches}, **refusals()})
async def played(service: Serving) -> Response:
    """The public matches that are being played, at most twelve, those first that were touched last."""
    served = await service.registry.public_matches(shapes.MAX_LISTED_MATCHES)
    return _json(shapes.ListedMatches(matches=[listed_match(one) for one in served]))


@router.get("/{match}", responses={200: {"model": View}, **refusals("not-found")})
async def show(match: MatchId, service: Serving) -> Response:
    """The public view of a match."""
    return _json(match_view(await service.registry.read(match)))


@searching.get("/{match}/moves", responses={200: {"model": Moves}, **refusals("not-found", "invalid")})
async def moves(match: MatchId, service: Serving, since: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Response:
    """The moves from a ply on, for who has missed some."""
    served = await service.registry.read(match)
    names = [move.move for move in served.moves[since:]]
    return _json(shapes.Moves(ply=served.row.ply, version=served.row.version, since=since, moves=names))


@router.post(
    "/{match}/join",
    responses={
        200: {"model": SeatedView},
        **refusals("not-found", "seat-taken", "invalid", "invalid-choice", "foreign-origin"),
    },
)
async def join(match: MatchId, service: Serving, request: Request, who: Join | None = None) -> Response:
    """Take the free seat of a match."""
    await service.limiter.check("create", address(request))
    who = who or Join()
    return _seated(await service.lobby.join(match, who.name, who.choice, who.key), request, 200)


@router.post(
    "/{match}/moves",
    responses={
        200: {"model": View},
        **refusals(*SEATED, "not-your-turn", "ply-played", "ply-ahead", "not-begun", "over", "illegal-move"),
    },
)
async def play(match: MatchId, service: Serving, token: Token, played: PlayedMove) -> Response:
    """Play a move; asked again with the same key it answers the same and plays nothing more."""
    await limit_seat(service, token)
    return Response(
        encoded_view(await service.actions.play(match, token, played.ply, played.move, played.key)),
        media_type="application/json",
    )


@router.post("/{match}/resign", responses={200: {"model": View}, **refusals(*SEATED, "not-begun", "over")})
async def resign(match: MatchId, service: Serving, token: Token, body: Nothing | None = None) -> Response:
    """Give the match up."""
    await limit_seat(service, token)
    return Response(encoded_view(await service.actions.resign(match, token)), media_type="application/json")


@router.post(
    "/{match}/undo", responses={200: {"model": View}, **refusals(*SEATED, "not-begun", "over", "no-undo", "ply-played")}
)
async def undo(match: MatchId, service: Serving, token: Token, wish: Undo | None = None) -> Response:
    """Ask to take the last choice back, agree to it, or decline; against an agent it is done at once."""
    await limit_seat(service, token)
    wish = wish or Undo()
    return Response(
        encoded_view(await service.actions.undo(match, token, wish.agree, wish.ply)), media_type="application/json"
    )


@router.post("/{match}/rematch", responses={200: {"model": SeatedView}, **refusals(*SEATED, "not-over")})
async def rematch(
    match: MatchId, service: Serving, token: Token, request: Request, body: Nothing | None = None
) -> Response:
    """Play again with the seats swapped; it begins once both players have asked for it."""
    await limit_seat(service, token)
    return _seated(await service.lobby.rematch(match, token), request, 200)


@router.get(
    "/{match}/record", responses={200: {"content": {"application/json": {}}}, **refusals("not-found", "not-begun")}
)
async def record(match: MatchId, service: Serving) -> Response:
    """The record, as `duelbook replay` and `duelbook review` read it."""
    name = f'attachment; filename="duelbook-{match}.json"'
    return Response(
        json.encode(to_json(await service.actions.record(match))),
        media_type="application/json",
        headers={"Content-Disposition": name},
    )


async def limit_seat(service: Service, token: str | None) -> None:
    """Count a message of the seat; without a token only the address is counted."""
    if token is not None:
        await service.limiter.check("seat", token_hash(token))


def _seated(seated: shapes.SeatedView, request: Request, status: int) -> Response:
    """Answer the seat, and leave its token as a cookie that no script can read and only this match is sent."""
    request.scope["match"] = seated.id  # for the log
    cookie = f"{COOKIE.format(seated.id)}={seated.token}; Path=/api/matches/{seated.id}; Max-Age={A_YEAR}"
    secure = "; Secure" if request.scope["scheme"] == "https" else ""
    headers = {"Set-Cookie": f"{cookie}; HttpOnly; SameSite=strict{secure}"}
    return Response(json.encode(seated), status, headers, "application/json")


def _json(answer: msgspec.Struct) -> Response:
    return Response(json.encode(answer), media_type="application/json")


router.routes.extend(searching.routes)
