"""From what was asked for on the command line to a match at the terminal."""

import random
import secrets
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from duelbook.agents import Agent, is_outside, make_agent
from duelbook.dialogue import narration_class
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, has_choices
from duelbook.games import make, name_of
from duelbook.match import Match, ply_limit
from duelbook.records.file import check_new, load
from duelbook.records.record import HUMAN, Person, Reason, Record
from duelbook.solve import solved
from duelbook.terminal import INTERRUPTED, LEFT
from duelbook.terminal.choice import choose
from duelbook.terminal.commands import QuitError
from duelbook.terminal.menu import choose_game, choose_players
from duelbook.terminal.screen import Screen
from duelbook.terminal.session import Session, Setup
from duelbook.text import clean_name, fold


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line; None where nothing was said."""

    game: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    agents: tuple[str | None, str | None] = (None, None)
    names: tuple[str | None, str | None] = (None, None)
    first: str | None = None  # `1`, `2` or `random`
    seed: int | None = None
    time_limit: float | None = None
    record: Path | None = None
    resume: Path | None = None
    show_values: bool = False


def play(wishes: Wishes, screen: Screen) -> int:
    """Set the match up, play it and answer the exit code."""
    if wishes.record and wishes.record != wishes.resume:
        check_new(wishes.record)
        if _is_model_among(wishes.agents):
            from duelbook.agents.llm import log_beside

            check_new(log_beside(wishes.record))
    for who in filter(None, wishes.agents):
        if who != HUMAN:
            make_agent(who)  # refused before any question is asked
    try:
        session = _resumed(wishes, wishes.resume, screen) if wishes.resume else _new(wishes, screen)
    except (QuitError, EOFError):
        return LEFT
    except KeyboardInterrupt:
        return INTERRUPTED
    try:
        _reach_models(session.setup)
        return session.run()
    finally:
        for agent in filter(None, session.setup.agents):
            agent.close()


def _new(wishes: Wishes, screen: Screen) -> Session:
    if wishes.game is None:
        wishes = replace(wishes, game=choose_game(screen))
        if wishes.agents == (None, None):
            wishes = replace(wishes, agents=choose_players(screen))
    assert wishes.game is not None
    game = make(wishes.game, **wishes.options)
    seed = secrets.randbits(32) if wishes.seed is None else wishes.seed
    rng = random.Random(seed)
    starter = wishes.first or narration_class(game).starter
    first = rng.randrange(2) if starter == "random" else int(starter) - 1
    people = _people(wishes, (Person("Player 1"), Person("Player 2")))
    setup = Setup(people, first, _agents(people, str(seed)), seed, wishes.time_limit, wishes.record, wishes.show_values)
    if has_choices(game) and game.chosen not in wishes.options:
        game = choose(game, setup.table(), rng, screen)
    if wishes.show_values or any(getattr(agent, "exact", False) for agent in setup.agents):
        solved(game)  # a game too large for that is refused before the first turn
    return _session(Match(game, ply_limit=_limit(game, setup)), setup, screen)


def _resumed(wishes: Wishes, path: Path, screen: Screen) -> Session:
    record = load(path)
    _check_resumable(wishes, record, path)
    _check_agents(wishes, record, path)
    people = _people(wishes, record.people)
    setup = Setup(
        people,
        record.first,
        _agents(people, f"{record.seed} {len(record.moves)}"),
        record.seed,
        wishes.time_limit or record.time_limit,
        wishes.record or path,
        wishes.show_values,
    )
    return _session(Match.resumed(record, ply_limit=_limit(record.game, setup)), setup, screen)


def _check_resumable(wishes: Wishes, record: Record, path: Path) -> None:
    if record.reason is not Reason.UNFINISHED:
        raise RefusedError(f"the game in '{path}' is over; look at it with: duelbook replay {shlex.quote(str(path))}")
    if wishes.game not in (None, name_of(record.game)):
        raise RefusedError(f"'{path}' holds a game of {name_of(record.game)}, not of {wishes.game}")
    if wishes.options or wishes.first or wishes.seed is not None:
        raise RefusedError("--option, --first and --seed are those of the record and cannot go with --resume")


def _check_agents(wishes: Wishes, record: Record, path: Path) -> None:
    """Refuse to start a program or reach an endpoint because a file says so."""
    for number, (wished, person) in enumerate(zip(wishes.agents, record.people, strict=True), 1):
        if wished is None and is_outside(person.agent):
            raise RefusedError(
                f"in '{path}' Player {number} is {person.agent}, which is not started because a file says so; "
                f"if you want it, add --p{number} {shlex.quote(person.agent)}"
            )


def _is_model_among(agents: Iterable[str | None]) -> bool:
    return any(agent is not None and agent.startswith("llm:") for agent in agents)


def _reach_models(setup: Setup) -> None:
    """Seat the language models at one desk, with the log of their exchanges beside the record."""
    if not _is_model_among(person.agent for person in setup.people):
        return
    from duelbook.agents.llm import Desk, Model, log_beside, read_llm_settings

    log = log_beside(setup.record) if setup.record else None
    desk = Desk(read_llm_settings(), log)
    desk.check()
    for agent in setup.agents:
        if isinstance(agent, Model):
            agent.sit_at(desk)
            agent.name_match(str(setup.seed))


def _people(wishes: Wishes, before: tuple[Person, Person]) -> tuple[Person, Person]:
    """Answer Player 1 and Player 2 with the names and agents that were asked for."""
    one, two = (
        Person(person.name if name is None else clean_name(name), agent or person.agent)
        for person, name, agent in zip(before, wishes.names, wishes.agents, strict=True)
    )
    if fold(one.name) == fold(two.name):
        raise RefusedError(f"both players would be called '{one.name}'; give them different names")
    return one, two


def _agents(people: tuple[Person, Person], seed: str) -> tuple[Agent | None, Agent | None]:
    """Answer the agents of Player 1 and Player 2, each with randomness of its own."""
    one, two = (
        None if person.agent == HUMAN else make_agent(person.agent, f"{seed} {number}")
        for number, person in enumerate(people)
    )
    return one, two


def _limit(game: AnyGame, setup: Setup) -> int | None:
    return None if any(setup.table().humans) else ply_limit(game)


def _session(match: Match, setup: Setup, screen: Screen) -> Session:
    return Session(match, narration_class(match.game)(match.game, setup.table()), setup, screen)
