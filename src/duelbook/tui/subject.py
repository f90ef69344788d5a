"""What a conversation is about: the position on the board, the title, and what else a screen shows of it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from rich.text import Text
from textual.screen import Screen

from duelbook.errors import RefusedError
from duelbook.game import Move, Player
from duelbook.narration import AnyNarration, Seating
from duelbook.play.conversation import Conversation
from duelbook.play.events import Ended, Event, Hinted, Kind, Output, Say, Shown
from duelbook.records.record import Person, player_text
from duelbook.tui.dialogs import PageDialog, rules_page
from duelbook.tui.keys import Sections


class OnBoard(NamedTuple):
    """A position as the board shows it."""

    narration: AnyNarration
    state: Any
    moves: Sequence[Move]  # that led to it
    near: Player  # who sits at the lower side
    turn: Player | None  # whose turn it is, if the position is played on
    labels: tuple[str, str]  # of the players, by seat
    marks: Mapping[Move, str] = {}  # values of moves


class MatchEnding(NamedTuple):
    """How a match has ended."""

    text: str
    decision: str  # what decided it; empty until that is found
    is_lost: bool  # by the only person


class Subject:
    """A conversation, and how it is shown. It draws nothing."""

    lists_moves: ClassVar[bool] = False  # beside the board, in a wide window
    is_kept: ClassVar[bool] = False  # the person can come back to it
    leaves_by_stopping: ClassVar[bool] = False  # the work that goes on
    said: ClassVar[Collection[Kind]] = ()  # kinds of texts that stay below the board until there are others
    conversation: Conversation

    @property
    def keys(self) -> Collection[str]:
        """The commands that have keys."""
        return ()

    @property
    def plays(self) -> bool:
        """True for a person who makes moves, and does not only watch."""
        return True

    @property
    def title(self) -> str:
        """The title of the screen."""
        raise NotImplementedError

    def on_board(self) -> OnBoard | None:
        """Return the position, or None while there is none."""
        raise NotImplementedError

    def is_asked(self) -> bool:
        """Return True if the board takes answers."""
        return self.conversation.questions is not None

    def take(self, shown: Shown) -> str:
        """Note what the conversation shows. Return what is said about it below the board, or an empty text."""
        if isinstance(shown, Hinted):
            return f"{shown.text} {shown.note.replace('Type hint', 'Press F2')}".rstrip()
        return shown.text.strip() if isinstance(shown, Say) and shown.kind in self.said else ""

    def is_notice(self, said: Say) -> bool:
        """Return True if the text is shown as a notice."""
        return False

    def tells_leaving(self) -> bool:
        """Return True if what is said when the person leaves, such as how to come back, is shown as a notice."""
        return False

    def task(self) -> str:
        """Return what the person is to find, which stays in view; an empty text if there is no task."""
        return ""

    def go_on_note(self) -> str:
        """Return how to go on where no question stands below the board, or an empty text."""
        return ""

    def return_to_task(self) -> bool:
        """Show the task again where an attempt at it is shown. Return False if none is."""
        return False

    def legal_text(self) -> str:
        """Return the legal moves and what belongs to them as a page."""
        board = self.on_board()
        return board.narration.legal(self.conversation.state) if board else ""

    def page(self, name: str) -> Screen[None]:
        """Return something to read: `board`, `moves`, `rules` or `rules full`.

        Of a match, `moves` are also those so far, which only a wide window has beside the board.
        """
        conversation = self.conversation
        if name == "board":
            return PageDialog(conversation.narration.board(conversation.state))
        if name == "moves":
            return PageDialog(self.legal_text())
        return rules_page(conversation.rules[0], full=name == "rules full")

    def more_help(self) -> Sections:
        """Return what is to be said on the page of F1 besides keys and words."""
        return {}

    # A match

    @property
    def wait_seconds(self) -> float:
        """The time before the work that comes next begins, so that a person can watch."""
        return 0.0

    @property
    def is_preparing(self) -> bool:
        """True before the first turn: keys that do nothing are answered."""
        return False

    def toggle_values(self) -> Event | None:
        """Show the values of moves from now on, or hide them. Return the event that finds them, if they are missing."""
        return None

    def move_list(self) -> str:
        """Return the moves so far, a line for each."""
        return ""

    def value_text(self) -> str:
        """Return all moves by their values, or nothing if they are not shown."""
        return ""

    def value_line(self, colours: tuple[str, str]) -> Text | None:
        """Return the value of every position as a line, or None if it is not shown."""
        return None

    # After the end

    def following(self, ended: Ended) -> "Subject | None":
        """Return what takes the place of this conversation, which has ended; None if nothing does."""
        return None

    def ending(self) -> MatchEnding | None:
        """Return how the match has ended; None if it goes on, or if there is none."""
        return None

    def offers(self) -> dict[str, str]:
        """Return what can come next: the answers that the question may get, and what their buttons are called."""
        return {}

    def ask_again(self, problem: RefusedError | None) -> Output | None:
        """Ask again what is next if a match that was to follow does not begin. Return None to leave."""
        return None

    def close(self) -> None:
        """End what the conversation has begun elsewhere."""


def seat_labels(people: tuple[Person, Person], seating: Seating, own: int | None) -> tuple[str, str]:
    """Return the players by seat, with what they are: an agent, or the only person here, who is "you"."""
    one, two = (f"{_called(person)}{' (you)' if at == own else ''}" for at, person in enumerate(people))
    return (two, one) if seating.person(0) else (one, two)


def _called(person: Person) -> str:
    """Return what a player is called; an agent that has its own name only once."""
    return person.name if person.name == person.agent else player_text(person)
