"""Pictures for links that are shared, drawn from the same positions as the boards of the page."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.responses import Response

from duelbook.board.picture import SEATS_AS_NAMES
from duelbook.games import GAMES
from duelbook.options import option_pairs, write_options
from duelbook.web.engine.pictures import BoardTask, Form, PictureTask
from duelbook.web.engine.supervisor import EngineUnavailableError
from duelbook.web.http.previews import (
    DAILY_PUZZLE,
    HOME_CARD,
    Words,
    lesson_words,
    match_words,
    position_words,
    puzzle_words,
)
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.http.routes.studies import requested_day
from duelbook.web.match.positions import line_of, requested_game
from duelbook.web.match.view import needs_choices
from duelbook.web.problems import Problem, unavailable
from duelbook.web.schemas.matches import Document, Ply
from duelbook.web.schemas.studies import Day, Level, Line, PositionQuery, Seed, WantedKind
from duelbook.web.settings import split_list

PNG, SVG = "image/png", "image/svg+xml"
DAY, MINUTE = "public, max-age=86400", "public, max-age=60"
HOME_BOARDS = 3
SHOWN_PLY = 5  # of a demonstration game

routes = RouteTable()


class MatchPictureQuery(Document, kw_only=True):
    """Which position of a match: by default the last one."""

    ply: Annotated[Ply | None, Meta(description="the number of moves played")] = None


class DailyPictureQuery(Document, kw_only=True):
    """Which day: by default today."""

    day: Day | None = None


class PuzzlePictureQuery(Document, kw_only=True):
    """Which puzzle."""

    seed: Seed = "1"
    level: Level | None = None
    kind: WantedKind = "win"


async def _picture(
    request: ApiRequest, key: Hashable, find: Callable[[], Awaitable[PictureTask]], media_type: str, cached: str
) -> Response:
    """Return the picture, drawn now if it is not known."""
    pictures = request.service.pictures
    if not pictures.is_known(key):
        request.limit("picture")
    try:
        drawn = await request.unless_client_leaves(pictures.draw(key, find))
    except EngineUnavailableError as error:
        raise unavailable("The service is too busy to draw this now. Try again in a moment.") from error
    return Response(drawn, media_type=media_type, headers={"Cache-Control": cached})


@routes.get("/pictures/home.png", media_type=PNG)
async def home(request: ApiRequest) -> Response:
    """The picture for a link to the home screen."""
    games, day = list(GAMES)[:HOME_BOARDS], _today(request)

    async def find() -> PictureTask:
        boards = [await _demonstration(request, game, day) for game in games]
        return PictureTask(title=HOME_CARD.title, text=HOME_CARD.text, boards=boards)

    return await _picture(request, ("home", day), find, PNG, DAY)


@routes.get("/pictures/games/{game}.png", media_type=PNG, problems=("not-found",))
async def game(request: ApiRequest) -> Response:
    """The picture for a link to the lesson of a game."""
    name, day = request.game, _today(request)

    async def find() -> PictureTask:
        return _task(lesson_words(name), await _demonstration(request, name, day))

    return await _picture(request, ("game", name, day), find, PNG, DAY)


@routes.get("/pictures/matches/{match}.png", query=MatchPictureQuery, media_type=PNG, problems=("not-found", "invalid"))
async def match(request: ApiRequest, query: MatchPictureQuery) -> Response:
    """The picture for a link to a match: a card with its board, 1200 by 630."""
    return await _match_picture(request, query, "png", PNG)


@routes.get(
    "/pictures/matches/{match}.svg",
    query=MatchPictureQuery,
    media_type=SVG,
    problems=("not-found", "not-begun", "invalid"),
)
async def match_board(request: ApiRequest, query: MatchPictureQuery) -> Response:
    """The board of a match as SVG."""
    return await _match_picture(request, query, "svg", SVG)


async def _match_picture(request: ApiRequest, query: MatchPictureQuery, form: Form, media_type: str) -> Response:
    served = await request.service.registry.read(request.match)
    moves = [played.move for played in served.moves][: query.ply]
    words, options, names = match_words(served, query.ply), write_options(served.game), (served.name(0), served.name(1))
    board = BoardTask(game=served.row.game, options=options, moves=moves, names=names)
    hidden = needs_choices(served)  # what the players choose is secret until the start
    if hidden and form == "svg":
        raise Problem("not-begun", "The board is not known until both players have chosen.")

    async def find() -> PictureTask:
        return PictureTask(title=words.title, text=words.text, boards=[] if hidden else [board], form=form)

    key = ("match", request.match, served.row.version, len(moves), form)
    return await _picture(request, key, find, media_type, MINUTE)


@routes.get("/pictures/positions/{game}.png", query=PositionQuery, media_type=PNG, problems=("not-found", "invalid"))
async def position(request: ApiRequest, query: PositionQuery) -> Response:
    """The picture for a link to a position on the analysis board."""
    rules = requested_game(request.game, option_pairs(query.option))
    line = line_of(rules, [name.strip() for name in query.after.split(",") if name.strip()])

    async def find() -> PictureTask:
        return _task(position_words(line.game, line.moves), _board(line))

    key = ("position", line.game, msgspec.json.encode(line.options), tuple(line.moves))
    return await _picture(request, key, find, PNG, DAY)


@routes.get("/pictures/puzzles/daily.png", query=DailyPictureQuery, media_type=PNG, problems=("invalid",))
async def daily_puzzle(request: ApiRequest, query: DailyPictureQuery) -> Response:
    """The picture for a link to the puzzle of a day."""
    day = requested_day(request, query.day)

    async def find() -> PictureTask:
        games = split_list(request.service.settings.daily_games)
        found = await request.service.engine.study("daily_puzzle", day=day, attempt=None, games=games)
        return _task(DAILY_PUZZLE, _puzzle(found))

    return await _picture(request, ("daily", day), find, PNG, MINUTE)


@routes.get("/pictures/puzzles/{game}.png", query=PuzzlePictureQuery, media_type=PNG, problems=("not-found", "invalid"))
async def puzzle(request: ApiRequest, query: PuzzlePictureQuery) -> Response:
    """The picture for a link to a puzzle."""
    name = request.game

    async def find() -> PictureTask:
        wanted: dict[str, Any] = {"level": query.level, "puzzle_kind": query.kind, "attempt": None}
        found = await request.service.engine.study("puzzle", game=name, seed=query.seed, **wanted)
        return _task(puzzle_words(name), _puzzle(found))

    return await _picture(request, ("puzzle", name, query.seed, query.level, query.kind), find, PNG, DAY)


def _task(words: Words, board: BoardTask) -> PictureTask:
    return PictureTask(title=words.title, text=words.text, boards=[board])


def _board(line: Line) -> BoardTask:
    return BoardTask(game=line.game, options=line.options, moves=line.moves, names=SEATS_AS_NAMES)


async def _demonstration(request: ApiRequest, game: str, day: str) -> BoardTask:
    """Return a position of the game's demonstration."""
    line = msgspec.json.decode(await request.service.engine.demonstrate(game, day), type=Line)
    return msgspec.structs.replace(_board(line), moves=line.moves[: min(SHOWN_PLY, len(line.moves) // 2 + 1)])


class _Puzzle(msgspec.Struct):
    """What a picture needs of a puzzle."""

    game: str
    options: dict[str, int | str]
    moves: list[str]


def _puzzle(found: bytes) -> BoardTask:
    puzzle = msgspec.json.decode(found, type=_Puzzle)
    return BoardTask(game=puzzle.game, options=puzzle.options, moves=puzzle.moves, names=SEATS_AS_NAMES)


def _today(request: ApiRequest) -> str:
    return request.service.clock.now().date().isoformat()
