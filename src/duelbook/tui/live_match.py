"""A match that is played on the screen, without the screen: whose turn it is, what was said, and where it is kept."""

import shlex
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

from duelbook.agents import Agent, close_agent, tell_result
from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.game import AnyGame, Move, Player, forced_pass
from duelbook.match import Match
from duelbook.narration import Seating, Turn, narration_for
from duelbook.options import pairs_text, write_options
from duelbook.play.setup import Setup, connect_models, make_agents
from duelbook.records import save_record
from duelbook.records.file import check_new
from duelbook.records.record import Person, Record, only_person, player_text
from duelbook.text_board import TOKENS


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
        return seat_labels(self.setup.people, self.seating)

    def agent(self) -> Agent | None:
        """Return the agent whose turn it is, or None if it is a person's."""
        return self.setup.agents[self.seating.person(self.match.mover)]

    def agent_name(self) -> str:
        """Return the name of the agent whose turn it is."""
        return self.setup.people[self.seating.person(self.match.mover)].agent

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

    def move_list(self) -> str:
        """Return the moves so far, a line for each."""
        game, played = self.match.game, zip(self.match.states, self.match.moves, strict=False)
        return "\n".join(
            f"{number:>3} {TOKENS[game.mover(state)]} {game.move_name(state, move)}"
            for number, (state, move) in enumerate(played, 1)
        )

    def moves_text(self, values: str) -> str:
        """Return the legal moves with their values, those that were played, and the rule options."""
        game = self.match.game
        legal = "The game is over." if self.match.over else self.narration.legal(self.match.state)
        played = f"Played so far:\n{self.move_list() or '  nothing'}"
        return "\n\n".join(filter(None, (legal, values, played, f"Options: {pairs_text(game, write_options(game))}")))

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

    def save(self, file: str) -> str:
        """Save the match as a record to a new file, and return what to tell about that; or raise RefusedError."""
        if not file:
            raise RefusedError("Name the file to save to: save FILE")
        path = full_path(file)
        check_new(path)
        save_record(self.record(), path)
        return f"Saved. Resume it later with: duelbook play --resume {shlex.quote(str(path))}"

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

    def leave(self) -> None:
        """Remove the match from the history if every move of it was taken back."""
        if self.setup.keeper and not self.match.moves and not self.match.over:
            self.setup.keeper.discard()

    def close(self) -> None:
        for agent in filter(None, self.setup.agents):
            close_agent(agent)


def sentences(text: str) -> str:
    """Return the lines at the beginning that are sentences. What follows them are headings, tables and drawings."""
    return " ".join(takewhile(lambda line: line.endswith((".", "!")), text.splitlines()))


def seat_labels(people: tuple[Person, Person], seating: Seating) -> tuple[str, str]:
    """Return the players by seat, with what they are: an agent, or the only person, who is "you"."""
    own = only_person(people)
    one, two = (f"{player_text(person)}{' (you)' if at == own else ''}" for at, person in enumerate(people))
    return (two, one) if seating.person(0) else (one, two)
