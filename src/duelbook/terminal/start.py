"""Set up a match from the arguments of `duelbook play`, and play it."""

import random
import secrets
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from duelbook.agents import Agent, current_name, is_exact, is_external, make_agent, needs_solution, turn_seed
from duelbook.contract import verify_once
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Outcome, Reason, has_choices, won_by
from duelbook.games import find_rules, make, name_of
from duelbook.match import Match, ply_limit
from duelbook.narration import narration_class, narration_for
from duelbook.options import draw, drawn_options, pairs_text, write_options
from duelbook.presets import expand_preset
from duelbook.records import load_record
from duelbook.records.file import check_new
from duelbook.records.record import HUMAN, Person, Record
from duelbook.solve import remember_too_large, solved, try_solve
from duelbook.terminal import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_UNFINISHED
from duelbook.terminal.commands import QuitError
from duelbook.terminal.menu import ask_choices, ask_game, ask_players, ask_preset
from duelbook.terminal.screen import NOTE, RESULT, Screen
from duelbook.terminal.session import Session, Setup
from duelbook.text import clean_name, fold


@dataclass(frozen=True)
class PlayArguments:
    """The arguments of `duelbook play`; None for those that are not given."""

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
    matches: int = 1  # played one after another, with the seats swapped each time


def play(arguments: PlayArguments, screen: Screen) -> int:
    """Set up the match, play it and return the exit code."""
    if arguments.resume and arguments.matches > 1:
        raise RefusedError("--resume cannot be combined with --matches: a record holds one match.")
    for number in range(arguments.matches):
        _check_new_record(arguments, _record_of(arguments.record, number))
    for who in filter(None, arguments.agents):
        if who != HUMAN:
            make_agent(who)  # an unknown agent is an error before the first question
    try:
        return _play_matches(arguments, screen)
    except (QuitError, EOFError):
        return EXIT_UNFINISHED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _play_matches(arguments: PlayArguments, screen: Screen) -> int:
    """Play one match, or several with the seats swapped each time, and then show the points."""
    points = [0.0, 0.0]
    for number in range(arguments.matches):
        if arguments.matches > 1:
            screen.say(f"Match {number + 1} of {arguments.matches}\n", NOTE)
        following = replace(arguments, record=_record_of(arguments.record, number))
        session = _resumed(following, arguments.resume, screen) if arguments.resume else _new(following, screen)
        code = _run(session)
        if code != EXIT_FINISHED or arguments.matches == 1:
            return code
        for person in (0, 1):
            points[person] += _points(session.match.outcome, person ^ session.setup.first)
        arguments = _swapped(arguments, session)
    one, two = session.setup.people
    screen.say(f"\nPoints: {one.name}: {points[0]:g}, {two.name}: {points[1]:g}", RESULT)
    return EXIT_FINISHED


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
        game_name = ask_game(screen)
        options = expand_preset(find_rules(game_name), arguments.options or ask_preset(game_name, screen))
        make(game_name, **options)  # refuses wrong options before the next question
        arguments = replace(arguments, game=game_name, options=options)
        if arguments.agents == (None, None):
            arguments = replace(arguments, agents=ask_players(screen))
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
        people, first, _agents(people, seed), seed, arguments.time_limit, arguments.record, arguments.show_values
    )
    drawn = drawn_options(type(game), options)
    if has_choices(game) and game.chosen in drawn:
        drawn = drawn_options(type(game), (*options, game.chosen))
        game = ask_choices(game, setup.seating(), rng, screen)
    if drawn:
        game = draw(game, rng, drawn)
        screen.say(f"Drawn for this match: {pairs_text(game, drawn)}\n", NOTE)
    _prepare_values(game, people, arguments.show_values, screen)
    return _session(Match(game, ply_limit=_limit(game, setup)), setup, screen)


def _prepare_values(game: AnyGame, people: tuple[Person, Person], show_values: bool, screen: Screen) -> None:
    """Solve the game if somebody needs its values. If it is too large, or Ctrl-C stops that, levels search instead.

    An agent that cannot do without the values does not play then.
    """
    agents = [person.agent for person in people]
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


def _resumed(arguments: PlayArguments, path: Path, screen: Screen) -> Session:
    record = load_record(path)
    verify_once(record.game)
    _check_resumable(arguments, record, path)
    _check_agents(arguments, record, path)
    people = _people(arguments, record.people)
    _prepare_values(record.game, people, arguments.show_values, screen)
    setup = Setup(
        people,
        record.first,
        _agents(people, record.seed, len(record.moves)),
        record.seed,
        arguments.time_limit or record.time_limit,
        arguments.record or path,
        arguments.show_values,
    )
    return _session(Match.resumed(record, ply_limit=_limit(record.game, setup)), setup, screen)


def _check_resumable(arguments: PlayArguments, record: Record, path: Path) -> None:
    if record.reason is not Reason.UNFINISHED:
        raise RefusedError(
            f"The game in '{path}' is over. Step through it with: duelbook replay {shlex.quote(str(path))}"
        )
    if arguments.game not in (None, name_of(record.game)):
        raise RefusedError(
            f"'{path}' holds a game of {name_of(record.game)}, not of {arguments.game}. Leave out '{arguments.game}'."
        )
    if arguments.options or arguments.first or arguments.seed is not None:
        raise RefusedError(
            "--resume cannot be combined with --option, --preset, --first or --seed, which the record determines."
        )


def _check_agents(arguments: PlayArguments, record: Record, path: Path) -> None:
    """Raise RefusedError if a file, not the person, names a program to start or an endpoint to reach."""
    for number, (agent, person) in enumerate(zip(arguments.agents, record.people, strict=True), 1):
        if agent is None and is_external(person.agent):
            raise RefusedError(
                f"'{path}' names the agent '{person.agent}' for Player {number}. "
                f"If you trust it, add --p{number} {shlex.quote(person.agent)}"
            )


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
        Person(person.name if name is None else clean_name(name), current_name(agent or person.agent))
        for person, name, agent in zip(default, arguments.names, arguments.agents, strict=True)
    )
    if fold(one.name) == fold(two.name):
        raise RefusedError(f"Both players are called '{one.name}'. Give them different names with --name1 and --name2.")
    return one, two


def _agents(
    people: tuple[Person, Person], seed: int | None, resumed_at: int | None = None
) -> tuple[Agent | None, Agent | None]:
    """Return the agents of Player 1 and Player 2, each with its own random numbers."""

    def make(agent: str, number: int) -> Agent:
        start = seed if resumed_at is None else turn_seed(agent, seed, resumed_at)
        return make_agent(agent, f"{start} {number}")

    one, two = (None if person.agent == HUMAN else make(person.agent, number) for number, person in enumerate(people))
    return one, two


def _limit(game: AnyGame, setup: Setup) -> int | None:
    return None if any(setup.seating().humans) else ply_limit(game)


def _session(match: Match, setup: Setup, screen: Screen) -> Session:
    return Session(match, narration_for(match.game, setup.seating()), setup, screen)
