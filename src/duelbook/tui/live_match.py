"""A match that is played on the screen, without the screen: whose turn it is, what was said, and where it is kept."""

from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

from duelbook.agents import Agent, tell_result
from duelbook.game import AnyGame, Move, Player, forced_pass
from duelbook.match import Match
from duelbook.narration import Turn, narration_for
from duelbook.records.record import HUMAN, Record
from duelbook.terminal.setup import Setup, connect_models, make_agents


class Snapshot(NamedTuple):
    """A match as an agent sees it while it thinks: what happens on the screen does not change it."""

    game: AnyGame
    state: Any
    states: tuple[Any, ...]
    moves: tuple[Move, ...]
    mover: Player


class LiveMatch:
    """A match with its people, agents and place in the history."""

    def __init__(self, match: Match, setup: Setup) -> None:
        self.match, self.setup = match, setup
        self.seating = setup.seating()
        self.narration = narration_for(match.game, self.seating)
        humans = (False, False) if all(self.seating.humans) else self.seating.humans  # of two people, nobody is "you"
        self._announcer = narration_for(match.game, replace(self.seating, humans=humans))

    @property
    def near(self) -> Player:
        """The seat at the lower side of the board: that of the only person, or else of Player 1."""
        return self.seating.seat(1 if self.seating.humans == (False, True) else 0)

    def labels(self) -> tuple[str, str]:
        """Return the players by seat, with what they are."""
        first, second = (self._label(seat) for seat in (0, 1))
        return first, second

    def _label(self, seat: Player) -> str:
        person = self.setup.people[self.seating.person(seat)]
        if person.agent != HUMAN:
            return f"{person.name} ({person.agent})"
        return person.name if all(self.seating.humans) else f"{person.name} (you)"

    def agent(self) -> Agent | None:
        """Return the agent whose turn it is, or None if it is a person's."""
        return self.setup.agents[self.seating.person(self.match.mover)]

    def forced(self) -> Move | None:
        """Return the pass that the program plays for the mover, or None."""
        return forced_pass(self.match.game, self.match.state)

    def snapshot(self) -> Snapshot:
        match = self.match
        return Snapshot(match.game, match.state, tuple(match.states), tuple(match.moves), match.mover)

    def play(self, move: Move) -> str:
        """Play a legal move, and return what the game says about it, without what the board shows."""
        match = self.match
        match.play(move)
        turn = Turn(match.states[-2], match.moves[-1], match.state, match.moves[:-1])
        name = match.game.move_name(turn.before, move)
        return sentences(self._announcer.announce(turn)) or f"{self.narration.mover(turn.before)} plays {name}."

    def greeting(self) -> str:
        """Return what the game says before the first move, without what the board shows."""
        return sentences(self.narration.greeting())

    def ending(self) -> str:
        """Return in one line who won and why."""
        match = self.match
        return self.narration.result(match.state, match.moves, match.outcome, match.reason) or ""

    def undo_target(self) -> int | None:
        """Return the ply of the last move that a person chose, or None."""
        return self.match.last_choice([seat for seat in (0, 1) if self.seating.is_human(seat)])

    def undo_question(self, ply: int) -> str:
        """Return what the opponent is asked before a move is taken back; nothing against the computer."""
        if not all(self.seating.humans):
            return ""
        state = self.match.states[ply]
        mover, name = self.match.game.mover(state), self.match.game.move_name(state, self.match.moves[ply])
        return f"{self.seating.name(1 - mover)}, may {self.seating.name(mover)} take back '{name}'?"

    def resigning(self) -> Player:
        """Return who resigns: the only person, or of two the one whose turn it is."""
        return self.match.mover if all(self.seating.humans) else self.near

    def renew_agents(self) -> None:
        """Stop the agents and make them anew, as for a match that is resumed."""
        self.close()
        agents = make_agents(self.setup.people, self.setup.seed, len(self.match.moves))
        self.setup = replace(self.setup, agents=agents)
        connect_models(self.setup)

    def record(self) -> Record:
        setup = self.setup
        return self.match.record(setup.people, setup.first, seed=setup.seed, time_limit=setup.time_limit)

    def keep(self) -> str:
        """Keep the match in the history. Return a sentence if something is wrong, or else nothing."""
        return self.setup.keeper.keep(self.record()) if self.setup.keeper else ""

    def note_help(self) -> None:
        """Note that values or a hint were shown: the match does not count for a rating."""
        if self.setup.keeper:
            self.setup.keeper.helped = True

    def tell_result(self) -> None:
        """Tell the agents how the match has ended."""
        for agent in filter(None, self.setup.agents):
            tell_result(agent, self.match)

    def close(self) -> None:
        for agent in filter(None, self.setup.agents):
            agent.close()


def sentences(text: str) -> str:
    """Return the lines at the beginning that are sentences. What follows them are headings, tables and drawings."""
    return " ".join(takewhile(lambda line: line.endswith((".", "!")), text.splitlines()))
