"""A match that a service has, as a table: what a player does is sent there, and what happens there is followed."""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from duelbook.game import SEAT_NAMES, AnyGame, IllegalMoveError, Outcome, Player, Reason
from duelbook.match import Match
from duelbook.narration import Seating, Turn
from duelbook.online.client import new_key
from duelbook.online.errors import OnlineError, ProblemError
from duelbook.online.views import RemoteMatch
from duelbook.play.actions import RULES, ActionName
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import HELP, HELP_COMMANDS, command_word, match_commands
from duelbook.play.events import Ask, Asked, Do, Kind, Moved, Say, TakenBack, TryAgainError
from duelbook.play.joining import Place
from duelbook.play.keeping import GameKeeper, keeper_of
from duelbook.play.match_connection import MatchConnection
from duelbook.play.next_match import NextStep
from duelbook.play.screen_table import Change, ScreenTable
from duelbook.play.setup import Setup
from duelbook.records.record import HUMAN, ONLINE, Gift, Person, Record
from duelbook.text import did_you_mean, plural

if TYPE_CHECKING:
    from duelbook.play.position_values import PositionValues  # which a match without help does not need
    from duelbook.study.hints import Hint

REMOTE_TEXTS = {  # what a command does here, where that differs
    "undo": "ask to take back your last move",
    "save FILE": "save the game so far as a record",
    "quit": "leave; the match stays, and you can come back",
}
WATCHED = ("help", "rules", "rules full", "board", "moves", "save FILE")
WATCHER_COMMANDS = {name: about for name, about in (HELP | REMOTE_TEXTS).items() if name in WATCHED}
WATCHER_COMMANDS["quit"] = "stop watching"
ANSWERS = ("agree", "decline")
AT_ANY_PLY = ("resign", "claim")  # what is meant whatever has been played meanwhile
OVERTAKEN = ("ply-played", "ply-ahead", "not-your-turn", "over")  # problems of a client that knows an older position
T = TypeVar("T")
Look = Callable[[], RemoteMatch]  # a request whose answer is the view of the match


