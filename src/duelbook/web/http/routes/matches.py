"""Matches: create, join, play and read them."""

from functools import partial

import msgspec
from starlette.responses import Response

from duelbook.agents import is_exact
from duelbook.game import SEAT_NAMES
from duelbook.records.document import RecordDocument, to_document
from duelbook.web.http.rate_limits import client_address
from duelbook.web.http.requests import COOKIE, JSON, ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.http.routes.studies import not_ready
from duelbook.web.match.actions import seat_for
from duelbook.web.match.view import encoded_view, match_view
from duelbook.web.problems import no_token
from duelbook.web.schemas.matches import (
    Action,
    ChallengeList,
    Join,
    ListedMatches,
    MatchView,
    Moves,
    MovesQuery,
    NewMatch,
    Nothing,
    SeatedView,
    SeatFile,
    SeatOffer,
    SeatToken,
)
from duelbook.web.schemas.studies import StudyProgress

COOKIE_SECONDS = 365 * 86_400
SEAT_PROBLEMS = ("no-token", "wrong-token", "not-found", "invalid", "foreign-origin")
ACTION_PROBLEMS = (
    *("not-begun", "over", "ply-played", "ply-ahead", "not-your-turn"),
    *("illegal-move", "not-now"),
)

routes = RouteTable("matches")


@routes.post(
    "/api/matches",
    body=NewMatch,
    response=SeatedView,
    status=201,
    progress=StudyProgress,
    problems=("invalid", "invalid-choice", "foreign-origin"),
)
async def create(request: ApiRequest, new: NewMatch) -> Response:
    """Create a match against a friend or an agent, and take a seat in it. With a key, a retry gets the same match."""
    lobby, studies = request.service.lobby, request.service.studies
    key = client_address(request), "create", new.key
    if not studies.is_known(key):
        request.limit("create")
        if new.open:
            request.limit("challenge")
    if not is_exact(new.opponent):
        return _seated(request, await lobby.create(new), 201)
    if new.key is None:  # the game may have to be solved first
        return _seated(request, await request.unless_client_leaves(lobby.create(new)), 201)
    found = await request.unless_client_leaves(studies.ask(key, partial(lobby.create, new)))
    return _seated(request, found, 201) if isinstance(found, SeatedView) else not_ready(found, request.url.path)


@routes.get("/api/matches", response=ListedMatches)
async def listed(request: ApiRequest) -> ListedMatches:
    """The public matches that are being played by players who are present: at most twelve, the last changed first."""
    return ListedMatches(matches=list(await request.service.listings.being_played()))


@routes.get("/api/challenges", response=ChallengeList)
async def challenges(request: ApiRequest) -> ChallengeList:
    """The open challenges whose makers are present: at most twelve, the newest first. Take one with `join`."""
    return ChallengeList(challenges=list(await request.service.listings.challenges()))


@routes.get("/api/matches/{match}", response=MatchView, problems=("not-found",))
async def show(request: ApiRequest) -> MatchView:
    """The public view of a match."""
    return match_view(await request.service.registry.read(request.match))


@routes.get("/api/matches/{match}/moves", query=MovesQuery, response=Moves, problems=("not-found", "invalid"))
async def moves(request: ApiRequest, query: MovesQuery) -> Moves:
    """The moves from a ply on, for clients that have missed some."""
    served = await request.service.registry.read(request.match)
    names = [move.move for move in served.moves[query.since :]]
    return Moves(ply=served.row.ply, version=served.row.version, since=query.since, moves=names)


@routes.post(
    "/api/matches/{match}/join",
    body=Join,
    response=SeatedView,
    problems=("not-found", "seat-taken", "not-offered", "invalid", "invalid-choice", "foreign-origin"),
)
async def join(request: ApiRequest, player: Join) -> Response:
    """Take the free seat of a match."""
    request.limit("create")
    return _seated(request, await request.service.lobby.join(request.match, player), 200)


