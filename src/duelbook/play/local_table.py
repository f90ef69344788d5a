"""A match of this process: of people at one keyboard, and of agents."""

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from duelbook.errors import RefusedError
from duelbook.game import Move, Player
from duelbook.match import Match
from duelbook.narration import Turn
from duelbook.play.actions import ActionName, refusal, told_text
from duelbook.play.arguments import PlayArguments
from duelbook.play.events import Kind, Moved, Say, TakenBack
from duelbook.play.next_match import NextStep, following, offered_steps
from duelbook.play.screen_table import AgentChoice, Change, ScreenTable
from duelbook.play.series import Series
from duelbook.play.setup import Setup, connect_models, make_agents, solve_for
from duelbook.records.record import HUMAN, Note
from duelbook.text import plural

if TYPE_CHECKING:
    pass  # which a match of two people does not need


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


class LocalTable(ScreenTable):
    """A match of this process."""

    def __init__(self, match: Match, setup: Setup, series: Series | None = None) -> None:
        seating = setup.seating()
        super().__init__(match, setup, seating, [seat for seat in (0, 1) if seating.is_human(seat)])
        self.needs_preparation = setup.show_values or any(setup.agents)
        self._seen: SeenMatch | None = None  # by the agents
        self._series = series or Series(PlayArguments())
        self._changes: list[Change] = []
        self._spent: float | None = None  # on the turn, while its clock stands still

    def prepare(self) -> bool:
        """Connect the agents, and solve the game if somebody needs that. Return False if it is too large."""
        connect_models(self.setup)
        return solve_for(self.match.game, self.setup.people, self.setup.show_values)

    def act(self, action: ActionName, seat: Player, value: Any = None) -> None:
        """Let the player on this seat do something, or raise RefusedError and change nothing."""
        why = "The game is over." if self.match.over else refusal(action, self, seat)
        if why:
            raise RefusedError(why)
        self.apply(action, seat, value)
        if told := told_text(action, self.name(seat), self.name(1 - seat)):
            self._changes.append(Say(told, Kind.NOTE))

    def follow(self) -> list[Change]:
        """Return what is to be told since the last call."""
        changes, self._changes = self._changes, []
        return changes

    def _play(self, seat: Player, value: "tuple[Move, Note | None]") -> int | None:
        move, note = value
        match = self.match
        self.release()
        ply = super()._play(seat, move)
        if note:
            match.add_note(note)
        turn = Turn(match.states[-2], match.moves[-1], match.state, match.moves[:-1])
        self._changes.append(Moved(turn, note))
        self.hold()  # until the next turn begins
        return ply

    def _undo(self, seat: Player, value: None) -> int | None:
        ply = super()._undo(seat, value)
        if ply is None:
            self.hold()  # the clock is not that of the player who is asked
        return ply

    def _decline(self, seat: Player, value: None) -> int | None:
        self.release()
        return super()._decline(seat, value)

    def _take_back(self, ply: int) -> int | None:
        self._spent = None
        self._changes.append(TakenBack())
        return super()._take_back(ply)

    # Time

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
        limit = self.turn_limit
        if limit is None or self.match.over or self._spent is not None or self.match.turn_seconds() < limit:
            return False
        self.match.run_out_of_time()
        return True

    def deadline(self) -> float | None:
        """Return the end of the mover's time by the monotonic clock, or None while no time runs."""
        limit = self.turn_limit
        return None if limit is None or self.match.over or self._spent is not None else self.match.turn_started + limit

    def thinking(self) -> Callable[[], AgentChoice] | None:
        """Return the work in which the agent whose turn it is chooses its move, from the match as it is now."""
        person = self.seating.person(self.match.mover)
        agent, kind = self.setup.agents[person], self.setup.people[person].agent
        if agent is None:
            return None
        self._seen = seen = self._seen or SeenMatch(self.match)
        seen.look(self.match)

        def choose() -> AgentChoice:
            from duelbook.agents import Forfeit, chosen_move, introduction, turn_report

            try:
                move = chosen_move(agent, kind, seen)
            except Forfeit as forfeit:
                return AgentChoice(None, forfeit=str(forfeit))
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
        return [Say(self._leaving_text(), Kind.NOTE)]

    def _leaving_text(self) -> str:
        """Return how to continue the match, or what of it is not saved."""
        keeper = self.setup.keeper
        if saved := self._saved_file():
            return f"The game is saved. Resume it with: duelbook play --resume {shlex.quote(str(saved))}"
        if keeper and keeper.number is not None and keeper.up_to_date:
            return f"The game is kept. Resume it with: duelbook resume {keeper.number}"
        if self.saved:
            path, moves, _ = self.saved
            return (
                f"The game was saved after {plural(len(moves), 'move')}; what was played since is not. "
                f"Resume it from there with: duelbook play --resume {shlex.quote(str(path))}"
            )
        if not self.match.moves:
            return "The game is unfinished. No move was played, so there is nothing to keep."
        if keeper and keeper.number:
            command = f"duelbook resume {keeper.number}"
            return f"The last moves are not kept. Resume the game from before them with: {command}"
        advice = "" if keeper else " To keep one, type save FILE or play it without --no-history."
        return f"The game is unfinished, and it is not kept.{advice}"

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
