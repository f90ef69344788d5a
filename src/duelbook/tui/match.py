"""A match on the full screen: what its session says, as a board with the moves, the values and the clock beside it."""

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import ClassVar

from rich.text import Text
from textual.screen import Screen

from duelbook.board.cells import TOKENS
from duelbook.errors import RefusedError
from duelbook.game import Move
from duelbook.games import label, title
from duelbook.narration import narration_for
from duelbook.options import pairs_text, write_options
from duelbook.play.events import (
    CONNECTION_BACK,
    Act,
    Decided,
    Ended,
    Event,
    Kind,
    Moved,
    Output,
    Say,
    Shown,
    TakenBack,
    Valued,
)
from duelbook.play.next_match import NextStep, own_result
from duelbook.play.position_values import EVEN, LOSS, WIN, PositionValues, Worth, worth_text
from duelbook.play.screen_table import ScreenTable
from duelbook.play.session import Session
from duelbook.text import clock_text, plural
from duelbook.tui.subject import MatchEnding, OnBoard, Subject, seat_labels

MAX_POINTS = 40  # of the line of values
STEPS = "▁▂▃▄▅▆▇█"  # of an estimated score
POINTS = {WIN: "▀", EVEN: "━", LOSS: "▄"}  # for the first player: above, in the middle, below
HELP_KEYS = ("hint", "values")
KEYS = (*HELP_KEYS, "undo", "resign", "give")


class MatchSubject(Subject):
    """A match in this process or elsewhere: only its table differs."""

    lists_moves = True
    is_kept = True
    said = (Kind.TEXT, Kind.NOTE)
    watch_seconds: ClassVar[float] = 0.7  # between the moves of two computers

    def __init__(self, table: ScreenTable, opening: Sequence[str] = ()) -> None:
        self.table, self.match = table, table.match
        self.values = MatchValues()
        self.conversation: Session = Session(table, opening=opening, pauses=False)
        seating = table.seating
        humans = (False, False) if all(seating.humans) else seating.humans  # of two people, nobody is "you"
        self._announcer = narration_for(table.match.game, replace(seating, humans=humans))
        self._decision = ""
        self._is_handed_on = False  # the connection, to the waiting for a rematch
        self._left = table.setup.time_limit  # seconds of the turn, when its clock was last seen to run

    @property
    def keys(self) -> Collection[str]:
        """The commands that have keys: none for who only watches or after the end, and no help where it is refused."""
        if not self.plays or self.match.over:
            return ()
        return [name for name in KEYS if name not in HELP_KEYS or not self.table.help_refusal(name)]

    @property
    def plays(self) -> bool:
        """True for a person who makes moves, and does not only watch."""
        return bool(self.table.own)

    @property
    def title(self) -> str:
        """The game, the number of the move and the clock."""
        match = self.match
        number = len(match.moves) + (not match.over)
        return f"{title(label(match.game))}  ·  move {number}  {self._clock()}".rstrip()

    def _clock(self) -> str:
        """Return the time that is left, as `[0:25]`, or an empty text without a limit. It may stand still (ALL-6)."""
        deadline = self.conversation.deadline()
        if deadline is not None:
            self._left = deadline - time.monotonic()
        return "" if self._left is None or self.match.over else clock_text(self._left)

    def on_board(self) -> OnBoard:
        """Return the position of the match."""
        match, table = self.match, self.table
        near = table.own[0] if len(table.own) == 1 else table.seating.seat(0)
        turn = None if match.over else match.mover
        labels = seat_labels(table.setup.people, table.seating, table.only_own)
        marks = self.values.marks if self.conversation.shows_values else {}
        return OnBoard(self.conversation.narration, match.state, match.moves, near, turn, labels, marks)

    @property
    def wait_seconds(self) -> float:
        """The time before the next move of two computers, but for the first one."""
        return self.watch_seconds if self.match.moves and not any(self.table.seating.humans) else 0.0

    @property
    def is_preparing(self) -> bool:
        """True until the players are greeted."""
        return not self.conversation.is_open

    # What is said

    def is_notice(self, said: Say) -> bool:
        """Return True for a warning and what ends it, and after the end for a note: the result stands in its place."""
        return said.kind is Kind.WARNING or (
            said.kind is Kind.NOTE and (self.match.over or said.text == CONNECTION_BACK)
        )

    def tells_leaving(self) -> bool:
        """Return True for a match elsewhere. One of this process stands on the first screen, to be continued."""
        return self.table.has_news is not None

    def take(self, shown: Shown) -> str:
        """Note what the conversation shows, and return what is said about it below the board."""
        match shown:
            case Say(kind=Kind.GREETING):
                return sentences(shown.text)
            case Moved():
                self.values.begin_turn()
                return self._announced(shown)
            case TakenBack():
                self.values.take_back_to(len(self.match.moves))
            case Valued():
                self.values.take(shown.values)
                self.conversation.shows_values = True
            case Decided():
                self._decision = shown.text
        return super().take(shown)

    def _announced(self, moved: Moved) -> str:
        """Return what the game says about a move, without what the board shows."""
        turn = moved.turn
        name = self.match.game.move_name(turn.before, turn.move)
        text = sentences(self._announcer.announce(turn)) or f"{self._announcer.mover(turn.before)} plays {name}."
        return f"{text} {moved.remark}".rstrip()

    # The moves and their values

    def toggle_values(self) -> Event | None:
        """Show the values from now on, or hide them."""
        session = self.conversation
        if session.shows_values:
            session.shows_values = False
        elif session.questions or self.table.help_refusal("values"):
            return Act("values")
        else:
            session.shows_values = True
        return None

    def move_list(self) -> str:
        """Return the moves so far, a line for each."""
        game, played = self.match.game, zip(self.match.states, self.match.moves, strict=False)
        return "\n".join(
            f"{number:>3} {TOKENS[game.mover(state)]} {game.move_name(state, move)}"
            for number, (state, move) in enumerate(played, 1)
        )

    def value_text(self) -> str:
        """Return all moves by their values, or nothing if they are not shown."""
        return self.values.text if self.conversation.shows_values else ""

    def value_line(self, colours: tuple[str, str]) -> Text | None:
        """Return the value of every position as a line, or None if it is not shown."""
        if not self.conversation.shows_values or self.match.over:
            return None
        return self.values.line(len(self.match.moves), colours, (self.table.name(0), self.table.name(1)))

    def legal_text(self) -> str:
        """Return the legal moves with their values, those that were played, and the rule options."""
        game = self.match.game
        legal = "The game is over." if self.match.over else super().legal_text()
        played = f"Played so far:\n{self.move_list() or '  nothing'}"
        options = f"Options: {pairs_text(game, write_options(game))}"
        return "\n\n".join(filter(None, (legal, self.value_text(), played, options)))

    # After the end

    def following(self, ended: Ended) -> Subject | None:
        """Return the way to a rematch in a service; matches of this process follow as series."""
        if ended.step is not NextStep.REMATCH or ended.following:
            return None
        from duelbook.play.remote_table import RemoteTable  # which matches of this process do not need
        from duelbook.play.waiting_room import rematch_of
        from duelbook.tui.network_match import WaitingSubject

        assert isinstance(self.table, RemoteTable)
        self._is_handed_on = True
        return WaitingSubject(rematch_of(self.table))

    def ending(self) -> MatchEnding | None:
        """Return who has won and why, the points of a series, and what decided the match once that is found."""
        match, table = self.match, self.table
        if not match.over:
            return None
        result = self.conversation.narration.result(match.state, match.moves, match.outcome, match.reason)
        own = "" if table.only_own is None else own_result(table.record(), table.only_own)
        text = f"{own}{result} ({plural(len(match.moves), 'move')})"
        lines = filter(None, (text, table.points()))
        return MatchEnding("\n".join(lines), self._decision, own.startswith("You lost"))

    def offers(self) -> dict[str, str]:
        """Return the next match of a series, or what the person may want to do next."""
        if following := self.table.next_title():
            return {"": following.capitalize(), "quit": "Leave"}
        return {step: step.capitalize() for step in self.table.steps()}

    def ask_again(self, problem: RefusedError | None) -> Output:
        """Ask again what is next."""
        return self.conversation.ask_again(problem)

    def page(self, name: str) -> Screen[None]:
        """Return something to read; after the end also a review."""
        if name != "review":
            return super().page(name)
        from duelbook.tui.review import ReviewScreen  # which a match that is not reviewed does not need

        return ReviewScreen(self.table.record())

    def close(self) -> None:
        """End the agents, or the connection."""
        if not self._is_handed_on:
            self.table.close()


