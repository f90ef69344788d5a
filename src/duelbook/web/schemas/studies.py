"""Studies: the catalogue, variants, positions, exact values, reviews, puzzles, and the state of the service."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from duelbook.board import Board, Theme
from duelbook.board.changes import BoardChange
from duelbook.game import OutcomeName, Reason, SeatName
from duelbook.study.documents import HintView, PositionReport, PuzzleKindName, PuzzleView, ReviewView
from duelbook.study.puzzle_kinds import LEVELS
from duelbook.web.schemas.matches import BySeat, Document, LongText, Options, Ply

After = Annotated[str, Meta(max_length=4000, description="moves, separated by commas")]
Attempt = Annotated[str, Meta(max_length=60, description="a move, to find out whether it is right")]
ANY_KIND = "any"
OptionType = Literal["whole number", "two values", "list", "one of"]
OptionPairs = Annotated[list[LongText], Meta(max_length=16, description="KEY=VALUE")]


# Query parameters

Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", description="by default today")]
Seed = Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z", description="for the same puzzle again")]
Level = Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])]
WantedKind = Literal["win", "only-move", "trap", "any"]


class PositionQuery(Document, kw_only=True):
    """A position: options of the game, and the moves from the start."""

    option: OptionPairs = field(default_factory=list)
    after: After = ""


class HelpRequest(Document, kw_only=True):
    """The position of a match in which a player wants help."""

    ply: Ply


class PreviewQuery(PositionQuery, kw_only=True):
    """A position, and a move in it."""

    move: Annotated[str, Meta(max_length=60, description="only this move")] | None = None


class TypedMoveQuery(PositionQuery, kw_only=True):
    """A position, and what a person typed there."""

    typed: Annotated[str, Meta(min_length=1, max_length=60, description="a move in the words of a player")]


class VariantQuery(Document, kw_only=True):
    """Options of a game, and a player's choice before the start."""

    option: OptionPairs = field(default_factory=list)
    choice: Annotated[str, Meta(max_length=200)] | None = None


class DailyPuzzleQuery(Document, kw_only=True):
    """Which day, and an attempt at its puzzle."""

    day: Day | None = None
    attempt: Attempt | None = field(default=None, name="try")


class PuzzleQuery(Document, kw_only=True):
    """Which puzzle, and an attempt at it."""

    attempt: Attempt | None = field(default=None, name="try")

    seed: Seed | None = None
    level: Level | None = None
    kind: WantedKind = "win"


# The catalogue


class OptionEntry(Document, kw_only=True):
    """An option of a game."""

    name: str
    type: OptionType
    default: int | str
    about: str
    minimum: int | None
    maximum: int | None
    values: list[str] | None
    drawn: Annotated[bool, Meta(description="whether it is drawn for each match unless it is given")]


class MeasuredView(Document, kw_only=True):
    """What the lab has measured about the rules of a game."""

    first_score: Annotated[float, Meta(description="of the first seat between equal players; 0.5 is fair")]
    sentences: Annotated[list[str], Meta(description="who has the edge, how long games last, best play, positions")]


class PresetEntry(Document, kw_only=True):
    """Options of a game under a name."""

    name: str
    title: str
    about: str
    options: dict[str, int | str]
    suggested: Annotated[bool, Meta(description="whether who has not chosen should begin with it")]
    measured: Annotated[MeasuredView | None, Meta(description="null if the preset was not measured")]


class ChoiceEntry(Document, kw_only=True):
    """A choice that each player makes before the start."""

    what: str
    option: str
    valid: list[str]


class GameView(Document, kw_only=True):
    """A game."""

    name: str
    title: str
    aim: str
    options: list[OptionEntry]
    presets: list[PresetEntry]
    choice: ChoiceEntry | None
    board: Annotated[bool, Meta(description="whether the page has code for its board, which draws `view`")]
    theme: Annotated[Theme, Meta(description="how its board looks")]
    lesson: Annotated[bool, Meta(description="whether the game has a lesson of its own; if not, a general one is made")]


class ParameterEntry(Document, kw_only=True):
    """The number that an agent takes after its name."""

    name: str
    default: int
    most: int


class AgentEntry(Document, kw_only=True):
    """An agent to play against."""

    name: str
    about: str
    level: Annotated[bool, Meta(description="whether it is one of the levels of play")]
    rating: Annotated[int | None, Meta(description="of a level, as measured in the games of Duelbook; medium has 1500")]
    parameter: ParameterEntry | None


class Catalogue(Document, kw_only=True):
    """The games and the agents."""

    games: list[GameView]
    agents: list[AgentEntry]


