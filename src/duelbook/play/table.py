"""A match that is being played: its clock, its offers, what the players do in it, and where it is kept.

`Table` is what every dialogue needs. A `LocalTable` has the match in this process; see `remote_table` for one that a
service has.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Player, Reason
from duelbook.match import Match
from duelbook.narration import Seating, Turn
from duelbook.play.actions import RULES, ActionName, Standing, permitted, refusal, undo_target
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import match_commands
from duelbook.play.events import Ask, Do, Kind, Moved, Say, TakenBack
from duelbook.play.leaving import after_text, leaving_text
from duelbook.play.next_match import NextStep, following, offered_steps
from duelbook.play.series import Series
from duelbook.play.setup import Setup, connect_models, make_agents, solve_for
from duelbook.records import save_record
from duelbook.records.record import HUMAN, Note, Record, only_person
from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.agents import Agent, Introduction  # which a match of two people does not need
    from duelbook.study.hints import Hint

Change = Moved | TakenBack | Say


class Offer(NamedTuple):
    """A player asks the other one to let moves be taken back, from this ply on."""

    seat: Player
    ply: int


class SeenMatch:
    """A match as an agent sees it while it thinks: what happens at the table meanwhile does not change it.

    An agent knows its match by this object, so that it is the same one at every turn.
    """

    def __init__(self, match: Match) -> None:
        self.look(match)

    def look(self, match: Match) -> None:
        """Take the match as it is now."""
        self.game, self.state, self.mover = match.game, match.state, match.mover
        self.states, self.moves = tuple(match.states), tuple(match.moves)


class AgentChoice(NamedTuple):
    """The move that an agent has chosen, and what it says about it."""

    move: Move
    note: Note | None
    seconds: float | None  # that count, if it is not all that has passed
    introduction: "Introduction | None"


class Table:
    """A match with its people and its files."""

    has_news: Callable[[], bool] | None = None  # returns True if there is news from elsewhere
    needs_preparation: bool = False  # before the first turn
    offer: Offer | None = None  # what one player asks the other

    def __init__(self, match: Match, setup: Setup, seating: Seating) -> None:
        self.match, self.setup, self.seating = match, setup, seating
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
    def standing(self) -> Standing:
        """What decides which actions are possible now."""
        raise NotImplementedError

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed, and what it does."""
        return match_commands(self.standing)

    def actions(self, seat: Player) -> list[ActionName]:
        """Return what the player on this seat may do now."""
        return permitted(self.standing, seat)

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

    def agent(self) -> "Agent | None":
        """Return the agent whose turn it is, or None if it is a person's."""
        return None

    def find_hint(self, game: AnyGame, state: Any) -> "Hint | None":
        """Return the best move in a position and why, or None if the game is over."""
        from duelbook.study.hints import hint  # imported here so that a game starts sooner

        return hint(game, state)

    def find_values(self) -> str:
        """Return what each legal move is worth, as text."""
        from duelbook.play.values import move_values  # imported here so that a game starts sooner

        return move_values(self.match.game, self.match.state)

    def note_help(self) -> None:
        """Note that values or a hint were shown: the match does not count for a rating."""
        if self.setup.keeper:
            self.setup.keeper.helped = True

    def choice(self) -> "Callable[[], AgentChoice]":
        """Return the work in which the agent chooses its move, from the match as it is now."""
        raise NotImplementedError

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
        return after_text(self)

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