def sentences(text: str) -> str:
    """Return the lines at the beginning that are sentences. What follows them are headings, tables and drawings."""
    return " ".join(takewhile(lambda line: line.endswith((".", "!")), text.strip().splitlines()))


class MatchValues:
    """What is known of the values of one match."""

    def __init__(self) -> None:
        self._now: PositionValues | None = None  # of the position in which a person is asked
        self._worths: dict[int, Worth] = {}  # of positions, by the number of moves before

    def take(self, found: PositionValues) -> None:
        """Keep what was found."""
        self._now = found
        self._worths |= {ply: worth for ply, worth in enumerate(found.worths) if worth}

    def begin_turn(self) -> None:
        """Forget the values of the moves, which are other ones now."""
        self._now = None

    def take_back_to(self, ply: int) -> None:
        """Forget the positions after this ply."""
        self._now = None
        self._worths = {number: worth for number, worth in self._worths.items() if number <= ply}

    @property
    def marks(self) -> dict[Move, str]:
        """The values of the legal moves."""
        return self._now.marks if self._now else {}

    @property
    def text(self) -> str:
        """All moves by their values."""
        return self._now.text if self._now else ""

    def line(self, plies: int, colours: tuple[str, str], names: tuple[str, str]) -> Text:
        """Return the value of every position as a line, and that of the last in words; all by seat."""
        worths = [self._worths.get(ply) for ply in range(plies + 1)]
        return Text.assemble("Value ", _points(worths[-MAX_POINTS:], colours), f"  {worth_text(worths[-1], names)}")


def _points(worths: Sequence[Worth | None], colours: tuple[str, str]) -> Text:
    """Return a point for each position: high where the first player wins, low where the second does."""
    line = Text()
    for worth in worths:
        if worth is None:
            line.append("·")
        elif worth.is_exact:
            line.append(POINTS[worth.score], {WIN: colours[0], LOSS: colours[1]}.get(worth.score, ""))
        else:
            line.append(STEPS[min(7, int(8 * worth.score))], colours[worth.score < EVEN])
    return line
