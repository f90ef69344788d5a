"""The rules of a game and its lesson: what a new player reads and tries."""

from typing import Annotated

from msgspec import Meta, field

from duelbook.game import SeatName
from duelbook.study.lessons import MAX_STEPS
from duelbook.web.schemas.matches import Document, Options
from duelbook.web.schemas.studies import Attempt, OptionPairs, PositionView


class RulesQuery(Document, kw_only=True):
    """The options that are in force, as far as they differ from those of the rule book."""

    option: OptionPairs = field(default_factory=list)


class LessonQuery(Document, kw_only=True):
    """The step of the lesson, and the move that the player makes there."""

    step: Annotated[int, Meta(ge=1, le=MAX_STEPS, description="from 1 on")]
    attempt: Attempt = field(name="try")


class PlayedBy(Document, kw_only=True):
    """A move and the player who made it."""

    move: str
    seat: SeatName


class Snapshot(Document, kw_only=True):
    """A position and the moves that led to it."""

    history: list[PlayedBy]
    position: PositionView


class RulesPicture(Snapshot, kw_only=True):
    """A picture of the board in the rules."""

    caption: str


class RulesView(Document, kw_only=True):
    """The rules of a game with the options in force."""

    game: str
    options: Options
    text: Annotated[str, Meta(description="as Markdown; `![caption](0)` is the first of the pictures")]
    pictures: list[RulesPicture]


class LessonStepView(Document, kw_only=True):
    """A step of a lesson: a position with a task for the player to move."""

    title: str
    task: str
    options: Options
    start: Snapshot


class LessonView(Document, kw_only=True):
    """The lesson of a game: small positions, each with a task that shows one rule."""

    game: str
    general: Annotated[bool, Meta(description="the game has no lesson of its own; this one was found by search")]
    steps: list[LessonStepView]


class LessonAnswer(Document, kw_only=True):
    """What follows when a move is tried in a step of a lesson."""

    right: bool
    text: Annotated[str, Meta(description="why")]
    shown: Annotated[list[Snapshot], Meta(description="after the move, and after each move that follows")]


# Between a worker and the service


class KnownAnswer(Document, kw_only=True):
    """What follows when a move is tried: the text, and the names of the moves after it."""

    right: bool
    text: str
    following: list[str]


class AnsweredLesson(Document, kw_only=True):
    """A lesson with what follows after every legal move of each step, as a worker sends it to the service."""

    lesson: LessonView
    answers: list[dict[str, KnownAnswer]]
    problem: Annotated[str, Meta(description="what is wrong with the game's own lesson, if something is")]