class RemoteTable(ScreenTable):
    """One match of a service, for a player on a seat or for somebody who watches."""

    is_remote = True

    def __init__(self, connection: MatchConnection, place: Place, begun: Record, arguments: PlayArguments) -> None:
        self.connection, self.place, self.arguments = connection, place, arguments
        people, seat = (begun.people[0], begun.people[1]), place.seat
        self._seat = seat
        own = None if seat is None else seat ^ begun.first
        keeper = GameKeeper() if seat is not None and arguments.keep else None
        setup = Setup(
            *(people, begun.first, (None, None), begun.seed, begun.time_limit, arguments.record),
            keeper=keeper,
            once=arguments.once,
        )
        seating = Seating((people[0].name, people[1].name), begun.first, (own == 0, own == 1))
        with_people = [one for one in (0, 1) if not connection.view.is_agent(one)]
        super().__init__(Match.resumed(_cut(begun, place.moves_seen)), setup, seating, with_people)
        self.has_news = self._has_news
        self._told: list[Change] = []  # besides what the view says
        self._seen = connection.view.version  # the version whose last action is told
        self._unanswered = ""  # the move that is being sent
        self._is_delay_told = False  # that it is sent later
        self._final: Record | None = None  # of the match once it is over
        self._is_rematch_told = False
        if seat is not None and self._is_against_person:
            connection.watch_opponent(1 - seat)

    @property
    def _view(self) -> RemoteMatch:
        return self.connection.view

    @property
    def _is_against_person(self) -> bool:
        return self._seat is None or not self._view.is_agent(1 - self._seat)

    @property
    def _opponent(self) -> str:
        assert self._seat is not None
        return self.name(1 - self._seat)

    @property
    def only_own(self) -> int | None:
        """The person on the seat of this screen (0 or 1), or None."""
        return None if self._seat is None else self.seating.person(self._seat)

    def introduction(self) -> str:
        """Return who plays, and who moves first."""
        first, second = self.name(0), self.name(1)
        if self._seat is None:
            return f"You are watching {first} against {second}. {first} moves first."
        starts = "You move" if self._seat == 0 else f"{first} moves"
        return f"You are {self.name(self._seat)}, against {self._opponent}. {starts} first."

    def resumed_text(self) -> str:
        """Return how many moves were made before the person came, or an empty text if none was."""
        moves = len(self.match.moves)
        if self._seat is not None or not moves:
            return super().resumed_text()
        return f"{plural(moves, 'move')} {'was' if moves == 1 else 'were'} made before you came."

    # What the players do

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed. What only the service knows can be typed by its name."""
        if self._seat is None:
            return WATCHER_COMMANDS
        others = [action for action in self._view.actions.of(self._seat) if action not in RULES]
        refused = HELP_COMMANDS if self._is_against_person else ()
        known = {name: about for name, about in match_commands(self).items() if name not in refused}
        own = {name: REMOTE_TEXTS.get(name, about) for name, about in known.items()}
        return own | dict.fromkeys(others, "offered by the service")

    def actions(self, seat: Player) -> list[ActionName]:
        """Return what the player on this seat may do now, which may be more than this program knows."""
        return cast(list[ActionName], self._view.actions.of(seat) if seat == self._seat else [])

    def act(self, action: ActionName, seat: Player, value: Any = None) -> Do | None:
        """Return the work of sending what the player does. The service decides whether it is possible."""
        if action == "claim" and (left := self.connection.live.claim_left()):
            self._tell_claim(left)
            return None
        move, fields = "", dict[str, Any]()
        if action not in AT_ANY_PLY:
            fields["ply"] = len(self.match.moves)
        if action == "play":
            move = self._unanswered = self.match.game.move_name(self.match.state, value[0])
            self._is_delay_told = False
            fields |= {"move": move, "key": new_key()}
        send = self.connection.acting(action, SEAT_NAMES[seat], fields)
        look = self.connection.until_answered(partial(self.connection.client.view, self._view.id))
        doing = "Sending your move" if action == "play" else "Asking the server"
        return Do(doing, lambda: self._send(action, move, send, look))

    def _send(self, action: ActionName, move: str, send: Look, look: Look) -> None:
        """Send the action. Raise RefusedError if the service refuses it, or it came too late."""
        ply = len(self.match.moves)
        try:
            self.connection.live.receive(send())
        except ProblemError as problem:
            if problem.code not in OVERTAKEN:
                self._unanswered = ""
                raise
            self.connection.live.receive(look())
            self._unanswered = ""
            self._refuse_late(action, move, ply)
        except TryAgainError as error:
            raise TryAgainError([*error.told, *self._delayed(move)]) from error
        else:
            self._unanswered = ""
            self._tell_sent(action)

    def _delayed(self, move: str) -> list[Say]:
        """Tell once that the move is sent later, if the connection is lost."""
        if not move or self._is_delay_told or not self.connection.is_lost:
            return []
        self._is_delay_told = True
        return [Say(f"Your move '{move}' is sent when the connection is back.", Kind.NOTE)]

    def _refuse_late(self, action: ActionName, move: str, ply: int) -> None:
        if action == "play":
            text = f"Your move '{move}' was not played: the match has changed, perhaps from another window."
            raise OnlineError(text)
        if action not in ANSWERS and len(self._view.moves) > ply:
            what = "Your request to take back" if action == "undo" else f"'{action}'"
            raise OnlineError(f"{what} came too late: the match has gone on.")

    def _tell_sent(self, action: ActionName) -> None:
        """Tell what follows from an action that does not change the match at once."""
        if action == "undo" and self._view.asking == self._seat:
            self.asking = self._seat
            self._told.append(Say(f"{self._opponent} is asked. You can go on meanwhile.", Kind.NOTE))
        elif action == "claim" and not self._view.is_over:
            self._tell_claim(self.connection.live.claim_left() or 0.0)

    def _tell_claim(self, left: float) -> None:
        time = f"{self._opponent} has {plural(math.ceil(left), 'second')} to come back."
        self._told.append(Say(f"{time} If they do not, type claim again and you win.", Kind.NOTE))

    # What happens

    def _has_news(self) -> bool:
        """Return True if there is something that was not told yet. After the end, that is only a rematch."""
        return self._is_rematch_new() if self._final else self.connection.has_news()

    def _is_rematch_new(self) -> bool:
        return self._view.rematch is not None and not self._is_rematch_told

    def follow(self) -> list[Change]:
        """Return what is to be told since the last call. Raise OnlineError if the match cannot go on."""
        if self._final:
            return [*self._rematch_news()]
        changes: list[Change] = [*self.connection.news()]
        told, self._told = self._told, []
        return changes + self._catch_up() + told

    def _catch_up(self) -> list[Change]:
        """Bring the match to where it is in the service. Return the moves, and what else the players did."""
        view, match, changes = self._view, self.match, list[Change]()
        names = [match.game.move_name(state, move) for state, move in zip(match.states, match.moves, strict=False)]
        pairs = enumerate(zip(names, view.moves, strict=False))
        shared = min(len(names), len(view.moves))
        known = next((ply for ply, (here, there) in pairs if here != there), shared)
        if known < len(names):
            match.undo_to(known)
            self.asking = None
            changes.append(TakenBack())
        for name in view.moves[known:]:
            changes += self._follow_move(name)
        match.outcome, match.reason = view.result(), view.reason
        match.given = [Gift(one.move, one.seconds) for one in view.clocks.given] if view.clocks else []
        return changes + self._told_action(view) + self._follow_request(view)

    def _follow_move(self, name: str) -> list[Change]:
        match, mover = self.match, self.match.mover
        try:
            match.play(name)
        except IllegalMoveError as error:
            raise OnlineError(f"The service plays this game by other rules than this version of it: {error}") from error
        changes: list[Change] = [Moved(Turn(match.states[-2], match.moves[-1], match.state, match.moves[:-1]))]
        if self._is_asking:
            who = "You have" if mover == self._seat else f"{self.name(mover)} has"
            changes.append(Say(f"{who} moved, so your request to take back is void.\n", Kind.NOTE))
        self.asking = None
        return changes

    @property
    def _is_asking(self) -> bool:
        """True while the opponent is asked to let a move be taken back."""
        return self._seat is not None and self.asking == self._seat

    def _follow_request(self, view: RemoteMatch) -> list[Say]:
        """Note who asks to take a move back. Tell somebody who watches."""
        before, self.asking = self.asking, view.asking
        if self._seat is not None or self.asking in (None, before) or view.is_over:
            return []
        return [Say(f"{self.name(self.asking)} asks {self.name(1 - self.asking)} to take a move back.", Kind.NOTE)]

    def _told_action(self, view: RemoteMatch) -> list[Say]:
        """Tell what a player has done besides moving, once. What this program does not know is told by its name."""
        last, is_new = view.last, view.version > self._seen
        self._seen = view.version
        if last is None or not is_new:
            return []
        unknown = "" if last.action in RULES else f"{self.name(SEAT_NAMES.index(last.by))}: {last.action}"
        return [Say(text, Kind.NOTE)] if (text := last.told or unknown) else []

    def waiting(self, is_interactive: bool) -> Ask | Do:
        """Return what is shown while others are to move. A person who sees it can type meanwhile."""
        mover = self.match.mover
        name = self.name(mover)
        if not self._is_against_person:
            return Do(f"{name} is thinking", self.connection.wait)
        if not is_interactive:
            return Do(f"Waiting for {name}'s move", self.connection.wait)
        doing = "Watching" if self._seat is None else "Waiting for"
        return Ask(f"{doing} {name} (or type help): ", Asked.WAIT, mover if self._seat is None else self._seat)

    def advice(self, text: str) -> str:
        """Return what somebody can do who types this while others are to move."""
        if self._seat is None and command_word(text) in {*HELP, *RULES}:
            return "You are watching; only the players can do that."
        turn = f"It is the turn of {self.name(self.match.mover)}."
        watching = " You are watching." if self._seat is None else ""
        return f"{turn}{watching} You can type help, or wait.{did_you_mean(text, self.commands)}"

    # Time

    def deadline(self) -> float | None:
        """Return the end of the mover's time by the monotonic clock. The service decides when it is up."""
        return self.connection.live.deadline()

    # Help

    def help_refusal(self, what: str) -> str:
        """Return why there are no hints or values: the opponent is a person."""
        if not self._is_against_person:
            return ""
        return f"There are no {what} in a match against a person. Review the game when it is over."

    @property
    def finds_help(self) -> bool:
        """True if time runs: the service finds hints and values then."""
        return self.setup.time_limit is not None

    def find_hint(self, game: AnyGame, state: Any) -> "Hint | None":
        """Return the best move and why."""
        if not self.finds_help:
            return super().find_hint(game, state)
        from duelbook.study.hints import Hint  # imported here so that a match starts sooner

        found = self._ask_for_help(self.connection.client.hint).hint
        return Hint(found.move, found.why[:1].lower() + found.why[1:], found.nudge, ()) if found else None

    def find_values(self) -> "PositionValues":
        """Return what each legal move is worth, and the positions so far."""
        if not self.finds_help:
            return super().find_values()
        from duelbook.play.position_values import (
            reported_position_values,  # imported here so that a match starts sooner
        )

        states, found = [*self.match.states], self._ask_for_help(self.connection.client.solution)
        return reported_position_values(self.match.game, states, found.moves)

    def _ask_for_help(self, ask: Callable[[str, str, int], T]) -> T:
        """Return what the service finds about the position; the time that is left then is shown from now on."""
        match = self._view.id
        try:
            return ask(match, self.place.token, len(self.match.moves))
        finally:
            self.connection.live.receive(self.connection.client.view(match))

    # Files

    def record(self) -> Record:
        """Return the match so far as a record, without the time of each move; once it is over, that of the service."""
        return self._final or replace(super().record(), seconds=())  # which only the service has measured

    def _keep_in_history(self) -> str:
        """Keep the match in the history once it is over. Return a sentence if that fails."""
        if self.setup.keeper is None or self._final is None:
            return ""
        record = self._kept_record(self._final)
        keeper = keeper_of(record, self.setup.keeper)  # a person may come back to a match that is over
        self.setup = replace(self.setup, keeper=keeper)
        return keeper.keep(record)

    def _kept_record(self, record: Record) -> Record:
        """Return the record as the history has it: the opponent is a person at another computer."""
        assert self._seat is not None
        other, people = 1 - self.seating.person(self._seat), list(record.people)
        if people[other].agent == HUMAN:
            people[other] = Person(people[other].name, f"{ONLINE}:{people[other].name}")
        return replace(record, people=(people[0], people[1]))

    def saved_text(self, file: str) -> str:
        """Return what is said when the match was saved to a file."""
        return f"Saved as a record. The match stays on the server. Review the record with: duelbook review {file}"

    def leave(self) -> list[Say]:
        """Return how to come back to the match."""
        if self._seat is None:
            return [Say("You have stopped watching.", Kind.NOTE)]
        text = f"You have left the match. Come back to it with: duelbook play --join {self.connection.link}"
        unknown = f"It is not known whether your move '{self._unanswered}' was played."
        return [*([Say(unknown, Kind.WARNING)] if self._unanswered else []), Say(text, Kind.NOTE)]

    # After the end

    def finish(self) -> Do:
        """Return the work of loading the record of the service."""
        self._final = self.record()
        return Do("Loading the match", self._load)

    def _load(self) -> None:
        with suppress(OnlineError):  # the connection may be lost just now
            self._final = self.connection.client.record(self._view.id)

    def after_text(self) -> str:
        """Return how to review the match. Nothing is kept for somebody who watches, but a record that they save."""
        return super().after_text() if self._seat is not None or self.saved else ""

    def points(self) -> str:
        """Return the points of the matches that belong together, from the second one on."""
        series = self._view.series
        if series.game == 1 or not self._view.is_over:
            return ""
        points = ", ".join(f"{self.name(seat)}: {series.points.of(seat):g}" for seat in self.seating.seats())
        return f"Points: {points}"

    def steps(self) -> list[NextStep]:
        """Return what can be done next. A rematch can be watched once there is one."""
        if self._seat is None and self._view.rematch is None:
            return [NextStep.REVIEW]
        return [NextStep.REMATCH, NextStep.REVIEW]

    def _rematch_news(self) -> list[Say]:
        """Return that the opponent wants a rematch, or that there is one to watch."""
        if not self._is_rematch_new():
            return []
        self._is_rematch_told = True
        if self._seat is None:
            return [Say("There is a rematch, which you can watch.", Kind.NOTE)]
        return [Say(f"{self._opponent} wants a rematch.", Kind.NOTE)]

    def close(self) -> None:
        """End the connection."""
        self.connection.close()


def _cut(record: Record, moves: int) -> Record:
    """Return the record up to this number of moves. Later ones are told as they were made."""
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
