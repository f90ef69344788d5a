"""What new players read and try: the rules with the options in force, and lessons."""

from duelbook.game import IllegalMoveError
from duelbook.options import drawn_options, option_pairs
from duelbook.presets import expand_preset
from duelbook.web.engine.supervisor import EngineTimeoutError
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import RouteTable
from duelbook.web.match.lessons import lesson_answer
from duelbook.web.match.positions import requested_game, shown_rules
from duelbook.web.problems import Problem, unavailable
from duelbook.web.schemas.lessons import (
    AnsweredLesson,
    LessonAnswer,
    LessonQuery,
    LessonView,
    RulesQuery,
    RulesView,
)

routes = RouteTable("lessons")


@routes.get("/api/games/{game}/rules", query=RulesQuery, response=RulesView, problems=("not-found", "invalid"))
async def rules(request: ApiRequest, query: RulesQuery) -> RulesView:
    """The rules of a game as they are with these options, with pictures of the board."""
    pairs = option_pairs(query.option)
    game = requested_game(request.game, pairs)
    given = expand_preset(type(game), pairs)
    return shown_rules(game, drawn_options(type(game), given))


@routes.get("/api/games/{game}/lesson", response=LessonView, problems=("not-found",))
async def lesson(request: ApiRequest) -> LessonView:
    """The lesson of a game: small positions, each with a task. The answers come only with a move."""
    return (await _lesson(request)).lesson


@routes.get(
    "/api/games/{game}/lesson/answer",
    query=LessonQuery,
    response=LessonAnswer,
    problems=("not-found", "invalid", "illegal-move"),
)
async def answer(request: ApiRequest, query: LessonQuery) -> LessonAnswer:
    """What follows when a move is tried in a step of the lesson: whether it is right, why, and what is shown."""
    try:
        return lesson_answer(await _lesson(request), query.step, query.attempt)
    except IllegalMoveError as error:
        raise Problem("illegal-move", str(error), legal=list(error.legal)) from error


async def _lesson(request: ApiRequest) -> AnsweredLesson:
    try:
        return await request.service.engine.lesson(request.game)
    except EngineTimeoutError as error:
        raise unavailable("The lesson was not ready in time. Try again in a moment.") from error
