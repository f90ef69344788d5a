"""Studies: the catalogue, positions, exact values, reviews and puzzles."""

from collections.abc import Hashable
from datetime import date
from functools import cache, partial
from typing import Any

import msgspec
from msgspec.structs import asdict
from starlette.responses import Response

from duelbook.errors import RefusedError
from duelbook.options import option_pairs, write_options
from duelbook.records.document import RecordDocument, to_json
from duelbook.study.daily_puzzle import FIRST_DAY
from duelbook.study.documents import ReviewView
from duelbook.web.engine.studies import Work
from duelbook.web.engine.supervisor import EngineTimeoutError, EngineUnavailableError, OnProgress, TaskProgress
from duelbook.web.http.catalogue import catalogue
from duelbook.web.http.compression import compressed
from duelbook.web.http.rate_limits import client_address
from duelbook.web.http.requests import JSON, ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.match.positions import line_of, replayed, requested_game
from duelbook.web.match.previews import previews_of
from duelbook.web.match.tokens import new_seed
from duelbook.web.match.typed_moves import read_typed_move
from duelbook.web.match.variants import variant_view
from duelbook.web.problems import unavailable
from duelbook.web.schemas.studies import (
    Advice,
    Catalogue,
    DailyPuzzle,
    DailyPuzzleQuery,
    Demonstrations,
    HelpRequest,
    Line,
    PositionQuery,
    PreviewQuery,
    Previews,
    PuzzleLevels,
    PuzzleQuery,
    RecordReview,
    SeededPuzzle,
    SolutionView,
    StudyProgress,
    TypedMove,
    TypedMoveQuery,
    VariantQuery,
    VariantView,
)
from duelbook.web.settings import Settings, split_list

HELP_PROBLEMS = ("no-token", "wrong-token", "not-found", "invalid", "foreign-origin", "no-help", "ply-ahead")
RETRY_SECONDS = 1  # between two requests for a study that is not ready

routes = RouteTable("studies")


@routes.get("/api/games", response=Catalogue)
async def games(request: ApiRequest) -> Response:
    """The games with their options and rules, and the agents."""
    return compressed(request, _encoded_catalogue(request.service.settings))


@cache
def _encoded_catalogue(settings: Settings) -> bytes:
    return msgspec.json.encode(catalogue(settings.agent_limits))


@routes.get("/api/games/{game}/variant", query=VariantQuery, response=VariantView, problems=("not-found", "invalid"))
async def variant(request: ApiRequest, query: VariantQuery) -> VariantView:
    """Whether a match can be played with these options, which of them is wrong, and what is known about them."""
    return variant_view(request.game, option_pairs(query.option), query.choice)


@routes.get("/api/games/{game}/demonstration", response=Line, problems=("not-found",))
async def demonstration(request: ApiRequest) -> bytes:
    """A short game between strong agents as a line of moves, a new one every day."""
    return await request.service.engine.demonstrate(request.game, _today(request))


@routes.get("/api/demonstrations", response=Demonstrations)
async def demonstrations(request: ApiRequest) -> Response:
    """The demonstration games of all games, as far as they are ready."""
    return compressed(request, await request.service.engine.demonstrations(_today(request)))


@routes.get(
    "/api/solve/{game}",
    query=PositionQuery,
    response=SolutionView,
    progress=StudyProgress,
    problems=("not-found", "invalid"),
)
async def solve(request: ApiRequest, query: PositionQuery) -> bytes | Response:
    """The value and remoteness of a position and of every move in it, the best move first."""
    return await _position_study(request, "solution", query)


@routes.get(
    "/api/hint/{game}", query=PositionQuery, response=Advice, progress=StudyProgress, problems=("not-found", "invalid")
)
async def hint(request: ApiRequest, query: PositionQuery) -> bytes | Response:
    """Help in a position: a nudge, the best move, and why. In a game too large to be solved it is an estimate."""
    return await _position_study(request, "advice", query)


@routes.post(
    "/api/matches/{match}/hint",
    seat=True,
    body=HelpRequest,
    response=Advice,
    progress=StudyProgress,
    problems=HELP_PROBLEMS,
)
async def match_hint(request: ApiRequest, token: str | None, asked: HelpRequest) -> bytes | Response:
    """Help in a position of your match against an agent. Your clock stands still until it is found."""
    return await _help(request, "advice", token, asked.ply)


@routes.post(
    "/api/matches/{match}/solution",
    seat=True,
    body=HelpRequest,
    response=SolutionView,
    progress=StudyProgress,
    problems=HELP_PROBLEMS,
)
async def match_solution(request: ApiRequest, token: str | None, asked: HelpRequest) -> bytes | Response:
    """The values of a position of your match against an agent. Your clock stands still until they are found."""
    return await _help(request, "solution", token, asked.ply)


@routes.get("/api/positions/{game}", query=PositionQuery, response=Line, problems=("not-found", "invalid"))
async def positions(request: ApiRequest, query: PositionQuery) -> Line:
    """Every position of a line of moves, from the start on. A forced pass is a move like any other."""
    return line_of(requested_game(request.game, option_pairs(query.option)), _names(query.after))


@routes.get("/api/previews/{game}", query=PreviewQuery, response=Previews, problems=("not-found", "invalid"))
async def previews(request: ApiRequest, query: PreviewQuery) -> Previews:
    """What each legal move of a position would do, in words and as the position after it."""
    return previews_of(requested_game(request.game, option_pairs(query.option)), _names(query.after), query.move)


@routes.get("/api/typed-moves/{game}", query=TypedMoveQuery, response=TypedMove, problems=("not-found", "invalid"))
async def typed_move(request: ApiRequest, query: TypedMoveQuery) -> TypedMove:
    """The legal move that a typed text means: its name, the rule book's phrase for it, or a short form."""
    game = requested_game(request.game, option_pairs(query.option))
    _, state = replayed(game, _names(query.after))
    return TypedMove(move=read_typed_move(game, state, query.typed))


