"""Set up a match from the arguments of `duelbook play`, and play it."""

from dataclasses import replace
from pathlib import Path

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Outcome, won_by
from duelbook.games import name_of
from duelbook.match import Match
from duelbook.narration import narration_for
from duelbook.options import pairs_text, write_options
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import command_word
from duelbook.play.next_match import NextStep, following
from duelbook.play.setup import (
    Setup,
    check_agents,
    connect_models,
    is_model_among,
    is_solution_required,
    new_match,
    resumed_match,
    solve_for,
)
from duelbook.records.file import check_new
from duelbook.records.record import HUMAN, only_person
from duelbook.terminal import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.terminal.after_game import ask_next_step, show_decision
from duelbook.terminal.choices import ask_choices
from duelbook.terminal.commands import QuitError
from duelbook.terminal.screen import NOTE, RESULT, WARNING, Screen
from duelbook.terminal.session import Session


def play(arguments: PlayArguments, screen: Screen) -> int:
    """Set up the match, play it and return the exit code."""
    if (arguments.resume or arguments.kept is not None) and arguments.matches > 1:
        raise RefusedError("--resume cannot be combined with --matches: a record holds one match.")
    for number in range(arguments.matches):
        _check_new_record(arguments, _record_of(arguments.record, number))
    check_agents(arguments.agents)  # an unknown agent is an error before the first question
    try:
        return _play_matches(arguments, screen)
    except (QuitError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _play_matches(arguments: PlayArguments, screen: Screen) -> int:
    """Play several matches with the seats swapped each time, and show the points, also if a person leaves early."""
    if arguments.matches == 1:
        is_resumed = arguments.resume or arguments.kept is not None
        return _play_and_ask(arguments, _resumed(arguments, screen) if is_resumed else _new(arguments, screen), screen)
    points, same = [0.0, 0.0], arguments
    gap, end = "\n", ""
    try:
        for number in range(arguments.matches):
            screen.say(f"Match {number + 1} of {arguments.matches}\n", NOTE)
            session = _new(replace(same, record=_record_of(arguments.record, number)), screen)
            code = _run(session)
            if not session.match.over:
                return code
            if not session.setup.once:
                show_decision(session.record(), only_person(session.setup.people), screen)
            for person in (0, 1):
                points[person] += _points(session.match.outcome, person ^ session.setup.first)
            same = _swapped(same, session)
            if number + 1 < arguments.matches:
                _pause(f"match {number + 2} of {arguments.matches}", session, screen)
        if not session.setup.once:
            gap, end = "", "\n"
    finally:
        if same is not arguments:  # a match is finished
            one, two = session.setup.people
            screen.say(f"{gap}Points: {one.name}: {points[0]:g}, {two.name}: {points[1]:g}{end}", RESULT)
    chosen = None if session.setup.once else _next_session(replace(arguments, matches=1), session, screen)
    return _play_and_ask(*chosen, screen) if chosen else EXIT_FINISHED


def _pause(following: str, session: Session, screen: Screen) -> None:
    """Wait for a person at a terminal before the next match. Raise QuitError if they leave."""
    question = f"Press Enter for {following}: "
    while not session.setup.once and (word := command_word(screen.ask(question, remember=False))):
        if word == "quit":
            raise QuitError
        screen.say("Press Enter, or type quit to leave.", WARNING)
    screen.say()


def _play_and_ask(arguments: PlayArguments, session: Session, screen: Screen) -> int:
    """Play one match; at a terminal, then ask what to do next, until the person leaves."""
    while True:
        code = _run(session)
        if session.setup.once or not session.match.over:
            return code
        show_decision(session.record(), only_person(session.setup.people), screen)
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
        changed = following(arguments, session.setup, session.match.game, step)
        if step in (NextStep.STRONGER, NextStep.WEAKER):
            [opponent] = (agent for agent in changed.agents if agent != HUMAN)
            screen.say(f"Your opponent is {opponent} now.\n", NOTE)
        try:
            return changed, _new(changed, screen)
        except RefusedError as error:  # for example, the game is too large for the perfect agent
            screen.say(f"{error}\n", WARNING)


def _run(session: Session) -> int:
    try:
        connect_models(session.setup)
        return session.run()
    finally:
        if any(session.setup.agents):
            from duelbook.agents import close_agent  # which a game of two people does not need

            for agent in filter(None, session.setup.agents):
                close_agent(agent)


def _record_of(record: Path | None, number: int) -> Path | None:
    """Return the file of one of several matches: `game.json`, then `game-2.json` and so on."""
    return record.with_stem(f"{record.stem}-{number + 1}") if record and number else record


def _check_new_record(arguments: PlayArguments, record: Path | None) -> None:
    """Raise RefusedError if the record or its log would replace a file."""
    if record and record != arguments.resume:
        check_new(record)
        if is_model_among(arguments.agents):
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
    new = new_match(arguments, once=_is_last(arguments, screen))
    setup, game = new.setup, new.game
    if new.choices:
        game = ask_choices(new.choices, setup.seating(), new.rng, screen)
    if new.drawn:
        game = new.with_drawn(game)
        screen.say(f"Drawn for this match: {pairs_text(game, new.drawn)}\n", NOTE)
    _prepare_values(game, setup, screen)
    if new.is_starter_drawn:
        screen.say(f"{setup.people[setup.first].name} was drawn to move first.\n", NOTE)
    return _session(setup.start(game), setup, screen)


def _prepare_values(game: AnyGame, setup: Setup, screen: Screen) -> None:
    """Solve the game if somebody needs its values. If it is too large, or Ctrl-C stops that, levels search instead.

    An agent that cannot do without the values does not play then.
    """
    if not setup.show_values and all(setup.seating().humans):
        return
    try:
        note = "" if is_solution_required(setup.people) else "(Press Ctrl-C to play on without the solution.)"
        with screen.busy("Solving the game", note):
            if solve_for(game, setup.people, setup.show_values):
                return
        why = "This game is not solved"  # it is too large, or was stopped in an earlier match
    except KeyboardInterrupt:
        if is_solution_required(setup.people):
            raise
        from duelbook.solve import remember_too_large

        remember_too_large(game)
        why = "Stopped. This game is not solved"
    screen.say(f"{why}: levels play by search, and values are estimates.\n", NOTE)


def _is_last(arguments: PlayArguments, screen: Screen) -> bool:
    """Return True if nothing is offered after the match: nobody is there to answer, or nobody wants it."""
    return arguments.once or not screen.is_terminal


def _resumed(arguments: PlayArguments, screen: Screen) -> Session:
    """Return a match that continues: that of a file, or that of the history with its number."""
    match, setup = resumed_match(arguments, once=_is_last(arguments, screen))
    _prepare_values(match.game, setup, screen)
    return _session(match, setup, screen)


def _session(match: Match, setup: Setup, screen: Screen) -> Session:
    return Session(match, narration_for(match.game, setup.seating()), setup, screen)