class LocalTable(Table):
    """A match of this process: of people at one keyboard, and of agents."""

    def __init__(self, match: Match, setup: Setup, series: Series | None = None) -> None:
        super().__init__(match, setup, setup.seating())
        self.needs_preparation = setup.show_values or any(setup.agents)
        self._seen: SeenMatch | None = None  # by the agents
        self._series = series or Series(PlayArguments())
        self._changes: list[Change] = []
        self._spent: float | None = None  # on the turn, while its clock stands still
        self._actions: dict[ActionName, Callable[[Player, Any], None]] = {
            "play": self._play,
            "undo": self._undo,
            "agree": self._agree,
            "decline": self._decline,
            "resign": self._resign,
            "give": self._give,
        }

    def prepare(self) -> bool:
        """Connect the agents, and solve the game if somebody needs that. Return False if it is too large."""
        connect_models(self.setup)
        return solve_for(self.match.game, self.setup.people, self.setup.show_values)

    @property
    def standing(self) -> Standing:
        """What decides which actions are possible now."""
        asking = self.offer.seat if self.offer else None
        return Standing(self.match, self.own, self.setup.time_limit, asking)

    def act(self, action: ActionName, seat: Player, value: Any = None) -> None:
        """Let the player on this seat do something, or raise RefusedError and change nothing."""
        why = "The game is over." if self.match.over else refusal(action, self.standing, seat)
        if why:
            raise RefusedError(why)
        self._actions[action](seat, value)
        if told := RULES[action].told:
            self._changes.append(Say(told.format(name=self.name(seat), other=self.name(1 - seat)), Kind.NOTE))

    def follow(self) -> list[Change]:
        """Return what is to be told since the last call."""
        changes, self._changes = self._changes, []
        return changes

    def _play(self, seat: Player, value: "tuple[Move, Note | None]") -> None:
        move, note = value
        match = self.match
        self.release()
        match.play(move)
        if note:
            match.add_note(note)
        turn = Turn(match.states[-2], match.moves[-1], match.state, match.moves[:-1])
        self._changes.append(Moved(turn, note))
        self.hold()  # until the next turn begins

    def _undo(self, seat: Player, value: None) -> None:
        """Take back moves up to the last one that a person chose. Of two people, the other one has to agree."""
        target = undo_target(self.standing, seat)
        assert target is not None
        if self.is_shared:
            self.hold()  # the clock is not that of the player who is asked
            self.offer = Offer(self.match.game.mover(self.match.states[target]), target)
        else:
            self._take_back(target)

    def _agree(self, seat: Player, value: None) -> None:
        assert self.offer
        self._take_back(self.offer.ply)

    def _decline(self, seat: Player, value: None) -> None:
        self.offer = None
        self.release()

    def _take_back(self, ply: int) -> None:
        self.offer, self._spent = None, None
        self.match.undo_to(ply)
        self._changes.append(TakenBack())

    def _resign(self, seat: Player, value: None) -> None:
        self.match.resign(seat)

    def _give(self, seat: Player, value: None) -> None:
        self.match.give_time()

    @property
    def _turn_limit(self) -> float | None:
        """The seconds that the mover has for this turn."""
        limit = self.setup.time_limit
        return None if limit is None else limit + self.match.given_seconds

    def start_turn(self) -> None:
        """Start the mover's time."""
        self._spent = None
        self.match.start_turn()

    def hold(self) -> None:
        """Stop the mover's clock."""
        if self._spent is None:
            self._spent = self.match.turn_seconds()

    def release(self) -> None:
        """Let the mover's clock go on."""
        if self._spent is not None:
            self.match.start_turn(self._spent)
            self._spent = None

    def count_turn(self, seconds: float | None) -> None:
        """Count only these seconds of the turn, if an agent says so."""
        if seconds is not None:
            self.match.start_turn(seconds)

    def check_time(self) -> bool:
        """Return True if the mover's time is up, which ends the match (ALL-3)."""
        limit = self._turn_limit
        if limit is None or self.match.over or self._spent is not None or self.match.turn_seconds() < limit:
            return False
        self.match.run_out_of_time()
        return True

    def deadline(self) -> float | None:
        """Return the end of the mover's time by the monotonic clock, or None while no time runs."""
        limit = self._turn_limit
        return None if limit is None or self.match.over or self._spent is not None else self.match.turn_started + limit

    def agent(self) -> "Agent | None":
        """Return the agent whose turn it is, or None if it is a person's."""
        return self.setup.agents[self.seating.person(self.match.mover)]

    def choice(self) -> Callable[[], AgentChoice]:
        """Return the work in which the agent chooses its move, from the match as it is now."""
        agent, match = self.agent(), self.match
        kind = self.setup.people[self.seating.person(match.mover)].agent
        self._seen = seen = self._seen or SeenMatch(match)
        seen.look(match)
        assert agent is not None

        def choose() -> AgentChoice:
            from duelbook.agents import chosen_move, introduction, turn_report

            move = chosen_move(agent, kind, seen)
            report = turn_report(agent)
            return AgentChoice(move, report.note, report.seconds, introduction(agent))

        return choose

    def renew_agents(self) -> None:
        """Stop the agents, one of which thinks, and make them anew, as for a match that is resumed."""
        self.close()
        self._seen = None
        self.setup = self.setup.with_agents(make_agents(self.setup.people, self.setup.seed, len(self.match.moves)))
        connect_models(self.setup)

    def leave(self) -> list[Say]:
        """Return how to continue the match. One of which every move was taken back is removed from the history."""
        if self.setup.keeper and not self.match.moves and not self.match.over:
            self.setup.keeper.discard()
        return [Say(leaving_text(self), Kind.NOTE)]

    def tell_result(self) -> None:
        """Tell the agents how the match has ended, and count it in its series."""
        self._series.count(self.match, self.setup)
        if any(self.setup.agents):
            from duelbook.agents import tell_result

            for agent in filter(None, self.setup.agents):
                tell_result(agent, self.match)

    def steps(self) -> list[NextStep]:
        """Return what can be done next."""
        return offered_steps(self.setup)

    def step_note(self, step: NextStep) -> str:
        """Return who the opponent is if that changes."""
        if step not in (NextStep.STRONGER, NextStep.WEAKER):
            return ""
        [opponent] = (name for name in self._after(step).agents if name != HUMAN)
        return f"Your opponent is {opponent} now."

    def next_title(self) -> str:
        """Return what the next match of the series is called, as `match 2 of 3`, or an empty text."""
        series = self._series
        return "" if series.is_last else f"match {series.number + 1} of {series.arguments.matches}"

    def points(self) -> str:
        """Return the points of a series of which a match is over, or an empty text."""
        return self._series.points_text(self.setup)

    def following(self, step: NextStep) -> Series | None:
        """Return the match that follows after this step, or None."""
        if not self._series.is_last:
            return self._series.following(self.match, self.setup)
        return None if step is NextStep.LEAVE else Series(self._after(step))

    def _after(self, step: NextStep) -> PlayArguments:
        return following(self._series.arguments, self.setup, self.match.game, step)

    def close(self) -> None:
        """End the agents."""
        if any(self.setup.agents):
            from duelbook.agents import close_agent

            for agent in filter(None, self.setup.agents):
                close_agent(agent)