@routes.get(
    "/api/matches/{match}/review",
    response=ReviewView,
    progress=StudyProgress,
    problems=("not-found", "not-over", "invalid"),
)
async def review(request: ApiRequest) -> bytes | Response:
    """Every move of a finished match, judged by exact values."""
    served = await request.service.actions.finished(request.match)
    record = to_json(served.record())
    return await _study(request, "judge", record=record)


@routes.post(
    "/api/review",
    body=RecordDocument,
    raw_body=True,
    response=RecordReview,
    progress=StudyProgress,
    problems=("invalid", "foreign-origin"),
)
async def review_record(request: ApiRequest) -> bytes | Response:
    """Who played what in a record that is sent, how it ended, and every move judged."""
    await request.read_json()  # the worker reads the text again, and checks the record
    return await _study(request, "record_review", text=(await request.body()).decode())


@routes.get(
    "/api/puzzles/daily", query=DailyPuzzleQuery, response=DailyPuzzle, progress=StudyProgress, problems=("invalid",)
)
async def daily(request: ApiRequest, query: DailyPuzzleQuery) -> bytes | Response:
    """The puzzle of the day, or of a past day, the same for everybody. With `try`, also whether a move is right."""
    day = requested_day(request, query.day)
    games = split_list(request.service.settings.daily_games)
    url = _address(request, day=day)
    return await _study(request, "daily_puzzle", url, day=day, attempt=query.attempt, games=games)


@routes.get(
    "/api/puzzles/{game}",
    query=PuzzleQuery,
    response=SeededPuzzle,
    progress=StudyProgress,
    problems=("not-found", "invalid"),
)
async def puzzle(request: ApiRequest, query: PuzzleQuery) -> bytes | Response:
    """A position with a question about it. With `try`, also whether a move is right."""
    seed = query.seed or str(new_seed() >> 30)  # short enough to be typed
    url = _address(request, seed=seed)
    wanted = {"level": query.level, "puzzle_kind": query.kind, "attempt": query.attempt}
    return await _study(request, "puzzle", url, game=request.game, seed=seed, **wanted)


@routes.get(
    "/api/puzzles/{game}/levels",
    response=PuzzleLevels,
    progress=StudyProgress,
    problems=("not-found", "invalid"),
)
async def puzzle_levels(request: ApiRequest) -> bytes | Response:
    """The kinds of puzzles that a game has, and the levels of each."""
    return await _study(request, "puzzle_levels", game=request.game)


def requested_day(request: ApiRequest, asked: str | None) -> str:
    """Return the day whose puzzle is asked for, by default today; raise RefusedError if it has none."""
    day = asked or _today(request)
    if not (FIRST_DAY.isoformat() <= day <= _today(request)) or not _is_date(day):
        raise RefusedError(f"There are puzzles from {FIRST_DAY} to {_today(request)}, not of {day}.")
    return day


def not_ready(progress: TaskProgress | None, url: str) -> Response:
    """Return the response to a request for a study that goes on."""
    document = StudyProgress(**asdict(progress or TaskProgress("queued")), url=url)
    return Response(msgspec.json.encode(document), 202, {"Retry-After": str(RETRY_SECONDS)}, JSON)


def _address(request: ApiRequest, **parameters: str) -> str:
    """Return the path of the request with its query, and with these parameters."""
    url = request.url.include_query_params(**parameters)
    return f"{url.path}?{url.query}" if url.query else url.path


def _is_date(day: str) -> bool:
    try:
        return bool(date.fromisoformat(day))
    except ValueError:
        return False


def _today(request: ApiRequest) -> str:
    return request.service.clock.now().date().isoformat()


def _names(after: str) -> list[str]:
    return [name.strip() for name in after.split(",") if name.strip()]


async def _position_study(request: ApiRequest, task: str, query: PositionQuery) -> bytes | Response:
    game = requested_game(request.game, option_pairs(query.option))
    return await _study(request, task, game=request.game, options=write_options(game), after=_names(query.after))


async def _study(request: ApiRequest, task: str, url: str | None = None, **question: Any) -> bytes | Response:
    """Return the answer of a worker as JSON, or how far it is if that takes longer than a moment.

    `url` is where to ask again, if it is not the address of the request.
    """
    work = partial(request.service.engine.study, task, **question)
    return await _ask(request, (task, msgspec.json.encode(question)), work, url)


async def _help(request: ApiRequest, task: str, token: str | None, ply: int) -> bytes | Response:
    """Return the study of a position of the match. The player's clock stands still while it goes on."""
    match, engine, helper = request.match, request.service.engine, request.service.help
    question = await helper.question(match, token, ply)

    async def work(on_progress: OnProgress) -> bytes:
        async with helper.stopped_clock(match, token, f"{task} {ply}"):
            return await engine.study(task, on_progress, **question)

    return await _ask(request, (task, match, ply), work)


async def _ask(request: ApiRequest, about: Hashable, work: Work[bytes], url: str | None = None) -> bytes | Response:
    studies, key = request.service.studies, (client_address(request), about)
    if not studies.is_known(key):
        request.limit("study")
    try:
        found = await request.unless_client_leaves(studies.ask(key, work))
        return found if isinstance(found, bytes) else not_ready(found, url or _address(request))
    except EngineTimeoutError as error:
        seconds = request.service.settings.study_seconds
        raise unavailable(f"This took longer than the {seconds:g} seconds that the service allows.") from error
    except EngineUnavailableError as error:
        raise unavailable("The service is too busy to study this now. Try again in a moment.") from error
