"""What the service sends, as far as the client uses it. Unknown fields are left out, so newer services work, too."""

from typing import Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from duelbook.game import SEAT_NAMES, Outcome, OutcomeName, Player, Reason, SeatName, outcome_name

T = TypeVar("T")

MatchId = Annotated[str, Meta(pattern=r"^[0-9a-f]{24}\Z")]
FREE, RESERVED = "free", "reserved"  # who has a seat, besides `human` and the names of agents


class SeatPair(Struct, Generic[T]):
    """One value for each seat."""

    first: T
    second: T

    def of(self, seat: Player) -> T:
        """Return the value of the seat."""
        return self.second if seat else self.first


class Choices(Struct):
    """What the players choose before the start."""

    what: str


class RemoteGift(Struct):
    """The time that a player gave the opponent for a turn."""

    move: int
    seconds: int


class Clocks(Struct):
    """The time of the current turn, and what was given for turns, in seconds."""

    limit: float
    left: float | None
    stopped: float = 0.0  # until the clock, which stands still, runs again, at most
    given: list[RemoteGift] = []


class RemoteAction(Struct):
    """What a player has done besides moving; a newer service may know other actions."""

    action: str
    by: SeatName
    told: str = ""


class Claim(Struct):
    """A player waits for the absent opponent, whose turn it is."""

    by: SeatName
    left: float


class RemoteSeries(Struct):
    """The games that belong together, and the points by the seats of this one."""

    game: int
    points: SeatPair[float]


class RemoteMatch(Struct):
    """A match as everybody sees it."""

    id: MatchId
    game: str
    options: dict[str, int | str]
    version: int
    status: str
    mover: SeatName | None
    outcome: OutcomeName
    reason: Reason
    moves: list[str]
    names: SeatPair[str]
    seats: SeatPair[str]
    series: RemoteSeries
    choices: Choices | None
    clocks: Clocks | None
    actions: SeatPair[list[str]]
    undo: SeatName | None
    last: RemoteAction | None
    claim: Claim | None
    rematch: MatchId | None

    @property
    def is_waiting(self) -> bool:
        """True until both seats are taken."""
        return self.status == "waiting"

    @property
    def is_over(self) -> bool:
        return self.status == "over"

    @property
    def free_seat(self) -> Player | None:
        """The seat that anybody may take."""
        return next((seat for seat in (0, 1) if self.seats.of(seat) == FREE), None)

    @property
    def reserved_seat(self) -> Player | None:
        """The seat that is kept for the player of the game before, who has not asked for the rematch yet."""
        return next((seat for seat in (0, 1) if self.seats.of(seat) == RESERVED), None)

    def is_agent(self, seat: Player) -> bool:
        """Return True if a computer of the service has the seat."""
        return self.seats.of(seat) not in (FREE, RESERVED, "human")

    @property
    def asking(self) -> Player | None:
        """The seat that asks to take a move back."""
        return None if self.undo is None else SEAT_NAMES.index(self.undo)

    def result(self) -> Outcome:
        """Return the outcome as the rules know it."""
        return next(outcome for outcome in Outcome if outcome_name(outcome) == self.outcome)


class Seated(Struct):
    """A seat that was taken, and its token."""

    id: MatchId
    seat: SeatName
    token: Annotated[str, Meta(pattern=r"^[\x21-\x7e]{1,200}\Z")]
    match: RemoteMatch


class RemoteHint(Struct):
    """Help in three steps."""

    nudge: str
    move: str
    why: str


class RemoteAdvice(Struct):
    """The move to play; none once the game is over."""

    hint: RemoteHint | None


class RemoteValue(Struct):
    """What a move is worth for the player who makes it."""

    value: Literal["win", "draw", "loss"]
    own_moves: int | None


class RemoteValues(Struct):
    """What the moves of a position are worth, the best first."""

    moves: dict[str, RemoteValue]


class Message(Struct):
    """A message of the live socket; which of the fields it has depends on its type."""

    type: str
    match: RemoteMatch | None = None
    present: SeatPair[bool] | None = None


class ProblemDetails(Struct):
    """Why a request failed (RFC 9457)."""

    code: str
    detail: str
