"""What requests hold and answers look like, for checking and for the OpenAPI document."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from duelbook.games import GAMES
from duelbook.records.record import MAX_TURN_SECONDS
from duelbook.web.schemas.matches import MAX_LISTED_MATCHES

SeatName = Literal["first", "second"]
OutcomeName = Literal["first", "second", "draw", "none"]
ReasonName = Literal["rules", "resignation", "time", "forfeit", "ply limit", "unfinished"]
Text = Annotated[str, Field(max_length=200)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="random, new for every intended move")]
Secret = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{32,64}$", description="random and secret")]
Ply = Annotated[int, Field(ge=0, le=1_000_000)]


class StrictModel(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class NewMatch(StrictModel):
    """A match to be made."""

    game: Annotated[Text, Field(json_schema_extra={"enum": list(GAMES)})]
    opponent: Annotated[str, Field(max_length=60, description="`friend`, or an agent such as `perfect` or `mcts:500`")]
    seat: Annotated[Literal["first", "second", "random"], Field(description="yours; the first one begins")] = "first"
    options: Annotated[dict[Text, int | Text], Field(max_length=16)] = {}
    name: Text | None = None
    time_limit: Annotated[float, Field(gt=0, le=MAX_TURN_SECONDS, description="seconds for each turn")] | None = None
    choice: Annotated[Text | None, Field(description="what you choose before the start, as in Alpha Chase")] = None
    public: Annotated[bool, Field(description="whether it is in the list of matches while it is played")] = False


class Join(StrictModel):
    """Who takes the free seat."""

    name: Text | None = None
    choice: Text | None = None
    key: Annotated[Secret | None, Field(description="with the same key again you get the same seat again")] = None


class PlayedMove(StrictModel):
    """A move for a ply."""

    ply: Ply
    move: Text
    key: Key | None = None


class Undo(StrictModel):
    """Asking to take back or agreeing to it, or declining."""

    agree: bool = True
    ply: Annotated[Ply | None, Field(description="where the match stands, so that asking twice does it once")] = None


class Nothing(StrictModel):
    """Nothing has to be said."""


class RecordDocument(BaseModel):
    """A record, for the OpenAPI document; what it has to be is checked where all records are read."""

    format: Literal["duelbook-record"]
    version: Literal[1]
    game: str
    options: dict[str, int | str]
    dictionary: Annotated[str, Field(description="in games with a word list, the hash of it")] = ""
    players: Annotated[list[dict[Literal["name", "agent", "seat"], str]], Field(min_length=2, max_length=2)]
    seed: int | None
    time_limit: float | None
    moves: list[str]
    result: OutcomeName
    reason: ReasonName
    started: str | None
    ended: str | None
    seconds: list[float]


class View(BaseModel):
    """What everybody may see of a match."""

    id: str
    game: str
    options: dict[str, int | str]
    version: int
    status: Literal["waiting", "playing", "over"]
    ply: int
    mover: SeatName | None
    outcome: OutcomeName
    reason: ReasonName
    result: Annotated[str | None, Field(description="who won and why, in words; null until it is over")]
    moves: list[str]
    legal: list[str]
    names: dict[SeatName, str]
    seats: dict[SeatName, str]
    public: bool
    choices: dict[str, Any] | None
    clocks: dict[str, Any] | None
    undo: SeatName | None
    rematch: str | None
    text: str
    view: dict[str, Any]


class PlayedMatch(BaseModel):
    """What a list of matches tells of one that is being played."""

    model_config = ConfigDict(extra="forbid")

    id: str
    game: str
    ply: int
    names: dict[SeatName, str]
    seats: dict[SeatName, str]
    mover: SeatName


class PlayedMatches(BaseModel):
    """Public matches that are being played, those first that were touched last."""

    matches: Annotated[list[PlayedMatch], Field(max_length=MAX_LISTED_MATCHES)]


class SeatedView(BaseModel):
    """A seat with its token: keep it, it is not shown again."""

    id: str
    seat: SeatName
    token: str
    match: View


class Moves(BaseModel):
    """The moves from a ply on."""

    ply: int
    version: int
    since: int
    moves: list[str]


class ProblemDocument(BaseModel):
    """Why a request was refused (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    detail: str
    ply: int | None = None
    legal: list[str] | None = None
    valid: list[str] | None = None
