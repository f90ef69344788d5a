"""What the catalogue, studies and the standing look like, for the OpenAPI document."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from duelbook.web.http.schemas import OutcomeName, ReasonName, SeatName

Options = dict[str, int | str]
Value = Literal["win", "draw", "loss"]


class Exactly(BaseModel):
    """What is written down here, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class OptionEntry(Exactly):
    name: str
    type: Literal["whole number", "two values", "one of"]
    default: int | str
    about: str
    minimum: int | None
    maximum: int | None
    values: list[str] | None


class ChoiceEntry(Exactly):
    what: str
    option: str
    valid: list[str]


class GameEntry(Exactly):
    name: str
    title: str
    aim: str
    options: list[OptionEntry]
    choice: ChoiceEntry | None
    rules: str
    board: bool


class ParameterEntry(Exactly):
    name: str
    default: int
    most: int


class AgentEntry(Exactly):
    name: str
    about: str
    level: bool
    parameter: ParameterEntry | None


class Catalogue(Exactly):
    """Everything there is to choose from."""

    games: list[GameEntry]
    agents: list[AgentEntry]


class MoveValue(Exactly):
    value: Value
    remoteness: int | None


class Hint(Exactly):
    move: str
    why: str


class Solution(Exactly):
    """What is known of a position; its moves come best first, and no move is the one to play once the game is over."""

    game: str
    options: Options
    after: list[str]
    states: int
    counted: Literal["classes", "states"]
    value: Value
    winner: Literal["first", "second", "none"]
    remoteness: int | None
    moves: dict[str, MoveValue]
    hint: Hint | None
    seconds: float
    megabytes: int


class Position(Exactly):
    """Where a line stands after so many moves; nobody moves any more once the game is decided."""

    ply: int
    mover: SeatName | None
    outcome: OutcomeName
    legal: list[str]
    text: str
    view: dict[str, Any]


class Line(Exactly):
    """A line of moves with every position on the way, the first one before any move."""

    game: str
    options: Options
    moves: list[str]
    positions: list[Position]


class PuzzleView(Exactly):
    """A position that one move wins; the last three are there once a move has been tried."""

    game: str
    options: Options
    level: int
    plies: int
    moves: list[str]
    mover: SeatName
    legal: list[str]
    text: str
    view: dict[str, Any]
    right: bool | None = None
    answer: str | None = None
    refutation: list[str] | None = None


class SeededPuzzle(PuzzleView):
    seed: str


class DailyPuzzle(PuzzleView):
    day: str


class JudgedMove(Exactly):
    player: SeatName
    move: str
    verdict: str
    before: Value
    after: Value
    remoteness: int | None
    best: str
    regret: int
    mattered: bool


class PlayerSummary(Exactly):
    name: str
    seat: SeatName
    accuracy: float | None
    regret: float | None
    first_blunder: int | None


class ReviewView(Exactly):
    """A finished match, move by move."""

    game: str
    result: OutcomeName
    reason: ReasonName
    values: list[Value]
    moves: list[JudgedMove]
    players: list[PlayerSummary]


class RecordReview(Exactly):
    """A record that was sent: who played what, how it ended, and the review."""

    game: str
    options: Options
    names: dict[SeatName, str]
    seats: dict[SeatName, str]
    moves: list[str]
    outcome: OutcomeName
    reason: ReasonName
    result: str | None
    review: ReviewView


class Standing(Exactly):
    status: Literal["alive", "ready"]
