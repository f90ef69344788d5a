"""Studies: the catalogue, exact values, reviews and puzzles."""

import json
import secrets
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Request, Response
from msgspec.json import encode
from pydantic import WithJsonSchema

from duelbook.games import GAMES
from duelbook.options import option_pairs, write_options
from duelbook.records.document import to_json
from duelbook.study.puzzles import LEVELS
from duelbook.text import shorten
from duelbook.web.engine.pool import EngineTimeoutError, EngineUnavailableError
from duelbook.web.http.catalogue import catalogue
from duelbook.web.http.middleware import address
from duelbook.web.http.requests import MatchId, Serving, StrictRoute, refusals
from duelbook.web.http.schemas import RecordDocument, Text
from duelbook.web.http.study_schemas import (
    Catalogue,
    DailyPuzzle,
    Line,
    RecordReview,
    ReviewView,
    SeededPuzzle,
    Solution,
)
from duelbook.web.match.positions import line_of, requested_game
from duelbook.web.problems import Problem, unavailable
from duelbook.web.service import Service

router = APIRouter(prefix="/api", tags=["studies"], route_class=StrictRoute)

GameName = Annotated[str, Path(json_schema_extra={"enum": list(GAMES)})]
Options = Annotated[list[Text], Query(max_length=16, description="KEY=VALUE")]
After = Annotated[str, Query(max_length=4000, description="moves with commas between them")]
Attempt = Annotated[str | None, Query(max_length=60, alias="try", description="a move, to see whether it is right")]
AnyRecord = Annotated[Any, Body(), WithJsonSchema(RecordDocument.model_json_schema())]
Document = dict[str, Any]


@router.get("/games", response_model=None, responses={200: {"model": Catalogue}, **refusals()})
async def games() -> Document:
    """The games with their options and rules, and the agents."""
    return _catalogue()


@lru_cache(maxsize=1)
def _catalogue() -> Document:
    return catalogue()


@router.get("/games/{game}/demonstration", responses={200: {"model": Line}, **refusals("not-found")})
async def demonstration(game: GameName, service: Serving) -> Response:
    """A short game that computers play, as a line of moves; another one every day."""
    return Response(await service.engine.demonstrate(_known(game), _today()), media_type="application/json")


@router.get(
    "/solve/{game}", response_model=None, responses={200: {"model": Solution}, **refusals("not-found", "invalid")}
)
async def solve(
    game: GameName,
    service: Serving,
    request: Request,
    option: Options = [],  # noqa: B006 - never changed
    after: After = "",
) -> Document:
    """The value and remoteness of a position and of every move in it, the best one first."""
    rules = requested_game(_known(game), option_pairs(option))
    question = {"game": game, "options": write_options(rules), "after": _names(after)}
    return await _study(service, request, "solution", **question)


@router.get("/positions/{game}", responses={200: {"model": Line}, **refusals("not-found", "invalid")})
async def positions(game: GameName, option: Options = [], after: After = "") -> Response:  # noqa: B006 - never changed
    """Every position of a line of moves, from the start on; a forced pass is a move like any other."""
    rules = requested_game(_known(game), option_pairs(option))
    return Response(encode(line_of(rules, _names(after))), media_type="application/json")


@router.get(
    "/matches/{match}/review",
    response_model=None,
    responses={200: {"model": ReviewView}, **refusals("not-found", "not-over", "invalid")},
)
async def review(match: MatchId, service: Serving, request: Request) -> Document:
    """Every move of a finished match judged against exact values."""
    served = await service.actions.finished(match)
    record = to_json(served.record())
    return await _study(service, request, "judge", record=record)


@router.post(
    "/review", response_model=None, responses={200: {"model": RecordReview}, **refusals("invalid", "foreign-origin")}
)
async def review_record(record: AnyRecord, service: Serving, request: Request) -> Document:
    """Who played what in a record that is sent, how it ended, and every move judged."""
    try:
        text = json.dumps(record)  # as which it cannot be nested too deep for the way
    except RecursionError as error:
        raise Problem("invalid", "a nesting beyond all measure") from error
    return await _study(service, request, "record_review", text=text)


@router.get("/puzzles/daily", response_model=None, responses={200: {"model": DailyPuzzle}, **refusals("invalid")})
async def daily(service: Serving, request: Request, attempt: Attempt = None) -> Document:
    """The puzzle of the day, the same for everybody."""
    return await _study(service, request, "daily_puzzle", day=_today(), attempt=attempt)


@router.get(
    "/puzzles/{game}", response_model=None, responses={200: {"model": SeededPuzzle}, **refusals("not-found", "invalid")}
)
async def puzzle(
    game: GameName,
    service: Serving,
    request: Request,
    seed: Annotated[str | None, Query(pattern="^[0-9]{1,20}$", description="for the same puzzle again")] = None,
    level: Annotated[int | None, Query(ge=LEVELS[0], le=LEVELS[-1])] = None,
    attempt: Attempt = None,
) -> Document:
    """A position that one move wins; with `try`, whether a move is the one."""
    question = {"game": _known(game), "seed": seed or str(secrets.randbits(32)), "level": level, "attempt": attempt}
    return await _study(service, request, "puzzle", **question)


def _known(game: str) -> str:
    if game not in GAMES:
        raise Problem("not-found", f"unknown game '{shorten(game)}'; valid: {', '.join(GAMES)}")
    return game


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _names(after: str) -> list[str]:
    return [name.strip() for name in after.split(",") if name.strip()]


async def _study(service: Service, request: Request, task: str, **question: Any) -> Document:
    await service.limiter.check("study", address(request))
    try:
        answer: Document = await service.engine.study(task, **question)
        return answer
    except EngineTimeoutError as error:
        seconds = service.settings.study_seconds
        raise unavailable(f"that took more than {seconds:g} seconds, which is all there is for it here") from error
    except EngineUnavailableError as error:
        raise unavailable("the service is too busy to study this now; try again in a moment") from error
