"""Set up a match from the arguments of `duelbook play`, and play it."""

import random
import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duelbook.contract import verify_once
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Outcome, has_choices, won_by
from duelbook.games import find_rules, make, name_of
from duelbook.match import Match, ply_limit
from duelbook.narration import narration_class, narration_for
from duelbook.options import draw, drawn_options, pairs_text, write_options
from duelbook.presets import expand_preset
from duelbook.records.file import check_new
from duelbook.records.record import HUMAN, Person
from duelbook.terminal import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.terminal.after_game import NextStep, ask_next_step, show_decision
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.choices import ask_choices
from duelbook.terminal.commands import QuitError
from duelbook.terminal.keeping import GameKeeper
from duelbook.terminal.next_match import following
from duelbook.terminal.resuming import find_source
from duelbook.terminal.screen import NOTE, RESULT, WARNING, Screen
from duelbook.terminal.session import Session, Setup
from duelbook.text import clean_name, fold

if TYPE_CHECKING:
    from duelbook.agents import Agent  # agents and the solver are imported where a match needs them


def play(arguments: PlayArguments, screen: Screen) -> int:
    """Set up the match, play it and return the exit code."""
    if (arguments.resume or arguments.kept is not None) and arguments.matches > 1:
        raise RefusedError("--resume cannot be combined with --matches: a record holds one match.")
    for number in range(arguments.matches):
        _check_new_record(arguments, _record_of(arguments.record, number))
    for who in filter(None, arguments.agents):
        _make_agent(who)  # an unknown agent is an error before the first question
    try:
        return _play_matches(arguments, screen)
    except (QuitError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _play_matches(arguments: PlayArguments, screen: Screen) -> int:
    """Play several matches with the seats swapped each time, and then show the points."""
    if arguments.matches == 1:
        return _play_and_ask(arguments, screen)
    points = [0.0, 0.0]
    for number in range(arguments.matches):
        screen.say(f"Match {number + 1} of {arguments.matches}\n", NOTE)
        session = _new(replace(arguments, record=_record_of(arguments.record, number), once=True), screen)
        code = _run(session)
        if not session.match.over:
            return code
        for person in (0, 1):
            points[person] += _points(session.match.outcome, person ^ session.setup.first)
        arguments = _swapped(arguments, session)
    one, two = session.setup.people
    screen.say(f"\nPoints: {one.name}: {points[0]:g}, {two.name}: {points[1]:g}", RESULT)
    return EXIT_FINISHED


def _play_and_ask(arguments: PlayArguments, screen: Screen) -> int:
    """Play one match; at a terminal, then ask what to do next, until the person leaves."""
    session = _resumed(arguments, screen) if arguments.resume or arguments.kept is not None else _new(arguments, screen)
    while True:
        code = _run(session)
        if session.setup.once or not session.match.over:
            return code
        show_decision(session.record(), screen)
        chosen = _next_session(arguments, session, screen)
        if chosen is None:
            return code
        arguments, session = chosen


def _next_session(arguments: PlayArguments, session: Session, screen: Screen) -> tuple[PlayArguments, Session] | None:
    """Return the match that the person wants to play next, and its arguments; None if they leave."""
    while True:
        step = ask_next_step(session.record(), session.setup, screen)
        if step is NextStep.LEAVE:
            return None
        changed = following(arguments, session, step)
        if step in (NextStep.STRONGER, NextStep.WEAKER):
            [opponent] = (agent for agent in changed.agents if agent != HUMAN)
            screen.say(f"Your opponent is {opponent} now.\n", NOTE)
        try:
            return changed, _new(changed, screen)
        except RefusedError as error:  # for example, the game is too large for the perfect agent
            screen.say(f"{error}\n", WARNING)


def _run(session: Session) -> int:
    try:
        _connect_models(session.setup)
        return session.run()
    finally:
        for agent in filter(None, session.setup.agents):
            agent.close()


def _record_of(record: Path | None, number: int) -> Path | None:
    """Return the file of one of several matches: `game.json`, then `game-2.json` and so on."""
    return record.with_stem(f"{record.stem}-{number + 1}") if record and number else record


def _check_new_record(arguments: PlayArguments, record: Path | None) -> None:
    """Raise RefusedError if the record or its log would replace a file."""
    if record and record != arguments.resume:
        check_new(record)
        if _is_model_among(arguments.agents):
            from duelbook.agents.llm import log_beside

            check_new(log_beside(record))


def _points(outcome: Outcome, seat: int) -> float:
    """Return one point for a win, half a point for a draw."""
    return 0.5 if outcome in (Outcome.DRAW, Outcome.UNDECIDED) else float(outcome == won_by(seat))


def _swapped(arguments: PlayArguments, session: Session) -> PlayArguments:
    """Return the arguments of the next match: the same start, with the seats swapped."""
    setup, game = session.setup, session.match.game
    return replace(
        arguments,
        game=name_of(game),
        options={name: str(value) for name, value in write_options(game).items()},
        agents=(setup.people[0].agent, setup.people[1].agent),
        first=str(2 - setup.first),
        seed=None if setup.seed is None else setup.seed + 1,
    )


def _new(arguments: PlayArguments, screen: Screen) -> Session:
    if arguments.game is None:
        from duelbook.terminal.menu import ask_match  # imported here so that a game that is named starts sooner

        arguments = ask_match(arguments, screen)
    assert arguments.game is not None
    options = expand_preset(find_rules(arguments.game), arguments.options)
    game = make(arguments.game, **options)
    verify_once(game)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    rng = random.Random(seed)
    starter = arguments.first or narration_class(game).starter
    first = rng.randrange(2) if starter == "random" else int(starter) - 1
    people = _people(arguments, (Person("Player 1"), Person("Player 2")))
    setup = Setup(
        people,
        first,
        _agents(people, seed),
        seed,
        arguments.time_limit,
        arguments.record,
        arguments.show_values,
        GameKeeper() if arguments.keep else None,
        _is_last(arguments, people, screen),
    )
    drawn = drawn_options(type(game), options)
    if has_choices(game) and game.chosen in drawn:
        drawn = drawn_options(type(game), (*options, game.chosen))
        game = ask_choices(game, setup.seating(), rng, screen)
    if drawn:
        game = draw(game, rng, drawn)
        screen.say(f"Drawn for this match: {pairs_text(game, drawn)}\n", NOTE)
    _prepare_values(game, people, arguments.show_values, screen)
    if starter == "random":
        screen.say(f"{people[first].name} was drawn to move first.\n", NOTE)
    return _session(Match(game, ply_limit=_limit(game, setup)), setup, screen)


def _prepare_values(game: AnyGame, people: tuple[Person, Person], show_values: bool, screen: Screen) -> None:
    """Solve the game if somebody needs its values. If it is too large, or Ctrl-C stops that, levels search instead.

    An agent that cannot do without the values does not play then.
    """
    agents = [person.agent for person in people]
    if not show_values and agents == [HUMAN, HUMAN]:
        return
    from duelbook.agents import is_exact, needs_solution
    from duelbook.solve import remember_too_large, solved, try_solve

    if not show_values and not any(map(is_exact, agents)):
        return
    required = any(map(needs_solution, agents))
    try:
        with screen.busy("Solving the game"):
            if required:
                solved(game)
            if try_solve(game):
                return
        why = "This game is too large to be solved"
    except KeyboardInterrupt:
        if required:
            raise
        remember_too_large(game)
        why = "Stopped. This game is not solved"
    screen.say(f"{why}: levels play by search, and values are estimates.\n", NOTE)


def _is_last(arguments: PlayArguments, people: tuple[Person, Person], screen: Screen) -> bool:
    """Return True if nothing is offered after the match: nobody is there to answer, or nobody wants it."""
    return arguments.once or not screen.is_terminal or all(person.agent != HUMAN for person in people)


def _resumed(arguments: PlayArguments, screen: Screen) -> Session:
    """Return a match that continues: that of a file, or that of the history with its number."""
    source = find_source(arguments)
    record = source.record
    verify_once(record.game)
    people = _people(arguments, record.people)
    _prepare_values(record.game, people, arguments.show_values, screen)
    setup = Setup(
        people,
        record.first,
        _agents(people, record.seed, len(record.moves)),
        record.seed,
        arguments.time_limit or record.time_limit,
        arguments.record or arguments.resume,
        arguments.show_values,
        source.keeper if arguments.keep else None,
        _is_last(arguments, people, screen),
    )
    return _session(Match.resumed(record, ply_limit=_limit(record.game, setup)), setup, screen)


def _is_model_among(agents: Iterable[str | None]) -> bool:
    return any(agent is not None and agent.startswith("llm:") for agent in agents)


def _connect_models(setup: Setup) -> None:
    """Give all language models one client, which logs their exchanges beside the record."""
    if not _is_model_among(person.agent for person in setup.people):
        return
    from duelbook.agents.llm import LlmAgent, ModelClient, log_beside, read_llm_settings

    log = log_beside(setup.record) if setup.record else None
    client = ModelClient(read_llm_settings(), log)
    client.check()
    for agent in setup.agents:
        if isinstance(agent, LlmAgent):
            agent.use_client(client)
            agent.name_match(str(setup.seed))


def _people(arguments: PlayArguments, default: tuple[Person, Person]) -> tuple[Person, Person]:
    """Return Player 1 and Player 2, with the names and agents from the arguments where they are given."""
    one, two = (
        Person(person.name if name is None else clean_name(name), _current_name(agent or person.agent))
        for person, name, agent in zip(default, arguments.names, arguments.agents, strict=True)
    )
    if fold(one.name) == fold(two.name):
        raise RefusedError(f"Both players are called '{one.name}'. Give them different names with --name1 and --name2.")
    return one, two


def _current_name(agent: str) -> str:
    """Return the name of the agent; a level may have been asked for by an older name."""
    if agent == HUMAN:
        return agent
    from duelbook.agents import current_name

    return current_name(agent)


def _agents(
    people: tuple[Person, Person], seed: int | None, resumed_at: int | None = None
) -> "tuple[Agent | None, Agent | None]":
    """Return the agents of Player 1 and Player 2, each with its own random numbers."""
    one, two = (_make_agent(person.agent, seed, number, resumed_at) for number, person in enumerate(people))
    return one, two


def _make_agent(who: str, seed: int | None = None, number: int = 0, resumed_at: int | None = None) -> "Agent | None":
    """Return the agent, or None for a person."""
    if who == HUMAN:
        return None
    from duelbook.agents import make_agent, turn_seed

    start = seed if resumed_at is None else turn_seed(who, seed, resumed_at)
    return make_agent(who, f"{start} {number}")


def _limit(game: AnyGame, setup: Setup) -> int | None:
    return None if any(setup.seating().humans) else ply_limit(game)


def _session(match: Match, setup: Setup, screen: Screen) -> Session:
    return Session(match, narration_for(match.game, setup.seating()), setup, screen)
