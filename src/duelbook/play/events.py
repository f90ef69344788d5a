"""What goes into a conversation and what comes out of it. A front end sends the one and shows the other.

A conversation reads no keys, prints nothing and has no time of its own. Whatever takes long is a `Do`: the front end
runs it where it likes, and sends back `Done`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import Player
from duelbook.narration import Turn
from duelbook.play.next_match import NextStep
from duelbook.records.record import Note

if TYPE_CHECKING:
    from duelbook.play.position_values import PositionValues
    from duelbook.play.series import Series

# In


class Typed(NamedTuple):
    """A line that a person typed: an answer to what is asked, or a command."""

    text: str


class Pressed(NamedTuple):
    """An answer that a person chose on the board, which is never a command."""

    text: str


class Act(NamedTuple):
    """A command that a person chose by a key or a button."""

    name: str
    value: str = ""


class Tick(NamedTuple):
    """Time has passed, or there is news from elsewhere."""


@dataclass(frozen=True, eq=False)
class Done:
    """The work has ended: with a result, or with an error."""

    work: "Do"
    result: Any = None
    error: BaseException | None = None


Event = Typed | Pressed | Act | Tick | Done


class InterruptedWorkError(Exception):
    """A person stopped the work."""


class TryAgainError(Exception):
    """The work has not succeeded yet. Tell this, and do the same work again."""

    def __init__(self, told: "Sequence[Say]" = ()) -> None:
        super().__init__(told)
        self.told = told


# Out


class Kind(StrEnum):
    """What a text is, so that each front end can show it in its way."""

    TEXT = "text"
    GREETING = "greeting"
    HEADING = "heading"  # of a turn or an exercise
    TASK = "task"  # of an exercise
    BOARD = "board"  # the position as text, for those who see no other
    NOTE = "note"
    WARNING = "warning"
    REFUSAL = "refusal"  # what was typed or pressed changed nothing
    RESULT = "result"
    HELP = "help"  # how to get help, for those who see no keys
    OFFERS = "offers"  # what can come next, for those who see no buttons
    ECHO = "echo"  # what was done, for those who do not see that the question has changed
    SEPARATOR = "separator"  # between two turns, for those who print line by line


class Say(NamedTuple):
    """A text for the person. Its blank lines are meant for those who print line by line."""

    text: str
    kind: Kind = Kind.TEXT


class Moved(NamedTuple):
    """A move was made, and what a program said about it."""

    turn: Turn[Any]
    note: Note | None = None
    remark: str = ""  # what it means besides


class TakenBack(NamedTuple):
    """Moves were taken back."""


class Hinted(NamedTuple):
    """A step of help, and what asking again gives."""

    text: str
    note: str


class Valued(NamedTuple):
    """What the legal moves are worth, and the positions so far."""

    values: "PositionValues"


class Decided(NamedTuple):
    """What decided a match that is over."""

    own: str  # `You won. ` for the only person here; empty for others
    text: str


class Page(NamedTuple):
    """Something to read: `help`, `rules`, `rules full`, `board`, `moves` or `review`."""

    name: str


class Asked(StrEnum):
    """What a person is asked for."""

    MOVE = "move"
    CHOICE = "choice"  # before the first move, such as a word (AC-1) or a lesson
    CONFIRM = "confirm"  # yes or no, about what they want to do
    OFFER = "offer"  # yes or no, about what the other player asks for
    PAUSE = "pause"  # before it goes on, as when the other person takes the keyboard
    HALTED = "halted"  # whether a computer that was stopped goes on
    WAIT = "wait"  # nothing: others are to move
    NEXT = "next"  # what to do now that this is over


class Ask(NamedTuple):
    """A question to the player on a seat. The conversation asks again until there is an answer."""

    text: str
    kind: Asked
    seat: Player = 0


@dataclass(frozen=True, eq=False)
class Do:
    """Work to be done before the conversation goes on. Its result is sent back as `Done`."""

    text: str  # what is done, as in `Ann is thinking`
    run: Callable[[], Any]
    stopping: str = ""  # what stopping it means for the person, as in `to play on without the solution`


class Ended(NamedTuple):
    """The conversation is over."""

    step: NextStep = NextStep.LEAVE  # what the person wants to do next
    is_interrupted: bool = False
    problem: RefusedError | None = None  # why it could not go on
    following: "Series | None" = None  # what is played next


CONNECTION_BACK = "The connection is back."  # takes the place of the warning that it is lost, where that still stands
Shown = Say | Moved | TakenBack | Hinted | Valued | Decided | Page | Ask | Do | Ended
Output = Iterator[Shown]
