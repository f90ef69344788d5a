"""The requests and responses about matches."""

from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from duelbook.board import Board
from duelbook.game import OutcomeName, Reason, SeatName
from duelbook.play.actions import ActionName, api_text
from duelbook.records.document import GiftDocument
from duelbook.records.record import MAX_TURN_SECONDS

T = TypeVar("T")

MAX_LISTED_MATCHES = 12

BestOf = Literal[1, 2, 4, 6]
ACTION_FIELDS = {"play": {"ply": True, "move": True, "key": False}}  # True: the action needs the field
OTHER_FIELDS = {"ply": False}  # of every other action

Options = dict[str, int | str]
Text = Annotated[str, Meta(max_length=200)]
LongText = Annotated[str, Meta(max_length=1000)]  # an option may be a list, such as a deck of cards
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
Choice = Annotated[str, Meta(max_length=200, description="your choice before the start, as in Alpha Chase")]
MoveKey = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
KEY_PATTERN = r"^[A-Za-z0-9_-]{32,64}\Z"
JoinKey = Annotated[
    str, Meta(pattern=KEY_PATTERN, description="random and secret; the same key gets the same seat again")
]


class Document(Struct, forbid_unknown_fields=True, kw_only=True):
    """A JSON object with these fields and no others."""


class BySeat(Document, Generic[T]):
    """One value for each seat."""

    first: T
    second: T


# Requests


class NewMatch(Document, kw_only=True):
    """A match to create."""

    game: Text
    opponent: Annotated[str, Meta(max_length=60, description="`friend`, or an agent such as `perfect` or `mcts:500`")]
    seat: Annotated[Literal["first", "second", "random"], Meta(description="yours; the first player begins")] = "first"
    options: Annotated[
        dict[Text, int | LongText],
        Meta(max_length=16, description="rule options; `preset` stands for those of a preset of the game"),
    ] = {}
    name: Text | None = None
    time_limit: Annotated[float, Meta(gt=0, le=MAX_TURN_SECONDS, description="seconds for each turn")] | None = None
    choice: Choice | None = None
    public: Annotated[bool, Meta(description="list the match while it is being played")] = False
    best_of: Annotated[BestOf, Meta(description="games, with the seats swapped after each")] = 1
    open: Annotated[bool, Meta(description="offer the other seat to everybody, as an open challenge")] = False
    key: (
        Annotated[
            str,
            Meta(
                pattern=KEY_PATTERN,
                description="random and secret; the same key gets the same match again, or its progress",
            ),
        ]
        | None
    ) = None


class Join(Document, kw_only=True):
    """A player who takes the free seat."""

    name: Text | None = None
    choice: Choice | None = None
    key: JoinKey | None = None
    challenge: Annotated[bool, Meta(description="only if it is an open challenge whose maker is present")] = False


class Action(Document, kw_only=True):
    """What a player does in a match."""

    action: Annotated[
        ActionName,
        Meta(description=api_text()),
    ]
    ply: Annotated[Ply | None, Meta(description="the action counts only at this ply; `play` needs it")] = None
    move: Annotated[Text | None, Meta(description="only for `play`, which needs it")] = None
    key: Annotated[MoveKey | None, Meta(description="only for `play`: random, new for every intended move")] = None

    def __post_init__(self) -> None:
        """Raise ValueError if a field is missing that the action needs, or given that it does not take."""
        takes = ACTION_FIELDS.get(self.action, OTHER_FIELDS)
        for name in ("ply", "move", "key"):
            value, is_needed = getattr(self, name), takes.get(name)
            if value is None and is_needed:
                raise ValueError(f"lacks the field '{name}', which the action '{self.action}' needs")
            if value is not None and is_needed is None:
                raise ValueError(f"has the field '{name}', which the action '{self.action}' does not take")


class SeatOffer(Document, kw_only=True):
    """Whether the free seat of a match is offered to everybody."""

    open: bool = True


class Nothing(Document):
    """An empty object."""


class MovesQuery(Document, kw_only=True):
    """Query parameters of the moves of a match."""

    since: Ply = 0


# Responses


class ChoicesView(Document, kw_only=True):
    """A choice that players make before the start. What they chose is secret until then."""

    what: str
    valid: list[str]
    made: BySeat[bool]


class ClocksView(Document, kw_only=True):
    """The clocks of a match with a time limit, in seconds."""

    limit: Annotated[float, Meta(description="for each turn")]
    left: Annotated[float | None, Meta(description="of the current turn; null unless the match is being played")]
    stopped: Annotated[float, Meta(description="until the clock runs again, at most; 0 unless it waits for help")]
    used: BySeat[float]
    given: Annotated[list[GiftDocument], Meta(description="by the opponent, besides the limit, for a turn; by turns")]


class LastAction(Document, kw_only=True):
    """What a player has done besides moving."""

    action: ActionName
    by: SeatName
    told: Annotated[str, Meta(description="that as a sentence; empty if the view shows it anyway")]


