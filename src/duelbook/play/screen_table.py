"""A match on a screen: who sits at it, what they are told, their files, their help, and what can come next."""

import shlex
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Player, Reason
from duelbook.match import Match
from duelbook.narration import Seating
from duelbook.play.actions import ActionName
from duelbook.play.commands import match_commands
from duelbook.play.events import Ask, Do, Moved, Say, TakenBack
from duelbook.play.next_match import NextStep
from duelbook.play.series import Series
from duelbook.play.setup import Setup
from duelbook.play.table import Table
from duelbook.records import save_record
from duelbook.records.record import Note, Record, only_person
from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.agents import Introduction  # which a match of two people does not need
    from duelbook.play.position_values import PositionValues  # which a match without help does not need
    from duelbook.study.hints import Hint

Change = Moved | TakenBack | Say


class Offer(NamedTuple):
    """A player asks the other one to let moves be taken back, from this ply on."""

    seat: Player
    ply: int


class AgentChoice(NamedTuple):
    """The move that an agent has chosen, and what it says about it."""

    move: Move | None  # None if it gives up the match
    note: Note | None = None
    seconds: float | None = None  # that count, if it is not all that has passed
    introduction: "Introduction | None" = None
    forfeit: str = ""  # why it gives up the match


class ScreenTable(Table):
    """A match with those who sit at this screen, and its files."""

    has_news: Callable[[], bool] | None = None  # returns True if there is news from elsewhere
    needs_preparation: bool = False  # before the first turn

    def __init__(self, match: Match, setup: Setup, seating: Seating, people: Collection[Player]) -> None:
        super().__init__(match, people, setup.time_limit)
        self.setup, self.seating = setup, seating
        self.own = tuple(seat for seat in (0, 1) if seating.is_human(seat))  # whose players are at this screen
        self.saved: tuple[Path, list[Move], Reason] | None = None  # the file, and the moves and the reason in it

    # Before the first turn

    def prepare(self) -> bool:
        """Make ready what the agents and the values need. Return False if the game is too large to be solved."""
        return True

    def open(self) -> None:
        """Begin to keep the match, or raise RefusedError."""
        if self.setup.record:
            self.save(self.setup.record)

    def introduction(self) -> str:
        """Return who the only person here is, and who moves first; empty if two play here or nobody."""
        own = self.only_own
        if own is None:
            return ""
        people, first = self.setup.people, self.setup.first
        starts = "You move" if own == first else f"{people[first].name} moves"
        return f"You are {people[own].name}, against {people[1 - own].agent}. {starts} first."

    def resumed_text(self) -> str:
        """Return how many moves were made before, or an empty text if none was."""
        moves = len(self.match.moves)
        return f"Resumed after {plural(moves, 'move')}." if moves else ""

    # What the players do

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed, and what it does."""
        return match_commands(self)

    def act(self, action: ActionName, seat: Player, value: Any = None) -> Do | None:
        """Let the player on this seat do something, or raise RefusedError and change nothing.

        Return work to be done if it takes a while. What follows from it is told by `follow`.
        """
        raise NotImplementedError

    def follow(self) -> list[Change]:
        """Return what is to be told since the last call. The match has changed already.

        Raise RefusedError if the match cannot go on.
        """
        raise NotImplementedError

    @property
    def offer(self) -> Offer | None:
        """What a player asks the other one, who sits at this screen."""
        asking = self.asking
        if asking is None or 1 - asking not in self.own or self.match.over:
            return None
        ply = self.match.last_choice([asking])
        return None if ply is None else Offer(asking, ply)

    def offer_text(self, offer: Offer) -> str:
        """Return the question to the player who is asked to let moves be taken back."""
        match, asking = self.match, self.name(offer.seat)
        name = match.game.move_name(match.states[offer.ply], match.moves[offer.ply])
        following = " and what followed" if len(match.moves) > offer.ply + 1 else ""
        return f"{self.name(1 - offer.seat)}, may {asking} take back '{name}'{following}?"

    def waiting(self, is_interactive: bool) -> Ask | Do:
        """Return what is shown, or done, while the player who is elsewhere is to move."""
        raise NotImplementedError

    def advice(self, text: str) -> str:
        """Return what somebody can do who types this while others are to move."""
        raise NotImplementedError

    @property
    def finds_help(self) -> bool:
        """True if hints and values are found where the clock is: only so does it stand still."""
        return False

    def help_refusal(self, what: str) -> str:
        """Return why there are no hints or values, or an empty text if there are."""
        return ""

    # Time

    def start_turn(self) -> None:
        """Start the mover's time."""

    def hold(self) -> None:
        """Stop the mover's clock: while the other player is asked, and while the program works (ALL-6)."""

    def release(self) -> None:
        """Let the mover's clock go on."""

    def check_time(self) -> bool:
        """Return True if the mover's time is up, which ends the match."""
        return False

    def deadline(self) -> float | None:
        """Return the end of the mover's time by the monotonic clock, or None while no time runs."""
        return None

    # The computer

    def thinking(self) -> "Callable[[], AgentChoice] | None":
        """Return the work in which the agent whose turn it is chooses its move, or None if it is a person's turn."""
        return None

    def find_hint(self, game: AnyGame, state: Any) -> "Hint | None":
        """Return the best move in a position and why, or None if the game is over."""
        from duelbook.study.hints import hint  # imported here so that a game starts sooner

        return hint(game, state)

    def find_values(self) -> "PositionValues":
        """Return what each legal move is worth, and the positions so far."""
        from duelbook.play.position_values import position_values  # imported here so that a game starts sooner

        return position_values(self.match.game, [*self.match.states])

    def note_help(self) -> None:
        """Note that values or a hint were shown: the match does not count for a rating."""
        if self.setup.keeper:
            self.setup.keeper.helped = True

    def count_turn(self, seconds: float | None) -> None:
        """Count only these seconds of the turn, if an agent says so."""

    def renew_agents(self) -> None:
        """Stop the agents, one of which thinks, and make them anew."""

    def close(self) -> None:
        """End the agents, or the connection."""

    # Files

    def record(self) -> Record:
        """Return the match so far as a record."""
        setup = self.setup
        return self.match.record(setup.people, setup.first, seed=setup.seed, time_limit=setup.time_limit)

    def save(self, path: Path) -> None:
        """Save the match as a record."""
        save_record(self.record(), path)
        self.saved = path, [*self.match.moves], self.match.reason

    def keep(self) -> list[str]:
        """Keep the match in the history, and save it to its record file. Return what is wrong, in sentences."""
        problems = [self._keep_in_history()]
        try:
            if self.setup.record:
                self.save(self.setup.record)
        except RefusedError as error:
            problems.append(str(error))
        return [problem for problem in problems if problem]

    def _keep_in_history(self) -> str:
        """Keep the match in the history. Return a sentence if something is wrong, or else an empty text."""
        return self.setup.keeper.keep(self.record()) if self.setup.keeper else ""

    def saved_text(self, file: str) -> str:
        """Return what is said when the match was saved to a file."""
        return f"Saved. Resume it later with: duelbook play --resume {file}"

    def leave(self) -> list[Say]:
        """Return what is told when the match is left, such as how to come back to it."""
        raise NotImplementedError

    # After the end

    def tell_result(self) -> None:
        """Tell the agents how the match has ended, and count it in its series."""

    def finish(self) -> Do | None:
        """Return work to be done before the match, which is over, is kept for the last time."""
        return None

    def after_text(self) -> str:
        """Return how to review the match, or an empty text."""
        keeper = self.setup.keeper
        if saved := self._saved_file():
            file = shlex.quote(str(saved))
            return f"Review this game with: duelbook review {file} (or step through it with duelbook replay)"
        if keeper and keeper.number is not None and keeper.up_to_date:
            number = f" {keeper.number}" if self.setup.in_series else ""
            return f"Review this game with: duelbook review{number} (or step through it with duelbook replay{number})"
        if keeper:
            return "The end of this game is not kept." if keeper.number else "This game is not kept."
        return "This game is not kept. To review or replay a game, play it without --no-history."

    def _saved_file(self) -> Path | None:
        """Return the file that holds all of the match, if there is one."""
        if self.saved and self.saved[1:] == ([*self.match.moves], self.match.reason):
            return self.saved[0]
        return None

    def find_decision(self) -> str:
        """Return what decided the match, in a sentence."""
        from duelbook.study.decision import decision_text  # imported here so that a match starts sooner

        return decision_text(self.record())

    def steps(self) -> list[NextStep]:
        """Return what can be done next."""
        raise NotImplementedError

    def step_note(self, step: NextStep) -> str:
        """Return what the step changes, or an empty text."""
        return ""

    def next_title(self) -> str:
        """Return what the next match of a series is called, or an empty text if none follows."""
        return ""

    def points(self) -> str:
        """Return the points of a series, or an empty text."""
        return ""

    def following(self, step: NextStep) -> Series | None:
        """Return the match that follows after this step, or None."""
        return None

    # The players

    def name(self, seat: Player) -> str:
        """Return the name of the player on this seat."""
        return self.seating.name(seat)

    @property
    def only_own(self) -> int | None:
        """The only person who plays at this screen (0 or 1), or None."""
        return only_person(self.setup.people)

    @property
    def is_shared(self) -> bool:
        """True if two people play at this screen."""
        return len(self.own) == 2
