"""Studies: the catalogue, positions, exact values, reviews and puzzles."""

from functools import cache
from typing import Any

import msgspec

from duelbook.options import option_pairs, write_options
from duelbook.records.document import RecordDocument, to_json
from duelbook.study.documents import ReviewView
from duelbook.web.engine.supervisor import EngineTimeoutError, EngineUnavailableError
from duelbook.web.http.catalogue import catalogue
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.match.positions import line_of, requested_game
from duelbook.web.match.tokens import new_seed
from duelbook.web.problems import unavailable
from duelbook.web.schemas.studies import (
    Advice,
    Catalogue,
    DailyPuzzle,
    DailyPuzzleQuery,
    Line,
    PositionQuery,
    PuzzleQuery,
    RecordReview,
    SeededPuzzle,
    Solution,
)
from duelbook.web.settings import Settings

routes = RouteTable("studies")


@routes.get("/api/games", response=Catalogue)
async def games(request: ApiRequest) -> bytes:
    """The games with their options and rules, and the agents."""
    return _encoded_catalogue(request.service.settings)


@cache
def _encoded_catalogue(settings: Settings) -> bytes:
    return msgspec.json.encode(catalogue(settings.agent_limits))


@routes.get("/api/games/{game}/demonstration", response=Line, problems=("not-found",))
async def demonstration(request: ApiRequest) -> bytes:
    """A short game between agents as a line of moves, a new one every day."""
    return await request.service.engine.demonstrate(request.game, _today(request))


@routes.get("/api/solve/{game}", query=PositionQuery, response=Solution, problems=("not-found", "invalid"))
async def solve(request: ApiRequest, query: PositionQuery) -> bytes:
    """The value and remoteness of a position and of every move in it, the best move first."""
    return await _position_study(request, "solution", query)


@routes.get("/api/hint/{game}", query=PositionQuery, response=Advice, problems=("not-found", "invalid"))
async def hint(request: ApiRequest, query: PositionQuery) -> bytes:
    """The move to play in a position: the best one, or in a game that is too large to be solved an estimate."""
    return await _position_study(request, "advice", query)


@routes.get("/api/positions/{game}", query=PositionQuery, response=Line, problems=("not-found", "invalid"))
async def positions(request: ApiRequest, query: PositionQuery) -> Line:
    """Every position of a line of moves, from the start on. A forced pass is a move like any other."""
    return line_of(requested_game(request.game, option_pairs(query.option)), _names(query.after))


@routes.get("/api/matches/{match}/review", response=ReviewView, problems=("not-found", "not-over", "invalid"))
async def review(request: ApiRequest) -> bytes:
    """Every move of a finished match, judged by exact values."""
    served = await request.service.actions.finished(request.match)
    record = to_json(served.record())
    return await _study(request, "judge", record=record)


@routes.post(
    "/api/review", body=RecordDocument, raw_body=True, response=RecordReview, problems=("invalid", "foreign-origin")
)
async def review_record(request: ApiRequest) -> bytes:
    """Who played what in a record that is sent, how it ended, and every move judged."""
    await request.read_json()  # the worker reads the text again, and checks the record
    return await _study(request, "record_review", text=(await request.body()).decode())


@routes.get("/api/puzzles/daily", query=DailyPuzzleQuery, response=DailyPuzzle, problems=("invalid",))
async def daily(request: ApiRequest, query: DailyPuzzleQuery) -> bytes:
    """The puzzle of the day, the same for everybody."""
    return await _study(request, "daily_puzzle", day=_today(request), attempt=query.attempt)


@routes.get("/api/puzzles/{game}", query=PuzzleQuery, response=SeededPuzzle, problems=("not-found", "invalid"))
async def puzzle(request: ApiRequest, query: PuzzleQuery) -> bytes:
    """A position that exactly one move wins. With `try`, also whether a move is the right one."""
    seed = query.seed or str(new_seed() >> 30)  # short enough to be typed
    return await _study(request, "puzzle", game=request.game, seed=seed, level=query.level, attempt=query.attempt)


def _today(request: ApiRequest) -> str:
    return request.service.clock.now().date().isoformat()


def _names(after: str) -> list[str]:
    return [name.strip() for name in after.split(",") if name.strip()]


async def _position_study(request: ApiRequest, task: str, query: PositionQuery) -> bytes:
    game = requested_game(request.game, option_pairs(query.option))
    return await _study(request, task, game=request.game, options=write_options(game), after=_names(query.after))


async def _study(request: ApiRequest, task: str, **question: Any) -> bytes:
    """Return the answer of a worker as JSON."""
    request.limit("study")
    try:
        return await request.unless_client_leaves(request.service.engine.study(task, **question))
    except EngineTimeoutError as error:
        seconds = request.service.settings.study_seconds
        raise unavailable(f"This took longer than the {seconds:g} seconds that the service allows.") from error
    except EngineUnavailableError as error:
        raise unavailable("The service is too busy to study this now. Try again in a moment.") from error
