"""A match of the service in the terminal. The service has the match; this dialogue follows it and sends moves."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from duelbook.game import SEAT_NAMES, AnyGame, IllegalMoveError, Move, Outcome, Reason
from duelbook.match import Match
from duelbook.narration import Seating, narration_for
from duelbook.online.client import ServiceClient, new_key
from duelbook.online.errors import OnlineError, ProblemError
from duelbook.online.live import LiveMatch
from duelbook.online.views import MatchView
from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.play.setup import Setup
from duelbook.records.record import Record
from duelbook.terminal.commands import QuitError, TurnEndedError
from duelbook.terminal.line_editor import LineInterruptedError
from duelbook.terminal.online.commands import OnlineCommands
from duelbook.terminal.online.notices import Notices
from duelbook.terminal.online.seats import Place
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen
from duelbook.terminal.session import Session

if TYPE_CHECKING:
    from duelbook.study.hints import Hint

OVERTAKEN = ("ply-played", "ply-ahead", "not-your-turn", "over")  # problems of a client that knows an older position
T = TypeVar("T")
MatchRequest = Callable[[str, str], MatchView]  # of a match and a token


def _cut(record: Record, moves: int) -> Record:
    """Return the record up to so many moves. Those that came later are shown as they were made."""
    if len(record.moves) <= moves:
        return record
    return replace(
        record,
        moves=record.moves[:moves],
        seconds=record.seconds[:moves],
        outcome=Outcome.UNDECIDED,
        reason=Reason.UNFINISHED,
        ended=None,
    )


class OnlineSession(Session):
    """One match of the service, as a player on a seat or as somebody who watches."""

    def __init__(
        self,
        client: ServiceClient,
        live: LiveMatch,
        notices: Notices,
        begun: Record,
        screen: Screen,
        place: Place,
        record: Path | None = None,
    ) -> None:
        self.client, self.live, self.notices = client, live, notices
        seat = self.seat = place.seat
        self._token = place.token
        people = (begun.people[0], begun.people[1])
        setup = Setup(people, begun.first, (None, None), begun.seed, begun.time_limit, record)
        own = None if seat is None else seat ^ begun.first
        seating = Seating((people[0].name, people[1].name), begun.first, (own == 0, own == 1))
        match = Match.resumed(_cut(begun, place.moves_seen))
        super().__init__(match, narration_for(begun.game, seating), setup, screen)
        self._commands: OnlineCommands = OnlineCommands(self)
        self.helped = False
        self._headed: int | None = None  # the ply whose heading is shown
        self._asks_move = False
        self._typed = ""  # what was typed when the prompt was interrupted
        self._undo_asked = False
        self._undo_answered: int | None = None  # the version of the match whose request was answered
        if seat is not None and self.is_against_person:
            notices.watch_opponent(1 - seat)

    # What the commands ask

    @property
    def is_player(self) -> bool:
        return self.seat is not None

    @property
    def is_against_person(self) -> bool:
        return self.seat is None or not self.live.view.is_agent(1 - self.seat)

    @property
    def opponent_name(self) -> str:
        assert self.seat is not None
        return self.seating.name(1 - self.seat)

    @property
    def link(self) -> str:
        return self.client.server.link(self.live.view.id)

    def answers(self) -> Sequence[str]:
        """Return the answers that the question may get: none while others are to move."""
        return super().answers() if self._asks_move else ()

    def note_help(self) -> None:
        self.helped = True

    def find_hint(self, game: AnyGame, state: Any) -> "Hint | None":
        """Return the best move and why. If time runs, the service finds it: only so does its clock stand still."""
        from duelbook.study.hints import Hint  # imported here so that a game starts sooner

        if self.setup.time_limit is None:
            return super().find_hint(game, state)
        found = self._ask_for_help(self.client.hint).hint
        return Hint(found.move, found.why[:1].lower() + found.why[1:], found.nudge, ()) if found else None

    def find_values(self) -> str:
        """Return what each legal move is worth, as text. If time runs, the service finds it."""
        from duelbook.play.values import reported_values

        if self.setup.time_limit is None:
            return super().find_values()
        return reported_values(self.match.game, self.match.state, self._ask_for_help(self.client.solution).moves)

    def _ask_for_help(self, ask: Callable[[str, str, int], T]) -> T:
        """Return what the service finds about the position; the time that is left then is shown from now on."""
        match = self.live.view.id
        try:
            return ask(match, self._token, len(self.match.moves))
        finally:
            self.live.receive(self.client.view(match))

    def resign(self) -> None:
        self.request("Resigning", lambda match, token: self.client.act(match, token, "resign"))

    def ask_undo(self) -> bool:
        """Ask to take the last move back. Return True if the opponent has to answer first."""
        ply = len(self.match.moves)
        is_asked = self.request("Asking to take back", lambda id_, token: self.client.act(id_, token, "undo", ply=ply))
        if not is_asked and len(self.live.view.moves) > ply:
            self.warn("Your request to take back came too late: the match has gone on.")
        self._undo_asked = self.live.view.undo == self._seat_name
        return self._undo_asked

    def request(self, doing: str, ask: MatchRequest) -> bool:
        """Send a request until it is answered, and take the view that comes back. A refusal raises ProblemError.

        Return False if the request came too late: the match has gone on. It is looked at then.
        """
        match, token = self.live.view.id, self._token
        try:
            self.live.receive(self.notices.until_answered(doing, lambda: ask(match, token)))
        except ProblemError as problem:
            if problem.code not in OVERTAKEN:
                raise
            self.live.receive(self.notices.until_answered(doing, lambda: self.client.view(match)))
            return False
        return True

    def check_position(self) -> None:
        """Raise TurnEndedError if the match has changed since the last question."""
        view = self.live.view
        if view.moves != self._names() or view.is_over != self.match.over:
            raise TurnEndedError

    # The dialogue

    def introduce(self) -> None:
        """Say nothing: the players were introduced when both were there."""

    def run(self) -> int:
        """Follow the match to its end and return the exit code. A player who leaves is shown how to come back."""
        try:
            self._open()
            while True:
                self._catch_up()
                if self.match.over:
                    break
                try:
                    self._next_turn()
                except TurnEndedError:
                    continue
            self._show_ending()
            return EXIT_FINISHED
        except (QuitError, EOFError):
            self._leave()
            return EXIT_LEFT
        except KeyboardInterrupt:
            self._leave()
            return EXIT_INTERRUPTED

    def ask(self, prompt: str = "") -> str:
        """Return what the person types. News interrupt the question, which then goes on with what was typed."""
        typed, self._typed = self._typed, ""
        while True:
            self._question = prompt or self.move_question()
            try:
                text = self.screen.ask(
                    self._question,
                    self.live.deadline(),
                    self._commands.candidates,
                    remember=self._asks_move,
                    interrupts=self.notices.is_due,
                    typed=typed,
                )
            except LineInterruptedError as interrupted:
                typed = interrupted.typed
                try:
                    self._tell_news()
                except TurnEndedError:
                    self._typed = typed
                    raise
                continue
            typed = ""
            if not self._commands.run(text):
                return text

    def _names(self) -> list[str]:
        """Return the names of the moves that are shown."""
        match = self.match
        return [match.game.move_name(state, move) for state, move in zip(match.states, match.moves, strict=False)]

    @property
    def _seat_name(self) -> str | None:
        return None if self.seat is None else SEAT_NAMES[self.seat]

    def _catch_up(self) -> None:
        """Show what has happened in the match since the last time."""
        match, view, names = self.match, self.live.view, self._names()
        common = next(
            (ply for ply, pair in enumerate(zip(names, view.moves, strict=False)) if pair[0] != pair[1]), None
        )
        known = min(len(names), len(view.moves)) if common is None else common
        if known < len(names):
            match.undo_to(known)
            self._undo_asked, self._headed = False, None
            self.screen.say("Taken back.\n", NOTE)
            self.show_position()
        for name in view.moves[known:]:
            mover, is_void, self._undo_asked = match.mover, self._undo_asked, False
            self._show_heading()
            try:
                match.play(name)
            except IllegalMoveError as error:
                raise OnlineError(
                    f"The service plays this game by other rules than this version of it: {error}"
                ) from error
            self._announce()
            if is_void:
                who = "You have" if mover == self.seat else f"{self.seating.name(mover)} has"
                self.screen.say(f"{who} moved, so your request to take back is void.\n", NOTE)
        match.outcome, match.reason = view.result(), view.reason
        self._autosave()

    def _show_heading(self) -> None:
        """Show the text above the turn, once."""
        match = self.match
        if self._headed != len(match.moves):
            self._headed = len(match.moves)
            heading = self.narration.heading(match.state, match.moves)
            self.screen.say(heading if match.mover == self.seat else heading.rstrip("\n"), HEADING)

    def _next_turn(self) -> None:
        """Ask for a move, or wait for that of the other player; raise TurnEndedError when the match goes on."""
        mover = self.match.mover
        self.prompted = mover if self.seat is None else self.seat
        self._asks_move = mover == self.seat
        self._show_heading()
        self._tell_news()
        if self._asks_move:
            while not self._try_move():
                pass
            return
        name = self.seating.name(mover)
        if self.screen.interactive and self.is_against_person:
            prompt = f"{'Watching' if self.seat is None else 'Waiting for'} {name} (or type help): "
            while text := self.ask(prompt):
                self.warn(f"It is the turn of {name}. {self._commands.advice(text)}")
            return
        while True:
            self.notices.wait(f"Waiting for {name}'s move" if self.is_against_person else f"{name} is thinking")
            self._tell_news()

    def _play(self, number: Move) -> bool:
        match = self.match
        move = match.game.move_name(match.state, number)
        key, ply = new_key(), len(match.moves)
        try:
            if not self.request(
                "Sending your move",
                lambda id_, token: self.client.act(id_, token, "play", ply=ply, move=move, key=key),
            ):
                self.warn(f"Your move '{move}' was not played: the match has changed, perhaps from another window.")
        except ProblemError as problem:
            self.warn(str(problem))
            return False
        except KeyboardInterrupt:
            self.screen.say(f"It is not known whether your move '{move}' was played.", WARNING)
            raise
        return True

    def _tell_news(self) -> None:
        """Tell what is new apart from moves. Raise TurnEndedError if the match has gone on."""
        self.notices.tell()
        self.check_position()
        view = self.live.view
        if self._undo_asked and view.undo is None:
            self._undo_asked = False
            self.screen.say(f"{self.opponent_name} does not agree to take your move back.", NOTE)
        is_asked = self.seat is not None and view.undo not in (None, self._seat_name) and self.screen.interactive
        if is_asked and self._undo_answered != view.version and not self._commands.is_confirming:
            self._answer_undo(view.version)

    def _answer_undo(self, version: int) -> None:
        """Ask the person whether the opponent may take a move back."""
        assert self.seat is not None
        match = self.match
        ply = match.last_choice([1 - self.seat])
        name = "" if ply is None else f" '{match.game.move_name(match.states[ply], match.moves[ply])}'"
        asks, self._asks_move = self._asks_move, False
        try:
            agrees = self._commands.confirms(f"{self.opponent_name} asks to take back{name}. Do you agree (y/n)? ")
        finally:
            self._asks_move = asks
        self._undo_answered, plies = version, len(match.moves)
        try:
            answer = "agree" if agrees else "decline"
            self.request("Answering", lambda id_, token: self.client.act(id_, token, answer, ply=plies))
        except ProblemError as problem:
            self.warn(str(problem))
        self.check_position()

    def _show_ending(self) -> None:
        match = self.match
        ending = self.narration.ending(match.state, match.moves, match.outcome, match.reason)
        self.screen.say(f"{ending}\n", RESULT)
        series = self.live.view.series
        if series.game > 1:
            points = ", ".join(
                f"{self.seating.name(seat)}: {series.points.of(seat):g}" for seat in self.seating.seats()
            )
            self.screen.say(f"Points: {points}\n", RESULT)

    def _leave(self) -> None:
        if self.seat is None:
            self.screen.say("You have stopped watching.", NOTE)
        else:
            self.screen.say(f"You have left the match. Come back to it with: duelbook play --join {self.link}", NOTE)
