"""A match before its first move: who plays, who starts, and what is drawn. Nothing here asks or prints."""

import random
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from duelbook.contract import verify_once
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, HasChoices, Player, has_choices, with_choices
from duelbook.games import find_rules, make
from duelbook.match import Match, ply_limit
from duelbook.narration import Seating, narration_class
from duelbook.options import draw, drawn_options, pairs_text
from duelbook.play.arguments import PlayArguments
from duelbook.play.keeping import GameKeeper
from duelbook.play.resuming import find_source
from duelbook.presets import expand_preset
from duelbook.records.record import HUMAN, Person, Record
from duelbook.text import clean_name, fold

if TYPE_CHECKING:
    from duelbook.agents import Agent  # agents and the solver are imported where a match needs them

PEOPLE = (Person("Player 1"), Person("Player 2"))


@dataclass(frozen=True)
class Setup:
    """How a match is played, apart from its rules."""

    people: tuple[Person, Person]
    first: int  # which of the two moves first: 0 or 1
    agents: tuple["Agent | None", "Agent | None"]  # None for a person at the keyboard
    seed: int | None
    time_limit: float | None = None
    record: Path | None = None
    show_values: bool = False  # show the exact value of every legal move
    keeper: GameKeeper | None = None  # None if the match is not kept in the history
    once: bool = True  # nothing is offered after the match
    in_series: bool = False  # one of several matches that follow one another

    def seating(self) -> Seating:
        humans = (self.agents[0] is None, self.agents[1] is None)
        return Seating((self.people[0].name, self.people[1].name), self.first, humans)

    def with_agents(self, agents: "tuple[Agent | None, Agent | None]") -> "Setup":
        return replace(self, agents=agents)

    def start(self, game: AnyGame) -> Match:
        """Return a new match of the game. Between two agents it has a move limit."""
        return Match(game, ply_limit=self._limit(game))

    def _limit(self, game: AnyGame) -> int | None:
        return None if any(self.seating().humans) else ply_limit(game)


class PreparedMatch(NamedTuple):
    """A match that is set up but for what the players choose and what is drawn."""

    game: AnyGame
    setup: Setup
    rng: random.Random
    drawn: tuple[str, ...] = ()  # the options that are drawn, without those that the players choose
    is_starter_drawn: bool = False
    choices: HasChoices | None = None  # the game, if each player chooses something before the start
    resumed: Record | None = None

    def begin(self, chosen: Mapping[Player, str]) -> tuple[Match, list[str]]:
        """Return the match with what the players chose, by seat, and what is drawn; and what is said about that."""
        if self.resumed:
            return Match.resumed(self.resumed, ply_limit=self.setup._limit(self.game)), []
        game, said = self.game, []
        if self.choices:
            game = with_choices(self.choices, chosen[0], chosen[1])
        if self.drawn:
            game = draw(game, self.rng, self.drawn)
            said.append(f"Drawn for this match: {pairs_text(game, self.drawn)}")
        if self.is_starter_drawn:
            said.append(f"{self.setup.people[self.setup.first].name} was drawn to move first.")
        return self.setup.start(game), said


def prepare_match(arguments: PlayArguments, *, once: bool = True) -> PreparedMatch:
    """Return the match that the arguments describe: a new one, or one that continues. Raise RefusedError otherwise."""
    return _resumed_match(arguments, once=once) if arguments.is_resumed else new_match(arguments, once=once)


def new_match(arguments: PlayArguments, *, once: bool = True) -> PreparedMatch:
    """Return the match that the arguments describe, which must name a game. Raise RefusedError if they are wrong."""
    assert arguments.game is not None
    options = expand_preset(find_rules(arguments.game), arguments.options)
    game = make(arguments.game, **options)
    verify_once(game)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    rng = random.Random(seed)
    starter = arguments.first or narration_class(game).starter
    first = rng.randrange(2) if starter == "random" else int(starter) - 1
    people = people_of(arguments, PEOPLE)
    setup = Setup(
        people,
        first,
        make_agents(people, seed),
        seed,
        arguments.time_limit,
        arguments.record,
        arguments.show_values,
        GameKeeper() if arguments.keep else None,
        once or _is_watched(people),
        arguments.matches > 1,
    )
    drawn, choices = drawn_options(type(game), options), None
    if has_choices(game) and game.chosen in drawn:
        drawn, choices = drawn_options(type(game), (*options, game.chosen)), game
    return PreparedMatch(game, setup, rng, drawn, starter == "random", choices)