@routes.post(
    "/api/matches/{match}/challenge",
    seat=True,
    body=SeatOffer,
    response=MatchView,
    problems=(*SEAT_PROBLEMS, "seat-taken"),
)
async def challenge(request: ApiRequest, token: str | None, offer: SeatOffer) -> bytes:
    """Offer the free seat of a match to everybody, as an open challenge, or withdraw it."""
    if offer.open:
        request.limit("challenge")
    return encoded_view(await request.service.challenges.offer(request.match, token, offer.open))


@routes.post(
    "/api/matches/{match}/actions",
    seat=True,
    body=Action,
    response=MatchView,
    problems=(*SEAT_PROBLEMS, *ACTION_PROBLEMS),
)
async def act(request: ApiRequest, token: str | None, action: Action) -> bytes:
    """Play a move, take one back, resign, or claim the win against an absent opponent."""
    return encoded_view(await request.service.actions.act(request.match, token, action))


@routes.post(
    "/api/matches/{match}/rematch", seat=True, body=Nothing, response=SeatedView, problems=(*SEAT_PROBLEMS, "not-over")
)
async def rematch(request: ApiRequest, token: str | None, _: Nothing) -> Response:
    """Play the next game of the series, or again, with the seats swapped. It begins once both players have asked."""
    seated = await request.service.lobby.rematch(request.match, token)
    return _seated(request, seated, 200, shows_token=bool(request.headers.get("authorization")))


@routes.post("/api/matches/{match}/seat", seat=True, body=Nothing, response=SeatedView, problems=SEAT_PROBLEMS)
async def seat(request: ApiRequest, token: str | None, _: Nothing) -> Response:
    """The seat of a token, which must be sent itself: another browser takes the seat over. Sets the cookie."""
    if not request.headers.get("authorization"):
        raise no_token("Send the token itself as a bearer token: a cookie is not enough.")
    served = await request.service.registry.read(request.match)
    taken = SEAT_NAMES[seat_for(served, token)]
    return _seated(request, SeatedView(id=request.match, seat=taken, token=token or "", match=match_view(served)), 200)


@routes.get("/api/matches/{match}/seat", seat=True, response=SeatFile, problems=SEAT_PROBLEMS)
async def seat_file(request: ApiRequest, token: str | None) -> Response:
    """The seat of a token as a file for another browser. With the cookie alone, only a link gets it."""
    if not request.headers.get("authorization") and request.headers.get("sec-fetch-mode") != "navigate":
        raise no_token("A browser has to follow a link to this file: scripts may not read the token of a cookie.")
    seat_for(await request.service.registry.read(request.match), token)
    file = SeatFile(seats=[SeatToken(id=request.match, token=token or "")])
    name = f'attachment; filename="duelbook-seat-{request.match}.json"'
    return Response(msgspec.json.encode(file), media_type=JSON, headers={"Content-Disposition": name})


@routes.get("/api/matches/{match}/record", response=RecordDocument, problems=("not-found", "not-begun"))
async def record(request: ApiRequest) -> Response:
    """The record, as `duelbook replay` and `duelbook review` read it."""
    record = await request.service.actions.record(request.match)
    name = f'attachment; filename="duelbook-{request.match}.json"'
    return Response(msgspec.json.encode(to_document(record)), media_type=JSON, headers={"Content-Disposition": name})


def _seated(request: ApiRequest, seated: SeatedView, status: int, *, shows_token: bool = True) -> Response:
    """Return the seat, and set its token as a cookie that no script can read and that only this match is sent."""
    request.scope["match"] = seated.id  # for the access log
    cookie = f"{COOKIE.format(seated.id)}={seated.token}; Path=/api/matches/{seated.id}; Max-Age={COOKIE_SECONDS}"
    secure = "; Secure" if request.scope["scheme"] == "https" else ""
    headers = {"Set-Cookie": f"{cookie}; HttpOnly; SameSite=strict{secure}"}
    if not shows_token:
        seated = msgspec.structs.replace(seated, token="")
    return Response(msgspec.json.encode(seated), status, headers, JSON)