class ClaimView(Document, kw_only=True):
    """A player waits for the absent opponent, whose turn it is."""

    by: Annotated[SeatName, Meta(description="who can claim the win if the opponent does not come back")]
    left: Annotated[float, Meta(description="seconds until then")]


class SeriesView(Document, kw_only=True):
    """The series that a match is a game of. The points of single games add up through their rematches."""

    best_of: Annotated[int, Meta(description="games in the series")]
    game: Annotated[int, Meta(description="the number of this game, from 1")]
    points: Annotated[BySeat[float], Meta(description="by the seats of this game, which counts once it is over")]
    decided: Annotated[bool, Meta(description="the series is over: what follows is a rematch")]


class MatchView(Document, kw_only=True):
    """The public view of a match."""

    id: str
    game: str
    options: Options
    version: Annotated[int, Meta(description="rises with every change")]
    status: Literal["waiting", "playing", "over"]
    ply: int
    mover: SeatName | None
    outcome: OutcomeName
    reason: Reason
    result: Annotated[str | None, Meta(description="who won and why, as a sentence; null until the match is over")]
    moves: list[str]
    short: Annotated[str | None, Meta(description="the last move in short notation; null before the first move")]
    legal: list[str]
    names: BySeat[str]
    seats: Annotated[BySeat[str], Meta(description="`human`, `free`, `reserved`, or the name of an agent")]
    public: bool
    open: Annotated[bool, Meta(description="an open challenge: everybody may take the free seat")]
    series: SeriesView
    choices: ChoicesView | None
    clocks: ClocksView | None
    actions: Annotated[BySeat[list[ActionName]], Meta(description="what each player may do now")]
    undo: Annotated[SeatName | None, Meta(description="the player who asks to take a move back")]
    last: Annotated[LastAction | None, Meta(description="what made this version, if it was no move")]
    claim: ClaimView | None
    rematch: Annotated[str | None, Meta(description="the id of the match that follows this one")]
    text: Annotated[str, Meta(description="the state as plain text")]
    view: Annotated[dict[str, Any], Meta(description="the state as data; each game has its own fields")]
    board: Annotated[Board, Meta(description="what lies on the table; nothing until both players have chosen")]


class ListedMatch(Document, kw_only=True):
    """A match in the list of matches that are being played."""

    id: str
    game: str
    ply: int
    names: BySeat[str]
    seats: BySeat[str]
    mover: SeatName
    options: Options
    time_limit: float | None
    series: SeriesView


class ListedMatches(Document, kw_only=True):
    """Public matches that are being played by players who are present, the most recently changed first."""

    matches: Annotated[list[ListedMatch], Meta(max_length=MAX_LISTED_MATCHES)]


class Challenge(Document, kw_only=True):
    """An open challenge."""

    id: str
    game: str
    name: Annotated[str, Meta(description="who waits for an opponent")]
    seat: Annotated[SeatName, Meta(description="the free one")]
    options: Options
    time_limit: float | None
    best_of: int
    choose: Annotated[bool, Meta(description="who takes it has to send a `choice`")]


class ChallengeList(Document, kw_only=True):
    """Open challenges whose makers are present, the newest first."""

    challenges: Annotated[list[Challenge], Meta(max_length=MAX_LISTED_MATCHES)]


class SeatedView(Document, kw_only=True):
    """A seat and its token. Keep the token: it is not shown again."""

    id: str
    seat: SeatName
    token: Annotated[str, Meta(description="empty in a rematch that was asked for with a cookie: a cookie has it")]
    match: MatchView


class SeatToken(Document, kw_only=True):
    """The secret of a seat: whoever has it can play there."""

    id: Annotated[str, Meta(description="of the match")]
    token: str


class SeatFile(Document, kw_only=True):
    """A seat as a file that the page opens in another browser."""

    format: Literal["duelbook-browser"] = "duelbook-browser"
    version: Literal[1] = 1
    games: Annotated[list[str], Meta(description="empty: the file has only the seat")] = []
    seats: list[SeatToken]


class Moves(Document, kw_only=True):
    """The moves from a ply on."""

    ply: int
    version: int
    since: int
    moves: list[str]


class ProblemDocument(Struct, kw_only=True):
    """Why a request failed (RFC 9457)."""

    type: str
    title: str
    status: int
    code: str
    detail: Annotated[str, Meta(description="a sentence for a person")]
    ply: Annotated[int, Meta(description="the current ply of the match")] | UnsetType = UNSET
    legal: Annotated[list[str], Meta(description="the legal moves")] | UnsetType = UNSET
    what: Annotated[str, Meta(description="what has to be chosen before the start")] | UnsetType = UNSET
    valid: Annotated[list[str], Meta(description="the valid choices")] | UnsetType = UNSET