def _resumed_match(arguments: PlayArguments, *, once: bool) -> PreparedMatch:
    """Return a match that continues, that of a file or of the history, or raise RefusedError."""
    source = find_source(arguments)
    record = source.record
    verify_once(record.game)
    people = people_of(arguments, record.people)
    setup = Setup(
        people,
        record.first,
        make_agents(people, record.seed, len(record.moves)),
        record.seed,
        arguments.time_limit or record.time_limit,
        arguments.record or arguments.resume,
        arguments.show_values,
        source.keeper if arguments.keep else None,
        once or _is_watched(people),
    )
    return PreparedMatch(record.game, setup, random.Random(record.seed), resumed=record)


def _is_watched(people: tuple[Person, Person]) -> bool:
    """Return True if no person plays."""
    return all(person.agent != HUMAN for person in people)


def people_of(arguments: PlayArguments, default: tuple[Person, Person]) -> tuple[Person, Person]:
    """Return Player 1 and Player 2, with the names and agents from the arguments where they are given."""
    one, two = (
        Person(person.name if name is None else clean_name(name), agent or person.agent)
        for person, name, agent in zip(default, arguments.names, arguments.agents, strict=True)
    )
    if fold(one.name) == fold(two.name):
        raise RefusedError(f"Both players are called '{one.name}'. Give them different names with --name1 and --name2.")
    return one, two


def make_agents(
    people: tuple[Person, Person], seed: int | None, resumed_at: int | None = None
) -> "tuple[Agent | None, Agent | None]":
    """Return the agents of Player 1 and Player 2, each with its own random numbers."""
    one, two = (_make_agent(person.agent, seed, number, resumed_at) for number, person in enumerate(people))
    return one, two


def check_agents(names: Iterable[str | None]) -> None:
    """Raise RefusedError if one of the agents does not exist."""
    for who in names:
        if who is not None:
            _make_agent(who)


def _make_agent(who: str, seed: int | None = None, number: int = 0, resumed_at: int | None = None) -> "Agent | None":
    """Return the agent, or None for a person."""
    if who == HUMAN:
        return None
    from duelbook.agents import make_agent, turn_seed

    start = seed if resumed_at is None else turn_seed(who, seed, resumed_at)
    return make_agent(who, f"{start} {number}")


def is_model_among(agents: Iterable[str | None]) -> bool:
    """Return True if one of the agents is a language model."""
    return any(agent is not None and agent.startswith("llm:") for agent in agents)


def connect_models(setup: Setup) -> None:
    """Give all language models one client, which logs their exchanges beside the record."""
    if not is_model_among(person.agent for person in setup.people):
        return
    from duelbook.agents.llm import LlmAgent, ModelClient, log_beside, read_llm_settings

    log = log_beside(setup.record) if setup.record else None
    client = ModelClient(read_llm_settings(), log)
    client.check()
    for agent in setup.agents:
        if isinstance(agent, LlmAgent):
            agent.use_client(client)
            agent.name_match(str(setup.seed))


def solve_for(game: AnyGame, people: tuple[Person, Person], show_values: bool) -> bool:
    """Solve the game if somebody needs its values. Return False if it is too large: levels search instead.

    Raise RefusedError if an agent cannot do without the values.
    """
    agents = [person.agent for person in people]
    if not show_values and agents == [HUMAN, HUMAN]:
        return True
    from duelbook.agents import is_exact
    from duelbook.solve import solved, try_solve

    if not show_values and not any(map(is_exact, agents)):
        return True
    if is_solution_required(people):
        solved(game)
    return try_solve(game)


def is_solution_required(people: tuple[Person, Person]) -> bool:
    """Return True if one of the agents cannot play a game that is not solved."""
    agents = [person.agent for person in people if person.agent != HUMAN]
    if not agents:
        return False
    from duelbook.agents import needs_solution

    return any(map(needs_solution, agents))