# Rules that somebody chooses


class OptionProblem(Document, kw_only=True):
    """Why a match cannot be played with these options."""

    option: Annotated[str | None, Meta(description="the option that is wrong, if one alone is")]
    detail: Annotated[str, Meta(description="a sentence for a person")]


class VariantView(Document, kw_only=True):
    """A game with options: whether it can be played, and what is known about it."""

    problem: OptionProblem | None
    measured: Annotated[MeasuredView | None, Meta(description="null if these rules were not measured")]
    choices: Annotated[list[str], Meta(description="what a player can choose before the start, unless it is too many")]


# Positions and exact values


class PositionView(Document, kw_only=True):
    """A position on a line of moves."""

    ply: int
    mover: Annotated[SeatName | None, Meta(description="null once the game is decided")]
    outcome: OutcomeName
    legal: list[str]
    text: Annotated[str, Meta(description="the state as plain text")]
    view: Annotated[dict[str, Any], Meta(description="the state as data; each game has its own fields")]
    board: Annotated[Board, Meta(description="what lies on the table")]


class Line(Document, kw_only=True):
    """A line of moves with the position before the first move and after every move."""

    game: str
    options: Options
    moves: list[str]
    short: Annotated[list[str], Meta(description="the moves in short notation")]
    positions: list[PositionView]


class MovePreview(Document, kw_only=True):
    """What a move would do."""

    words: Annotated[str, Meta(description="to the player to move: You would have 8 of 15.")]
    result: Annotated[str, Meta(description="what it would decide; empty if the game goes on or nobody can know yet")]
    warning: Annotated[bool, Meta(description="whether it costs something that the player may not expect")]
    text: Annotated[str, Meta(description="the state after it as plain text")]
    view: Annotated[dict[str, Any], Meta(description="the state after it as data")]
    changes: Annotated[list[BoardChange], Meta(description="what would lie elsewhere on the board")]


class Previews(Document, kw_only=True):
    """What the legal moves of a position would do, by name; of more than 64 moves the first 64."""

    moves: dict[str, MovePreview]


class TypedMove(Document, kw_only=True):
    """The legal move that a typed text means."""

    move: str


class Demonstrations(Document, kw_only=True):
    """The demonstration games of the day; one that takes long to play is missing at first."""

    lines: list[Line]


class Advice(Document, kw_only=True):
    """The move to play in a position, for any game."""

    exact: Annotated[bool, Meta(description="by exact values; if not, the game is too large and it is an estimate")]
    hint: Annotated[HintView | None, Meta(description="null once the game is over")]


class SolutionView(PositionReport, kw_only=True):
    """The exact value of a position and of every move in it, and the move to play."""


# Puzzles and reviews


class SeededPuzzle(PuzzleView, kw_only=True):
    """A puzzle that its seed finds again."""

    seed: str


class DailyPuzzle(PuzzleView, kw_only=True):
    """The puzzle of a day."""

    day: str
    first_day: Annotated[str, Meta(description="the first day that has a puzzle")]


class PuzzleLevels(Document, kw_only=True):
    """The kinds of puzzles that a game has, and the levels of each."""

    game: str
    levels: dict[PuzzleKindName, list[int]]


class RecordReview(Document, kw_only=True):
    """A record that was sent: the players, the moves, the result, and the review."""

    game: str
    options: Options
    time_limit: float | None
    names: BySeat[str]
    seats: BySeat[str]
    moves: list[str]
    outcome: OutcomeName
    reason: Reason
    result: str | None
    review: ReviewView


# Studies that are not ready


class StudyProgress(Document, kw_only=True):
    """How far a study is that takes a while. The same request gets its progress again, and in the end the result."""

    stage: Annotated[
        Literal[
            "queued", "working", "compiling", "waiting", "preparing", "estimating", "exploring", "analysing", "saving"
        ],
        Meta(description="queued until a worker is free, then what it does; waiting is for another worker's solution"),
    ]
    states: Annotated[int, Meta(description="found so far in a game that is being solved")]
    valued: Annotated[int, Meta(description="how many of them have a known value")]
    passes: Annotated[int, Meta(description="over the states so far")]
    memory_bytes: Annotated[int, Meta(description="that the solver uses")]
    budget_bytes: Annotated[int, Meta(description="that it may use; a game that needs more is too large")]
    url: Annotated[str, Meta(description="where to ask again, with the same method and body")]


# The state of the service


class ServiceStatus(Document, kw_only=True):
    """Whether the service is alive, or ready."""

    status: Literal["alive", "ready"]
