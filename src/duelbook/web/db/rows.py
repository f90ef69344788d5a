"""The rows of the tables as values, and a change of a match."""

from dataclasses import dataclass, field

from duelbook.game import Outcome
from duelbook.records.record import HUMAN, Reason


@dataclass(frozen=True)
class MatchRow:
    id: str
    game: str
    options: str
    seed: int
    creator: int
    created: int
    touched: int
    dictionary: str | None = None
    time_limit: float | None = None
    version: int = 1
    ply: int = 0
    outcome: int = Outcome.UNDECIDED
    reason: str = Reason.UNFINISHED
    undo_by: int | None = None
    rematch: str | None = None
    started: str | None = None
    ended: str | None = None
    turn_started: float = 0.0
    agent_due: bool = False
    public: bool = False


@dataclass(frozen=True)
class SeatRow:
    match: str
    seat: int
    name: str | None = None
    agent: str = HUMAN
    token: str | None = None  # the hash of it
    choice: str | None = None
    reserved: bool = False

    @property
    def is_agent(self) -> bool:
        return self.agent != HUMAN

    @property
    def is_taken(self) -> bool:
        return self.is_agent or self.token is not None


@dataclass(frozen=True)
class MoveRow:
    match: str
    ply: int
    move: str
    seat: int
    key: str | None
    seconds: float
    version: int


@dataclass(frozen=True)
class Change:
    """One step in the life of a match: its row as it is then, and what else is written with it."""

    match: MatchRow
    new: bool = False
    seats: tuple[SeatRow, ...] = ()  # all of them of a new match, or those that are being taken
    moves: tuple[MoveRow, ...] = ()
    undone: tuple[MoveRow, ...] = ()


@dataclass
class StoredMatch:
    """A match as the store holds it."""

    match: MatchRow
    seats: tuple[SeatRow, SeatRow]
    moves: list[MoveRow] = field(default_factory=list)
    undone: list[MoveRow] = field(default_factory=list)
